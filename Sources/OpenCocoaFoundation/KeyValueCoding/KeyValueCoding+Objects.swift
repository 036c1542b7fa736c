import Foundation

// Functions that both the members of NSObject and the default implementations of `NSKeyValueCoding` use.
extension KeyValueCoding {
  /// Returns the value of a property that the class lists, or of a stored property.
  static func listedValue(of object: any NSKeyValueCoding, forKey key: String) -> Any? {
    let type = type(of: object)
    if let property = KeyValueProperties.property(key, of: type) { return property.value(of: object) }
    if key == "self" { return object }
    if let method = listedGetter(key, of: object) {
      return EvaluatorQuestion.answering(object, otherwise: nil) { try method.call(on: object, []) }
    }
    if type.accessInstanceVariablesDirectly, let stored = stored(key, of: object) { return stored }
    return intrinsic(key, of: object) ?? object.value(forUndefinedKey: key)
  }

  /// Sets a property that the class lists.
  static func setListedValue(_ value: Any?, of object: any NSKeyValueCoding, forKey key: String) {
    guard let property = KeyValueProperties.property(key, of: type(of: object)), property.isSettable else {
      return object.setValue(value, forUndefinedKey: key)
    }
    guard let assignment = property.assignment(of: value, to: object) else { return object.setNilValueForKey(key) }
    KeyValueObserving.automatically(object, key, .setting, assignment)
  }

  /// Returns the property that generated code lists for the class of an object; nil if there is none.
  static func listedProperty(_ key: String, of object: Any) -> OCDKeyValueProperty? {
    (type(of: object) as? AnyClass).flatMap { ClassMembers.property(key, of: $0) }
  }

  /// Returns the method without arguments that generated code lists for the class of an object; nil if there is none.
  static func listedGetter(_ key: String, of object: Any) -> OCDCallableMethod? {
    (type(of: object) as? AnyClass).flatMap { ClassMembers.table(of: $0).methods[key] }
  }

  /// Sets a property that generated code lists.
  package static func setListedValue(_ value: Any?, of object: AnyObject, _ property: OCDKeyValueProperty) {
    guard let assignment = property.assignment(of: value, to: object) else {
      guard let object = object as? any _KeyValueCodingAndObserving else { nilForKey(property.name, of: object) }
      return object.setNilValueForKey(property.name)
    }
    KeyValueObserving.automatically(object, property.name, .setting, assignment)
  }

  /// Returns the values of the properties with the given keys, with NSNull in place of nil.
  package static func dictionary(of object: some _KeyValueCodingAndObserving, forKeys keys: [String]) -> [String: Any] {
    var values: [String: Any] = [:]
    for key in keys { values[key] = value(of: object, forKey: key) ?? NSNull() }
    return values
  }

  /// Sets the properties that the keys of a dictionary name; NSNull sets nil.
  package static func setValues(_ values: [String: Any], of object: some _KeyValueCodingAndObserving) {
    for (key, value) in values { setValue(isNull(value) ? nil : value, of: object, forKey: key) }
  }

  /// Returns the object that the last key of a path belongs to, and that key; nil if the path leads through nil or through a
  /// value that is no object.
  static func target(
    of keyPath: String, from object: any _KeyValueCodingAndObserving
  ) -> (target: any _KeyValueCodingAndObserving, key: String)? {
    let (path, key) = split(keyPath)
    guard let path else { return (object, key) }
    guard let target = object.value(forKeyPath: path), type(of: target) is AnyClass else { return nil }
    return (target as? any _KeyValueCodingAndObserving).map { ($0, key) }
  }

  static func requiredTarget(
    of keyPath: String, from object: any _KeyValueCodingAndObserving, _ method: String
  ) -> (target: any _KeyValueCodingAndObserving, key: String) {
    if let target = target(of: keyPath, from: object) { return target }
    raise(
      .invalidArgument,
      "[\(name(of: object)) \(method)]: the key path \"\(keyPath)\" leads through nil, or through what is no object.")
  }

  /// Splits a path into the path without the last key, nil if there is only one key, and the last key.
  private static func split(_ keyPath: String) -> (path: String?, key: String) {
    guard let dot = keyPath.utf8.lastIndex(of: UInt8(ascii: ".")) else { return (nil, keyPath) }
    return (String(keyPath[..<dot]), String(keyPath[keyPath.utf8.index(after: dot)...]))
  }

  /// Stops the program because a property cannot be nil. Apple's framework raises an exception there.
  package static func nilForKey(_ key: String, of object: Any) -> Never {
    raise(
      .invalidArgument,
      "[\(name(of: object)) setNilValueForKey]: could not set nil as the value for the key \(key).")
  }

  /// Returns the class and the address of an object in the form of Apple's messages.
  package static func name(of object: Any) -> String {
    guard type(of: object) is AnyClass else { return "<\(type(of: object))>" }
    return "<\(type(of: object)) 0x\(String(UInt(bitPattern: ObjectIdentifier(object as AnyObject)), radix: 16))>"
  }
}
