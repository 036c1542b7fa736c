import Foundation
import OpenCocoaFoundation

extension NSManagedObject {
  final func validateModelledValue(_ value: Any?, forKey key: String) throws {
    checkQueue(key)
    guard let slot = layout.slot(named: key) else { undefinedKey(key) }
    switch slot.kind {
    case .composite:
      var errors: [NSError] = []
      let values = elementValues(value, slot).map { ($0.name, StoredValue.make($1, for: $0, entity: layout.name)) }
      let byName = Dictionary(values, uniquingKeysWith: { first, _ in first })
      validateComposite(slot, &errors) { byName[$0.name] ?? .null }
      try Self.throwAll(errors)
    case .toMany: try validateMembers(slot)
    case .toOne: try validate(member(value, slot).map(StoredValue.object) ?? .null, slot)
    default: try validate(StoredValue.make(value, for: slot, entity: layout.name), slot)
    }
  }

  /// Validates every property; several errors come as one of code 1560.
  final func validateProperties() throws {
    checkQueue()
    var errors: [NSError] = []
    for slot in layout.slots where !slot.isTransient && !slot.isElement {
      do {
        // A class cannot judge what reads as nil; it is there, and stays as it is.
        if layout.overridesValidatePointer || layout.overridesValidateValue, isUndecodable(slot) { continue }
        if layout.overridesValidatePointer {
          try validateByPointer(slot.name)
        } else if layout.overridesValidateValue {
          try validateValue(modelledValue(forKey: slot.name), forKey: slot.name)
        } else if slot.kind == .toMany {
          try validateMembers(slot)
        } else if slot.kind == .composite {
          validateComposite(slot, &errors) { currentValue($0) }
        } else {
          try validate(currentValue(slot), slot)
        }
      } catch {
        errors.append(error as NSError)
      }
    }
    try Self.throwAll(errors)
  }

  /// A composite attribute has a value if one of its elements has; then each of them keeps to its own rules.
  private final func validateComposite(
    _ slot: PropertySlot, _ errors: inout [NSError], _ value: (PropertySlot) -> StoredValue
  ) {
    if leaves(of: slot).allSatisfy({ value($0).isNull }) {
      guard !slot.isOptional else { return }
      errors.append(error(NSValidationMissingMandatoryPropertyError, slot, "\(slot.name) is a required value."))
      return
    }
    for element in layout.elements(of: slot) {
      if element.kind == .composite {
        validateComposite(element, &errors, value)
      } else {
        do { try validate(value(element), element) } catch { errors.append(error as NSError) }
      }
    }
  }

  /// Lets the class validate a value and put another in its place.
  private final func validateByPointer(_ key: String) throws {
    let given = modelledValue(forKey: key) as AnyObject?
    var value = given
    try validateValue(&value, forKey: key)
    if value !== given { setValue(value, forKey: key) }
  }

  final func validateDeletion() throws {
    checkQueue()
    var errors: [NSError] = []
    for slot in layout.slots
    where slot.kind.isRelationship && !slot.isTransient && slot.relationship.deleteRule == .denyDeleteRule {
      let related = slot.kind == .toOne ? toOne(slot).map { [$0] } ?? [] : members(slot)
      if related.contains(where: { !$0.state.contains(.deleted) }) {
        errors.append(
          error(
            NSValidationRelationshipDeniedDeleteError, slot,
            "\(layout.name) cannot be deleted: its relationship \(slot.name) still has members and denies deletion."))
      }
    }
    try Self.throwAll(errors)
  }

  private static func throwAll(_ errors: [NSError]) throws {
    guard let first = errors.first else { return }
    if errors.count == 1 { throw first }
    throw NSError(
      coreData: NSValidationMultipleErrorsError,
      "Multiple validation errors occurred. " + errors.map(\.localizedDescription).joined(separator: " "),
      [NSDetailedErrorsKey: errors])
  }

  private final func validate(_ value: StoredValue, _ slot: PropertySlot) throws {
    if value.isNull || value.isUnset {
      // A derived attribute's value is the store's business.
      if slot.isOptional || slot.property is NSDerivedAttributeDescription { return }
      throw error(NSValidationMissingMandatoryPropertyError, slot, "\(slot.name) is a required value.")
    }
    guard slot.kind != .toOne else { return }
    if !slot.property.storedValidationPredicates.isEmpty { try validatePredicates(value, slot) }
    let limits = slot.attribute.limits
    if limits.isEmpty { return }
    switch value {
    case .int(let number): try validate(Decimal(number), limits, slot)
    case .double(let number) where slot.kind == .date:
      try validate(Date(timeIntervalSinceReferenceDate: number), limits, slot)
    case .double(let number): try validate(Decimal(number), limits, slot)
    case .decimal(let number): try validate(number, limits, slot)
    case .string(let text): try validate(text, limits, slot)
    default: break
    }
  }

  private final func validatePredicates(_ value: StoredValue, _ slot: PropertySlot) throws {
    let value = boxed(value, slot)
    // What cannot be decoded is there, and no predicate can look at it.
    if value == nil, slot.kind == .transformable { return }
    let rules = zip(slot.property.storedValidationPredicates, slot.property.storedValidationWarnings)
    for (predicate, warning) in rules where !predicate.evaluate(with: value) {
      throw self.error(
        (warning as? NSNumber)?.intValue ?? NSManagedObjectValidationError, slot,
        warning as? String ?? "\(slot.name) is not valid.", value, predicate)
    }
  }

  private final func validate(_ number: Decimal, _ limits: AttributeLimits, _ slot: PropertySlot) throws {
    if let maximum = limits.maximum, number > maximum {
      throw error(NSValidationNumberTooLargeError, slot, "\(slot.name) is too large.", number)
    }
    if let minimum = limits.minimum, number < minimum {
      throw error(NSValidationNumberTooSmallError, slot, "\(slot.name) is too small.", number)
    }
  }

  private final func validate(_ date: Date, _ limits: AttributeLimits, _ slot: PropertySlot) throws {
    if let latest = limits.latest, date > latest {
      throw error(NSValidationDateTooLateError, slot, "\(slot.name) is too late.", date)
    }
    if let earliest = limits.earliest, date < earliest {
      throw error(NSValidationDateTooSoonError, slot, "\(slot.name) is too soon.", date)
    }
  }

  private final func validate(_ text: String, _ limits: AttributeLimits, _ slot: PropertySlot) throws {
    let length = Decimal(text.utf16.count)  // NSString's length
    if let maximum = limits.maximum, length > maximum {
      throw error(NSValidationStringTooLongError, slot, "\(slot.name) is too long.", text)
    }
    if let minimum = limits.minimum, length < minimum {
      throw error(NSValidationStringTooShortError, slot, "\(slot.name) is too short.", text)
    }
    if let pattern = limits.pattern, text.range(of: "^(?:\(pattern))$", options: .regularExpression) == nil {
      throw error(NSValidationStringPatternMatchingError, slot, "\(slot.name) does not match its pattern.", text)
    }
  }

  private final func validateMembers(_ slot: PropertySlot) throws {
    let relationship = slot.relationship
    guard !slot.isOptional || relationship.minCount > 0 || relationship.maxCount > 0 else { return }
    // What was neither read nor changed is as valid as it was.
    guard let state = relations?.states[slot.relationIndex] as? ToManyState,
      state.hasChanges || self.state.contains(.inserted)
    else {
      if self.state.contains(.inserted), !slot.isOptional {
        throw error(NSValidationMissingMandatoryPropertyError, slot, "\(slot.name) is a required value.")
      }
      return
    }
    let count = members(slot).count
    if count == 0 {
      if slot.isOptional { return }
      throw error(NSValidationMissingMandatoryPropertyError, slot, "\(slot.name) is a required value.")
    }
    if count < relationship.minCount {
      throw error(NSValidationRelationshipLacksMinimumCountError, slot, "\(slot.name) has too few members.")
    }
    if relationship.maxCount > 0, count > relationship.maxCount {
      throw error(NSValidationRelationshipExceedsMaximumCountError, slot, "\(slot.name) has too many members.")
    }
  }

  private final func error(
    _ code: Int, _ slot: PropertySlot, _ text: String, _ value: Any? = nil, _ predicate: NSPredicate? = nil
  ) -> NSError {
    var info: [String: Any] = [
      NSValidationKeyErrorKey: slot.name, NSValidationObjectErrorKey: self,
      NSLocalizedFailureReasonErrorKey: "The entity is \(layout.name), the object \(objectID).",
    ]
    if let value { info[NSValidationValueErrorKey] = value }
    if let predicate { info[NSValidationPredicateErrorKey] = predicate }
    return NSError(coreData: code, text, info)
  }
}

extension NSManagedObjectContext {
  /// Lets every object that is about to be written validate itself.
  /// - Throws: the one error, or 1560 with all of them under `NSDetailedErrorsKey`.
  final func validate() throws {
    var errors: [NSError] = []
    for object in changed {
      do {
        if object.state.contains(.deleted) {
          if object.state.isDisjoint(with: [.inserted, .inaccessible]) { try object.validateForDelete() }
        } else if object.state.contains(.inserted) {
          try object.validateForInsert()
        } else {
          try object.validateForUpdate()
        }
      } catch {
        let error = error as NSError
        errors += error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
      }
    }
    // After all of it: validating one object may set a value of another.
    if errors.isEmpty {
      for object in changed where !object.layout.keepsPlainRows && !object.state.contains(.deleted) {
        do {
          try object.checkTypelessValues()
          try object.encodeTransformables()
        } catch {
          errors.append(error as NSError)
        }
      }
    }
    guard let first = errors.first else { return }
    if errors.count == 1 { throw first }
    throw NSError(
      coreData: NSValidationMultipleErrorsError, "Multiple validation errors occurred.", [NSDetailedErrorsKey: errors])
  }
}
