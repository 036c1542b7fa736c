import Foundation
import OpenCocoaFoundation

// Validating properties: one by a call, or all of them before a save. The class's own rules come after the model's rules.
extension NSManagedObject {
  /// The implementation of `validateValue(_:forKey:)` in the base class.
  final func validateModelledValue(_ value: Any?, forKey key: String) throws {
    try validateRules(value, forKey: key)
    guard let validator = layout.validators[key] else { return }
    var value = StoredValue.unwrapped(value) as AnyObject?
    try validator(self, &value)
  }

  /// The implementation of `validateValue(_:forKey:)` that takes a pointer: the class's method may replace the value.
  final func validateModelledPointer(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {
    if layout.overridesValidateValue {
      try validateValue(value.pointee as Any?, forKey: key)
    } else {
      try validateRules(value.pointee, forKey: key)
    }
    try layout.validators[key]?(self, value)
  }

  private final func validateRules(_ value: Any?, forKey key: String) throws {
    checkQueue(key)
    guard let slot = layout.slot(named: key) else { undefinedKey(key) }
    switch slot.kind {
    case .composite:
      let values = elementValues(value, slot).map { ($0.name, StoredValue.make($1, for: $0, entity: layout.name)) }
      let byName = Dictionary(values, uniquingKeysWith: { first, _ in first })
      try validateComposite(slot) { byName[$0.name] ?? .null }
    case .toMany: try validate(Self.collection(value, slot, entity: layout.name), slot)
    case .toOne:
      let object = StoredValue.unwrapped(value) as? NSManagedObject ?? member(value, slot)
      try validate(object.map(StoredValue.object) ?? .null, slot)
    default: try validate(StoredValue.make(value, for: slot, entity: layout.name), slot)
    }
  }

  /// Validates every property.
  /// - Throws: a single error as it is; several errors as one of code 1560.
  final func validateProperties() throws {
    checkQueue()
    let isByClass = layout.overridesValidatePointer || layout.overridesValidateValue
    var errors: [any Error] = []
    func note(_ check: () throws -> Void) { do { try check() } catch { errors += NSError.single(error) } }
    if isByClass || !layout.validators.isEmpty {
      for slot in layout.slots {
        if isByClass || layout.validators[slot.name] != nil {
          note { try validateByClass(slot) }
        } else if slot.hasRules {
          note { try validateCurrentValue(slot) }
        }
      }
    } else {
      for ruled in layout.ruledPlaces where !isDate(at: ruled.mereDateIndex) {
        note { try validateCurrentValue(layout.slots[ruled.place]) }
      }
    }
    if !errors.isEmpty { try NSError.throwAll(errors) }
  }

  private final func validateCurrentValue(_ slot: PropertySlot) throws {
    switch slot.kind {
    case .toMany: try validateCurrentMembers(slot)
    case .composite: try validateComposite(slot) { currentValue($0) }
    default:
      let value = currentValue(slot)
      // A value that cannot be read is present in the store, and stays as it is.
      if value.isNull, isUnreadable(slot) { return }
      try validate(value, slot)
    }
  }

  /// Lets the class validate a property.
  private final func validateByClass(_ slot: PropertySlot) throws {
    guard slot.isValidated else { return }
    // A class cannot judge a value that reads as nil because it cannot be decoded or read; the value stays as it is.
    if isUndecodable(slot) || isUnreadable(slot) { return }
    // Members are not read just to be validated.
    if slot.kind == .toMany, isUnread(slot) { return }
    guard layout.overridesValidatePointer || layout.validators[slot.name] != nil else {
      return try validateValue(slotValue(slot), forKey: slot.name)
    }
    let given = slotValue(slot) as AnyObject?
    var value = given
    try validateValue(&value, forKey: slot.name)
    if value !== given, isOther(value, slot) { setValue(value, forKey: slot.name) }
  }

  /// Whether a value that a class has put in the place of another one differs from it. Setting an equal value would count
  /// as a change, and the object would have to be validated again without end.
  private final func isOther(_ value: AnyObject?, _ slot: PropertySlot) -> Bool {
    switch slot.kind {
    case .toMany:
      let wanted = Self.collection(value, slot, entity: layout.name), current = members(slot)
      if slot.isOrdered, !Self.isSet(value) { return !wanted.elementsEqual(current, by: ===) }
      return Set(wanted) != Set(current)
    case .toOne: return true
    case .composite:
      return elementValues(value, slot).contains {
        !StoredValue.make($1, for: $0, entity: layout.name).isSame(as: currentValue($0))
      }
    case .transformable, .anything:
      guard let object = value as? NSObject, let current = attributeValue(slot) as? NSObject else { return true }
      return !object.isEqual(current)
    default: return !StoredValue.make(value, for: slot, entity: layout.name).isSame(as: currentValue(slot))
    }
  }
}
