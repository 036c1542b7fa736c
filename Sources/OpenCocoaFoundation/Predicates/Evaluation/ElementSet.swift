import Foundation

/// The elements of a constant collection, for IN: made once, at the first evaluation in memory.
final class ElementSet: @unchecked Sendable {  // The lock protects the elements.
  private let lock = NSLock()
  private let values: [Any]
  private let options: NSComparisonPredicate.Options
  private var elements: Set<Operand>?

  init(_ values: [Any], _ options: NSComparisonPredicate.Options) {
    self.values = values
    self.options = options
  }

  func contains(_ value: Operand) -> Bool {
    if value.isNull { return false }
    let value = folded(value)
    if let elements = made() { return elements.contains(value) }
    return values.contains { folded(Operand($0)) == value }
  }

  /// The elements by their hash; nil as long as one of them may come to have another.
  private func made() -> Set<Operand>? {
    lock.withLock {
      if let elements { return elements }
      let areLasting = values.allSatisfy { (instance($0) as? PredicateIdentity)?.isIdentityLasting ?? true }
      if areLasting { elements = Set(values.map { folded(Operand($0)) }) }
      return elements
    }
  }

  private func folded(_ value: Operand) -> Operand {
    guard !options.isEmpty, case .string(let string) = value else { return value }
    return .string(StringFolding.fold(string, options))
  }
}
