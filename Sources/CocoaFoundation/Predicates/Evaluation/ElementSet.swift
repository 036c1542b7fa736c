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
    !value.isNull && made().contains(folded(value))
  }

  private func made() -> Set<Operand> {
    lock.withLock {
      if let elements { return elements }
      let made = Set(values.map { folded(Operand($0)) })
      elements = made
      return made
    }
  }

  private func folded(_ value: Operand) -> Operand {
    guard !options.isEmpty, case .string(let string) = value else { return value }
    return .string(StringFolding.fold(string, options))
  }
}
