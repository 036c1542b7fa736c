import Foundation

/// The elements of a constant collection, for IN. The set is made at the first evaluation in memory, because most predicates
/// are never evaluated in memory.
final class ElementSet: @unchecked Sendable {  // The lock protects the elements.
  private let lock = NSLock()
  private let collection: Any
  private var values: [Any]?
  private let options: NSComparisonPredicate.Options
  private var elements: Set<Operand>?

  init(_ collection: Any, _ options: NSComparisonPredicate.Options) {
    self.collection = collection
    self.options = options
  }

  func contains(_ value: Operand) -> Bool {
    if value.isNull { return false }
    let value = folded(value)
    let (elements, values) = made()
    if let elements { return elements.contains(value) }
    return values.contains { folded(Operand($0)) == value }
  }

  /// The elements as the set has them, folded; nil as long as there is no set.
  var lastingElements: [Operand]? { made().0.map(Array.init) }

  /// Returns the set of the elements, or nil as long as the hash of an element may change; and the elements, which are needed
  /// only if there is no set.
  private func made() -> (Set<Operand>?, [Any]) {
    lock.withLock {
      if let elements { return (elements, []) }
      let values = self.values ?? OpenCocoaFoundation.elements(of: collection) ?? []
      self.values = values
      let areLasting = values.allSatisfy { (instance($0) as? PredicateIdentity)?.isIdentityLasting ?? true }
      if areLasting { elements = Set(values.map { folded(Operand($0)) }) }
      return (elements, values)
    }
  }

  private func folded(_ value: Operand) -> Operand {
    guard !options.isEmpty, case .string(let string) = value else { return value }
    return .string(StringFolding.fold(string, options))
  }
}
