import Foundation

extension KeyValueCoding {
  /// Returns the values of a dictionary whose keys are strings; nil if the object is no dictionary.
  static func dictionary(_ object: Any) -> [String: Any]? {
    switch object {
    case let dictionary as [String: Any]: return dictionary
    case let dictionary as NSDictionary:
      var values: [String: Any] = [:]
      for (key, value) in dictionary { if let key = key as? String { values[key] = value } }
      return values
    default: return nil
    }
  }

  /// Returns the value of a property of Apple's strings, numbers and dates that formats use; nil for other keys.
  static func scalarProperty(_ key: String, of object: Any) -> Any? {
    if let string = object as? String { return stringProperty(key, of: string) }
    if let number = object as? NSNumber { return numberProperty(key, of: number) }
    if let date = object as? Date {
      switch key {
      case "timeIntervalSinceReferenceDate": return NSNumber(value: date.timeIntervalSinceReferenceDate)
      case "timeIntervalSince1970": return NSNumber(value: date.timeIntervalSince1970)
      default: return nil
      }
    }
    if key == "count", object is NSArray || object is [Any], let elements = elements(of: object) {
      return countOfScalars(elements)
    }
    return nil
  }

  /// Returns the number of elements of an array of texts, numbers or dates, because these have no property `count`. Nil for
  /// other elements: the key then means the property of each element, as Apple's arrays treat every key.
  private static func countOfScalars(_ elements: [Any]) -> NSNumber? {
    guard let first = elements.first, first is String || first is NSNumber || first is Date else { return nil }
    return NSNumber(value: elements.count)
  }

  private static func stringProperty(_ key: String, of string: String) -> Any? {
    switch key {
    case "length": return NSNumber(value: string.utf16.count)
    case "uppercaseString": return string.uppercased()
    case "lowercaseString": return string.lowercased()
    case "capitalizedString": return string.capitalized
    case "doubleValue", "floatValue": return NSNumber(value: (string as NSString).doubleValue)
    case "integerValue", "intValue", "longLongValue": return NSNumber(value: (string as NSString).longLongValue)
    case "boolValue": return NSNumber(value: (string as NSString).boolValue)
    case "pathExtension": return (string as NSString).pathExtension
    case "lastPathComponent": return (string as NSString).lastPathComponent
    case "description": return string
    default: return nil
    }
  }

  private static func numberProperty(_ key: String, of number: NSNumber) -> Any? {
    switch key {
    case "doubleValue": return NSNumber(value: number.doubleValue)
    case "floatValue": return NSNumber(value: number.floatValue)
    case "integerValue", "longValue", "longLongValue": return NSNumber(value: number.int64Value)
    case "intValue": return NSNumber(value: number.int32Value)
    case "boolValue": return NSNumber(value: number.boolValue)
    case "decimalValue": return NSDecimalNumber(decimal: number.exactDecimal)
    case "stringValue", "description": return number.stringValue
    default: return nil
    }
  }

  /// Returns the value of a stored property, which is found by reflection; nil if there is no such property.
  static func stored(_ key: String, of object: Any) -> Any?? {
    var mirror: Mirror? = Mirror(reflecting: object)
    while let current = mirror {
      for child in current.children where child.label == key || child.label == "_" + key {
        return .some(boxed(child.value))
      }
      mirror = current.superclassMirror
    }
    return nil
  }

  /// Returns the value of a key that every Foundation object has; nil for other keys.
  static func intrinsic(_ key: String, of object: Any) -> Any? {
    guard let object = object as? NSObject else { return nil }
    switch key {
    case "description": return object is NSDate ? ValueText.of(object as? Date) : object.description
    case "hash":
      // The hash of Foundation's decimal numbers recurses without end.
      let hash = (object as? NSDecimalNumber).map { ExactNumber.decimal($0.decimalValue).hashValue } ?? object.hash
      return NSNumber(value: hash)
    default: return nil
    }
  }
}
