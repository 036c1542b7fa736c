import Foundation

/// Reads and writes values of any type by key.
package enum KeyValueCoding {
  /// The value at the end of a path of keys.
  package static func value(of object: Any?, forKeyPath keyPath: String) -> Any? {
    guard keyPath.utf8.contains(UInt8(ascii: ".")) else { return value(of: object, forKey: keyPath) }
    let keys = keyPath.keysOfPath
    let value = gathered(from: object, forKeys: keys[...])
    if let values = value as? [Any], leadsThroughOrderedSet(object, keys), let ordered = ordered(values) {
      return ordered
    }
    return GatheredSet.published(value)
  }

  /// An ordered set of what an ordered set's elements give; nil where there are decimal numbers, which none can hold.
  private static func ordered(_ values: [Any]) -> NSOrderedSet? {
    values.contains { $0 is NSDecimalNumber } ? nil : NSOrderedSet(array: values)
  }

  /// Whether the first collection on a path without operators is an ordered set.
  private static func leadsThroughOrderedSet(_ object: Any?, _ keys: [String]) -> Bool {
    if keys.contains(where: { $0.hasPrefix("@") }) { return false }
    var object = object
    for key in keys.dropLast() {
      object = gathered(from: object, forKey: key)
      if object is NSOrderedSet { return true }
      guard object is NSKeyValueCoding else { return false }
    }
    return false
  }

  /// The value of one key, as a number object if it is a number; collections give the values of their elements.
  package static func value(of object: Any?, forKey key: String) -> Any? {
    let value = gathered(from: object, forKey: key)
    // An ordered set gives an ordered set, but for decimal numbers, which none can hold.
    if let values = value as? [Any], object is NSOrderedSet, let ordered = ordered(values) { return ordered }
    return GatheredSet.published(value)
  }

  /// The value at the end of a path of keys, taken apart already; what a set gives may be a `GatheredSet`.
  static func gathered(from object: Any?, forKeys keys: ArraySlice<String>) -> Any? {
    var object = object
    for (index, key) in zip(keys.indices, keys) {
      guard let current = unwrapped(object), !(current is NSNull) else { return nil }
      if key.hasPrefix("@"), let operation = CollectionOperator(rawValue: key) {
        let (value, used) = operation.apply(to: current, keys: keys[(index + 1)...])
        return gathered(from: value, forKeys: keys[(index + 1 + used)...])
      }
      // A path through a collection gives the collection of what the rest of the path gives for each element, up to an
      // operator that works on the collection.
      object = gathered(from: current, forKey: key)
    }
    return object
  }

  /// The value of one key; what a set gives is a `GatheredSet`.
  static func gathered(from object: Any?, forKey key: String) -> Any? {
    if let object = object as? NSKeyValueCoding {
      return key == "self" ? object : object.value(forKey: key)
    }
    guard let object = unwrapped(object), !(object is NSNull) else { return nil }
    if key.hasPrefix("@") {
      if let operation = CollectionOperator(rawValue: key) { return operation.apply(to: object, keys: []).value }
      undefinedKey(key, of: object)
    }
    if key == "self" || key == "SELF" { return object }
    if let dictionary = dictionary(object) { return dictionary[key].flatMap(boxed) }
    if let value = scalarProperty(key, of: object) { return value }
    switch object {
    case let set as GatheredSet: return GatheredSet(set.values.compactMap { gathered(from: $0, forKey: key) })
    case let array as [Any]: return array.map { gathered(from: $0, forKey: key) ?? NSNull() }
    case let set as NSOrderedSet:
      return Aggregates.distinct(set.array.map { gathered(from: $0, forKey: key) ?? NSNull() })
    default:
      // nil has no place in a set.
      if let elements = elements(of: object) {
        return GatheredSet(elements.compactMap { gathered(from: $0, forKey: key) })
      }
      if let defaults = object as? UserDefaults { return defaults.object(forKey: key) }
      if let property = listedProperty(key, of: object) { return property.value(of: object as AnyObject) }
      if let method = listedGetter(key, of: object) { return method.call(on: object as AnyObject, []) }
      if let stored = stored(key, of: object) { return stored }
      return intrinsic(key, of: object) ?? undefinedKey(key, of: object)
    }
  }

  /// Sets the property at the end of a path of keys.
  package static func setValue(_ value: Any?, of object: Any, forKeyPath keyPath: String) {
    let keys = keyPath.keysOfPath
    guard let last = keys.last else { undefinedKey(keyPath, of: object, method: "setValue:forUndefinedKey:") }
    // Through nil nothing is set, as a message to nil does nothing.
    guard let target = gathered(from: object, forKeys: keys.dropLast()) else { return }
    setValue(value, of: target, forKey: last)
  }

  /// Sets one property; collections set it in each of their elements.
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
        undefinedKey(key, of: object, method: "setValue:forUndefinedKey:")
      }
      for element in elements { setValue(value, of: element, forKey: key) }
    }
  }

  /// Stops the program as Apple's framework does for a key that an object does not have.
  package static func undefinedKey(
    _ key: String, of object: Any, method: String = "valueForUndefinedKey:"
  ) -> Never {
    raise(
      .undefinedKey,
      "[\(name(of: object)) \(method)]: this class is not key value coding-compliant for the key \(key).")
  }

  /// A value as key-value coding hands it out: NSNumber for every number, nil for Optionals without a value.
  package static func boxed(_ value: Any) -> Any? {
    guard let value = unwrapped(value) else { return nil }
    if value is NSNumber || value is String { return value as? NSNumber ?? value }
    return value
  }
}
