import Foundation

extension KeyedArchiveWriter {
  /// Archives an object.
  ///
  /// Foundation's archiver stops the program at a decimal number. So an object that consists only of Foundation's values is
  /// written by this type, and other objects by Foundation's archiver.
  ///
  /// - Throws: `CocoaError.coderInvalidValue` for an object that cannot be archived, for collections that are nested too deep,
  ///   for a decimal number together with objects of other classes, and for collections or decimal numbers in sets or keys.
  package static func archive(_ object: Any, requiringSecureCoding: Bool) throws -> Data {
    try check(object, requiringSecureCoding, depth: 0)
    var writer = KeyedArchiveWriter()
    var hasDecimals = false
    if let root = try writer.add(plain: object, &hasDecimals) { return writer.serialized(root: root) }
    guard !hasDecimals else {
      throw Self.error("Decimal numbers cannot be archived beside objects of other classes.")
    }
    return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: requiringSecureCoding)
  }

  /// Adds a value of Foundation, or a collection of such values; returns nil if it is or contains any other object.
  private mutating func add(plain value: Any, _ hasDecimals: inout Bool) throws -> PropertyListValue? {
    switch value {
    case is String, is Date, is Data, is UUID: return add(value: value)
    case let url as NSURL: return url.baseURL == nil ? add(value: url as URL) : nil
    case is NSDecimalNumber, is Decimal:
      hasDecimals = true
      return add(value: value as? NSDecimalNumber ?? (value as? Decimal).map(NSDecimalNumber.init(decimal:)))
    case let number as NSNumber:
      // An unsigned integer above `Int64.max` does not fit into the archive's integers.
      return number.objCType.pointee == 0x51 && number.uint64Value > Int64.max ? nil : add(value: number)
    case is NSNull: return add(["NSNull", "NSObject"], [:])
    case let array as [Any]:
      return try add(plain: array, &hasDecimals).map { add(array: $0, isMutable: value is NSMutableArray) }
    case let dictionary as NSDictionary:
      let keys = dictionary.allKeys
      guard let names = try add(plain: Self.hashed(keys), &hasDecimals),
        let values = try add(plain: keys.map { dictionary[$0] ?? NSNull() }, &hasDecimals)
      else { return nil }
      return add(
        (value is NSMutableDictionary ? ["NSMutableDictionary"] : []) + ["NSDictionary", "NSObject"],
        ["NS.keys": .array(names), "NS.objects": .array(values)])
    case let set as NSSet:
      return try add(plain: Self.hashed(set.allObjects), &hasDecimals).map {
        add(set: $0, isMutable: value is NSMutableSet)
      }
    default: return nil
    }
  }

  /// Adds several values; returns nil if one cannot be added. All values are visited even then, so that every decimal number
  /// is noticed.
  private mutating func add(plain values: [Any], _ hasDecimals: inout Bool) throws -> [PropertyListValue]? {
    var added: [PropertyListValue]? = []
    for value in values {
      if let value = try add(plain: value, &hasDecimals) { added?.append(value) } else { added = nil }
    }
    return added
  }

  /// Checks that an object can be archived. Foundation's archiver stops the program at an object that does not adopt NSCoding,
  /// or does not support secure coding where that is required.
  private static func check(_ value: Any, _ requiresSecureCoding: Bool, depth: Int) throws {
    guard depth < 200 else { throw error("Collections are within each other too deep.") }
    let elements: [Any]
    switch value {
    case let object as NSArray: elements = object.map { $0 }
    case let object as NSSet: elements = object.allObjects
    case let object as NSOrderedSet: elements = object.array
    case let object as NSDictionary: elements = object.allKeys + object.allKeys.compactMap { object[$0] }
    default:
      let object = (value as? NSObject) ?? value as AnyObject
      guard object is any NSCoding else { throw error("Objects of class \(type(of: value)) cannot be archived.") }
      if requiresSecureCoding, (type(of: object) as? any NSSecureCoding.Type)?.supportsSecureCoding != true {
        throw error("Class \(type(of: value)) does not support secure coding.")
      }
      return
    }
    for element in elements { try check(element, requiresSecureCoding, depth: depth + 1) }
  }

  private static func error(_ reason: String) -> CocoaError {
    CocoaError(.coderInvalidValue, userInfo: [NSDebugDescriptionErrorKey: reason])
  }

  /// Whether a value cannot be in a set, because Foundation's method to hash or compare it stops the program.
  static func cannotBeInSet(_ value: Any) -> Bool {
    value is NSDecimalNumber || value is NSArray || value is NSSet || value is NSOrderedSet || value is NSDictionary
  }

  private static func hashed(_ elements: [Any]) throws -> [Any] {
    if elements.contains(where: cannotBeInSet) { throw error("A collection cannot be archived in a set or a key.") }
    return elements
  }
}
