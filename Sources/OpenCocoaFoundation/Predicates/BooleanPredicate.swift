import Foundation

/// A predicate that the parser makes of `TRUEPREDICATE` or `FALSEPREDICATE`.
class BooleanPredicate: NSPredicate {
  // A subclass of Foundation's NSPredicate cannot be Sendable. These two instances are safe because they never change.
  nonisolated(unsafe) static let `true`: BooleanPredicate = TruePredicate(true)
  nonisolated(unsafe) static let `false`: BooleanPredicate = FalsePredicate(false)

  let value: Bool

  fileprivate init(_ value: Bool) {
    self.value = value
    super.init(value: value)
  }

  override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    value
  }

  override var description: String { value ? "TRUEPREDICATE" : "FALSEPREDICATE" }

  /// Returns the predicate itself, because predicates cannot change.
  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPredicate, case .boolean(let otherValue) = other.node else { return false }
    return value == otherValue
  }

  override var hash: Int { value ? 1 : 0 }

  override var classForKeyedArchiver: AnyClass? {
    ArchivedClasses.named(value ? "NSTruePredicate" : "NSFalsePredicate") ?? type(of: self)
  }
}

/// `TRUEPREDICATE`. It has a class of its own because archives distinguish it by its class.
final class TruePredicate: BooleanPredicate {}

/// `FALSEPREDICATE`
final class FalsePredicate: BooleanPredicate {}
