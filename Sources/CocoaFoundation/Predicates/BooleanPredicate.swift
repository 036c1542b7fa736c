import Foundation

/// `TRUEPREDICATE` or `FALSEPREDICATE`, as the parser makes it.
final class BooleanPredicate: NSPredicate {
  // Foundation forbids its subclasses to be Sendable; these two never change.
  nonisolated(unsafe) static let `true` = BooleanPredicate(true)
  nonisolated(unsafe) static let `false` = BooleanPredicate(false)

  let value: Bool

  private init(_ value: Bool) {
    self.value = value
    super.init(value: value)
  }

  override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    value
  }

  override var description: String { value ? "TRUEPREDICATE" : "FALSEPREDICATE" }

  /// Gives back the predicate itself, since none can change.
  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPredicate, case .boolean(let otherValue) = other.node else { return false }
    return value == otherValue
  }

  override var hash: Int { value ? 1 : 0 }
}
