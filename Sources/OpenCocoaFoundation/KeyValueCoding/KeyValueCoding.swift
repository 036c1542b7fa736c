import Foundation

/// Reads and writes values of any type by key.
package enum KeyValueCoding {
  /// Returns the value at the end of a path of keys. Stops the program if `askedValue(of:forKeyPath:)` throws.
  package static func value(of object: Any?, forKeyPath keyPath: String) -> Any? {
    required { try askedValue(of: object, forKeyPath: keyPath) }
  }

  /// Returns the value of one key. Stops the program if `askedValue(of:forKey:)` throws.
  package static func value(of object: Any?, forKey key: String) -> Any? {
    required { try askedValue(of: object, forKey: key) }
  }

  /// Returns the value at the end of a path of keys.
  ///
  /// - Throws: `OCDEvaluationError` for a key that an object does not have.
  package static func askedValue(of object: Any?, forKeyPath keyPath: String) throws -> Any? {
    guard keyPath.utf8.contains(UInt8(ascii: ".")) else { return try askedValue(of: object, forKey: keyPath) }
    let keys = keyPath.keysOfPath
    let value = try gathered(from: object, forKeys: keys[...])
    if let values = value as? [Any], try leadsThroughOrderedSet(object, keys), let ordered = ordered(values) {
      return ordered
    }
    return GatheredSet.published(value)
  }

  /// Returns an ordered set of values; nil if there are decimal numbers, which ordered sets cannot hold.
  private static func ordered(_ values: [Any]) -> NSOrderedSet? {
    values.contains { $0 is NSDecimalNumber } ? nil : NSOrderedSet(array: values)
  }

  /// Whether the first collection on a path without operators is an ordered set.
  private static func leadsThroughOrderedSet(_ object: Any?, _ keys: [String]) throws -> Bool {
    if keys.contains(where: { $0.hasPrefix("@") }) { return false }
    var object = object
    for key in keys.dropLast() {
      object = try gathered(from: object, forKey: key)
      if object is NSOrderedSet { return true }
      guard object is NSKeyValueCoding else { return false }
    }
    return false
  }

  /// Returns the value of one key; a number is an NSNumber. For a collection, returns the values of its elements.
  ///
  /// - Throws: `OCDEvaluationError` for a key that the object does not have.
  package static func askedValue(of object: Any?, forKey key: String) throws -> Any? {
    let value = try gathered(from: object, forKey: key)
    // The values of an ordered set's elements are an ordered set, unless there are decimal numbers, which it cannot hold.
    if let values = value as? [Any], object is NSOrderedSet, let ordered = ordered(values) { return ordered }
    return GatheredSet.published(value)
  }

  /// Returns the value at the end of a path of keys. The values of a set's elements may be a `GatheredSet`.
  static func gathered(from object: Any?, forKeys keys: ArraySlice<String>) throws -> Any? {
    var object = object
    for (index, key) in zip(keys.indices, keys) {
      guard let current = unwrapped(object), !isNull(current) else { return nil }
      if key.hasPrefix("@"), let operation = CollectionOperator(rawValue: key) {
        let (value, used) = try operation.apply(to: current, keys: keys[(index + 1)...])
        return try gathered(from: value, forKeys: keys[(index + 1 + used)...])
      }
      // The value of a path through a collection is the collection of the elements' values for the rest of the path, up to an
      // operator that is applied to the collection.
      object = try gathered(from: current, forKey: key)
    }
    return object
  }

  /// Returns the value of one key. The values of a set's elements are a `GatheredSet`.
  static func gathered(from object: Any?, forKey key: String) throws -> Any? {
    if let object = object as? NSKeyValueCoding {
      return key == "self" ? object : try EvaluatorQuestion.ask(object) { object.value(forKey: key) }
    }
    guard let object = unwrapped(object), !isNull(object) else { return nil }
    if key.hasPrefix("@") {
      if let operation = CollectionOperator(rawValue: key) { return try operation.apply(to: object, keys: []).value }
      throw undefinedKey(key, of: object)
    }
    if key == "self" || key == "SELF" { return object }
    if let dictionary = dictionary(object) { return dictionary[key].flatMap(boxed) }
    if let value = scalarProperty(key, of: object) { return value }
    switch object {
    case let set as GatheredSet: return GatheredSet(try set.values.compactMap { try gathered(from: $0, forKey: key) })
    case let array as [Any]: return try array.map { try gathered(from: $0, forKey: key) ?? NSNull() }
    case let set as NSOrderedSet:
      return Aggregates.distinct(try set.array.map { try gathered(from: $0, forKey: key) ?? NSNull() })
    default:
      // A set contains no nil.
      if let elements = elements(of: object) {
        return GatheredSet(try elements.compactMap { try gathered(from: $0, forKey: key) })
      }
      if let defaults = object as? UserDefaults { return defaults.object(forKey: key) }
      if let property = listedProperty(key, of: object) { return property.value(of: object as AnyObject) }
      if let method = listedGetter(key, of: object) { return try method.call(on: object as AnyObject, []) }
      if let stored = stored(key, of: object) { return stored }
      if let value = intrinsic(key, of: object) { return value }
      throw undefinedKey(key, of: object)
    }
  }

  /// Sets the property at the end of a path of keys.
  package static func setValue(_ value: Any?, of object: Any, forKeyPath keyPath: String) {
    let keys = keyPath.keysOfPath
    guard let last = keys.last else {
      stop(for: undefinedKey(keyPath, of: object, method: "setValue:forUndefinedKey:"))
    }
    // If the path leads through nil, nothing is set, as a message to nil does nothing in Objective-C.
    guard let target = required({ try gathered(from: object, forKeys: keys.dropLast()) }) else { return }
    setValue(value, of: target, forKey: last)
  }

  /// Sets one property. For a collection, sets the property of each of its elements.
  package static func setValue(_ value: Any?, of object: Any, forKey key: String) {
    switch object {
    case let object as NSKeyValueCoding: object.setValue(value, forKey: key)
    case let dictionary as NSMutableDictionary:
      if let value { dictionary[key] = value } else { dictionary.removeObject(forKey: key) }
    case let defaults as UserDefaults: defaults.set(value, forKey: key)
    default:
      if let property = listedProperty(key, of: object), property.isSettable {
        return setListedValue(value, of: object as AnyObject, property)
      }
      guard !(object is NSDictionary), let elements = elements(of: object) else {
        stop(for: undefinedKey(key, of: object, method: "setValue:forUndefinedKey:"))
      }
      for element in elements { setValue(value, of: element, forKey: key) }
    }
  }

  /// Returns the error for a key that an object does not have. Apple's framework raises an exception for it.
  package static func undefinedKey(
    _ key: String, of object: Any, method: String = "valueForUndefinedKey:"
  ) -> OCDEvaluationError {
    OCDEvaluationError(
      "[\(name(of: object)) \(method)]: this class is not key value coding-compliant for the key \(key).",
      exception: .undefinedKey)
  }

  /// Does the work of the framework's own `value(forUndefinedKey:)`: passes an error to the evaluator if the evaluator has asked
  /// the object, and stops the program otherwise.
  package static func valueForUndefinedKey(
    of object: AnyObject, _ error: @autoclosure () -> OCDEvaluationError
  ) -> Any? {
    EvaluatorQuestion.answering(object, otherwise: nil) { throw error() }
  }

  /// Returns a value in the form in which key-value coding returns it: NSNumber for a number, nil for an Optional without a
  /// value.
  package static func boxed(_ value: Any) -> Any? {
    guard let value = unwrapped(value) else { return nil }
    if value is NSNumber || value is String { return value as? NSNumber ?? value }
    return value
  }
}
