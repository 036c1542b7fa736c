import Foundation
import OpenCocoaFoundation

// Key-value coding for keys and values that come from outside: what would stop the program is an error here.
//
// Not in Apple's framework, where an exception of Objective-C ends the program.
extension NSManagedObject {
  /// The value of a property, whose key comes from outside.
  ///
  /// Not in Apple's framework (D-EXT-23).
  /// - Throws: 1550 for a key that neither the entity nor the class has, with `NSValidationKeyErrorKey`.
  public final func checkedValue(forKey key: String) throws -> Any? {
    let isKnown =
      layout.slot(named: key) != nil || layout.listed.computed[key] != nil || layout.listed.getters[key] != nil
      || entity.propertiesByName[key] != nil || Self.intrinsicKeys.contains(key)
    if isKnown { return value(forKey: key) }
    throw unknownKey(key)
  }

  /// Sets a property, whose key or value comes from outside, as `setValue(_:forKey:)` does. Not in Apple's framework
  /// (D-EXT-23).
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// for (key, value) in [("rating", 4), ("words", "many"), ("colour", "red")] as [(String, Any)] {
  ///   do { try entry.setCheckedValue(value, forKey: key) } catch { print(key) }  // words / colour
  /// }
  /// print(entry.rating)  // 4
  /// ```
  /// - Throws: 1550 for a key that neither the entity nor the class has, and for a value of the wrong type, out of the
  ///   range of a number, or an object of the wrong entity or of another context. The text names entity, key, expected
  ///   and found; userInfo has `NSValidationObjectErrorKey`, `NSValidationKeyErrorKey` and, but for secret values,
  ///   `NSValidationValueErrorKey`. Nothing is set then.
  public final func setCheckedValue(_ value: Any?, forKey key: String) throws {
    try check(value, forKey: key)
    setValue(value, forKey: key)
  }

  /// Sets the properties that the keys of a dictionary name, all of them or none; NSNull sets nil.
  ///
  /// - Throws: the error of `setCheckedValue(_:forKey:)`, several as 1560 with `NSDetailedErrorsKey`. Nothing is set then.
  public final func setCheckedValues(_ keyedValues: [String: Any]) throws {
    var errors: [any Error] = []
    for (key, value) in keyedValues.sorted(by: { $0.key < $1.key }) {
      do { try check(value, forKey: key) } catch { errors.append(error) }
    }
    if !errors.isEmpty { try NSError.throwAll(errors) }
    for (key, value) in keyedValues { setValue(isNull(value) ? nil : value, forKey: key) }
  }

  private final func check(_ value: Any?, forKey key: String) throws {
    checkQueue(key)
    guard let slot = layout.slot(named: key) else {
      guard let property = layout.listed.computed[key], property.isSettable else { throw unknownKey(key) }
      if let problem = property.problem(setting: StoredValue.unwrapped(value), of: self) {
        throw refusal(problem, key, value)
      }
      return
    }
    let accessor = layout.listed.accessors[key]
    let problem =
      accessor?.isSettable == true
      ? accessor?.problem(setting: StoredValue.unwrapped(value), of: self) : problem(setting: value, slot)
    if let problem { throw refusal(problem, key, slot.property.hasSecretValues ? nil : value) }
  }

  /// The reason why a value cannot be set for a property; nil if it can.
  private final func problem(setting value: Any?, _ slot: PropertySlot) -> String? {
    switch slot.kind {
    case .toOne: return memberProblem(value, slot)
    case .toMany:
      if let problem = Self.setProblem(value, slot, entity: layout.name) { return problem }
      let members: [Any] =
        switch StoredValue.unwrapped(value) {
        case let set as NSSet: set.allObjects
        case let set as NSOrderedSet: set.array
        case let set as Set<NSManagedObject>: Array(set)
        default: []
        }
      return members.lazy.compactMap { self.memberProblem($0, slot) }.first
    case .composite:
      if let problem = dictionaryProblem(value, slot) { return problem }
      let values = StoredValue.unwrapped(value) as? [String: Any] ?? [:]
      return layout.elements(of: slot).lazy.compactMap { self.problem(setting: values[$0.property.name], $0) }.first
    default:
      return StoredValue.converted(value, for: slot) == nil
        ? StoredValue.unacceptable(value, for: slot, entity: layout.name) : nil
    }
  }

  private final func unknownKey(_ key: String) -> NSError {
    NSError(
      coreData: NSManagedObjectValidationError,
      "The entity \(layout.name) has no property '\(key)', and its class \(type(of: self)) has none of that name that can be set or read by key.",
      [NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: key])
  }

  private final func refusal(_ problem: String, _ key: String, _ value: Any?) -> NSError {
    var userInfo: [String: Any] = [NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: key]
    userInfo[NSValidationValueErrorKey] = value
    return NSError(coreData: NSManagedObjectValidationError, problem, userInfo)
  }

  private static let intrinsicKeys: Set = [
    "objectID", "entity", "self", "managedObjectContext", "faultingState", "isFault", "fault", "hasChanges",
    "hasPersistentChangedValues", "isInserted", "inserted", "isUpdated", "updated", "isDeleted", "deleted",
  ]
}
