import Foundation
import OpenCocoaFoundation

// The model's rules for the values of attributes, and for the members of to-one relationships.
extension NSManagedObject {
  final func validate(_ value: StoredValue, _ slot: PropertySlot) throws {
    if value.isNull || value.isUnset {
      // A derived attribute's value is computed by the store. An accessor of the class may compute a transient value
      // without keeping it: that cannot be seen here, and no store misses the value.
      if slot.isOptional || slot.isTransient || slot.property is NSDerivedAttributeDescription { return }
      throw missing(slot)
    }
    if value.isNaN {
      // The error does not contain the value: Foundation stops a program that prints such a date.
      if slot.kind == .date { throw error(NSValidationInvalidDateError, slot, "\(slot.name) is not a valid date.") }
      // SQLite would keep NULL in place of NaN.
      if !slot.isOptional, !slot.isTransient { throw missing(slot) }
    }
    if !slot.property.storedValidationPredicates.isEmpty {
      // A row holds the key of a to-one relationship's member, and validation predicates need the object.
      if case .int = value, slot.kind == .toOne {
        try validatePredicates(toOne(slot), slot)
      } else {
        try validatePredicates(boxed(value, slot), slot)
      }
    }
    guard !slot.kind.isRelationship, let violation = slot.attribute.limits.violation(of: value, kind: slot.kind) else {
      return
    }
    let limit = slot.attribute.limits.list(for: slot.attribute.attributeType).first { $0.violation == violation }
    throw error(
      violation.rawValue, slot, "\(slot.name) \(violation.text)", value.boxed(for: slot), limit?.predicate)
  }

  /// A composite attribute has a value if one of its elements has one; then each element has to keep to its own rules.
  /// - Throws: a single error as it is; several errors as one of code 1560.
  final func validateComposite(_ slot: PropertySlot, _ value: (PropertySlot) -> StoredValue) throws {
    if leaves(of: slot).allSatisfy({ value($0).isNull || value($0).isUnset }) {
      if slot.isOptional || slot.isTransient { return }
      throw missing(slot)
    }
    var errors: [any Error] = []
    func collect(_ body: () throws -> Void) {
      do { try body() } catch { errors += NSError.single(error) }
    }
    for element in layout.elements(of: slot) {
      collect {
        if element.kind == .composite {
          try validateComposite(element, value)
        } else {
          try validate(value(element), element)
        }
      }
    }
    if !slot.property.storedValidationPredicates.isEmpty {
      collect { try validatePredicates(composite(slot) { boxed(value($0), $0) }, slot) }
    }
    try NSError.throwAll(errors)
  }

  /// Evaluates the predicates that the model sets for a property on its value, which is there.
  final func validatePredicates(_ value: Any?, _ slot: PropertySlot) throws {
    // A value that cannot be decoded is present, but no predicate can be evaluated on it.
    if value == nil { return }
    let rules = zip(slot.property.storedValidationPredicates, slot.property.storedValidationWarnings)
    for (predicate, warning) in rules {
      let holds = try SQLLoweringError.evaluating(slot.property.hasSecretValues ? nil : predicate) {
        try predicate.holds(for: value)
      }
      if holds { continue }
      let code = (warning as? NSNumber)?.intValue ?? NSManagedObjectValidationError
      let text =
        warning as? String ?? "\(slot.name) \(AttributeLimits.Violation(rawValue: code)?.text ?? "is not valid.")"
      throw error(code, slot, text, value, predicate)
    }
  }

  final func missing(_ slot: PropertySlot) -> NSError {
    error(NSValidationMissingMandatoryPropertyError, slot, "\(slot.name) is a required value.")
  }

  final func error(
    _ code: Int, _ slot: PropertySlot, _ text: String, _ value: Any? = nil, _ predicate: NSPredicate? = nil,
    _ more: [String: Any] = [:]
  ) -> NSError {
    var info = more
    info[NSValidationKeyErrorKey] = slot.name
    info[NSValidationObjectErrorKey] = self
    info[NSLocalizedFailureReasonErrorKey] = "The entity is \(layout.name), the object \(objectID)."
    if let value { info[NSValidationValueErrorKey] = value }
    if let predicate { info[NSValidationPredicateErrorKey] = predicate }
    return NSError(coreData: code, text, info)
  }
}

extension StoredValue {
  fileprivate var isNaN: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .decimal(let number): number.isNaN
    default: false
    }
  }
}

extension PropertySlot {
  /// Whether a save validates the property: elements, transient relationships and attributes without a type are left out.
  var isValidated: Bool { Self.isValidated(property, kind, isTransient: isTransient, isElement: isElement) }

  private static func isValidated(
    _ property: NSPropertyDescription, _ kind: ValueKind, isTransient: Bool, isElement: Bool
  ) -> Bool {
    if isElement { return false }
    // A transient attribute may have rules. An attribute that is in no row although it is not transient has no type.
    return !isTransient || (property.isTransient && !kind.isRelationship)
  }

  /// Whether a property has rules that the model alone can check.
  static func hasRules(
    _ property: NSPropertyDescription, _ kind: ValueKind, isTransient: Bool, isElement: Bool
  ) -> Bool {
    guard isValidated(property, kind, isTransient: isTransient, isElement: isElement) else { return false }
    if !property.storedValidationPredicates.isEmpty { return true }
    // A mandatory to-many relationship may be empty, as long as it has no minimum.
    if !property.isOptional, kind != .toMany { return true }
    switch kind {
    case .date, .composite: return true
    case .toOne: return false
    case .toMany:
      guard let relationship = property as? NSRelationshipDescription else { return false }
      return relationship.minCount > 0 || relationship.maxCount > 0
    default: return (property as? NSAttributeDescription)?.limits.isEmpty == false
    }
  }
}
