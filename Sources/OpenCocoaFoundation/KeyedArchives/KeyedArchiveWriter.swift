import Foundation

/// Builds the object table of a keyed archive. An object gets its number before its fields are added, so that objects can refer
/// to each other in a cycle.
package struct KeyedArchiveWriter {
  /// The reference to the null object.
  package static let null = PropertyListValue.uid(0)

  private var objects: [PropertyListValue] = [.string("$null")]
  private var shared: [PropertyListValue: PropertyListValue] = [:]
  private var classes: [String: PropertyListValue] = [:]

  /// Makes an archive that contains only the null object.
  package init() {}

  /// Reserves a number for an object whose fields are added later, and returns the reference to it.
  package mutating func reserve() -> PropertyListValue {
    objects.append(.string("$null"))
    return .uid(objects.count - 1)
  }

  /// Adds an object, or sets the fields of a reserved one. `classes` are the object's class and its superclasses, in order.
  @discardableResult
  package mutating func add(
    _ classes: [String], _ fields: [String: PropertyListValue], as reserved: PropertyListValue? = nil
  ) -> PropertyListValue {
    let reference = reserved ?? reserve()
    var fields = fields
    fields["$class"] = classReference(classes)
    if let uid = reference.uidValue { objects[uid] = .dictionary(fields) }
    return reference
  }

  /// Adds a text or a number; equal values share an object. Returns the reference to null for nil.
  package mutating func add(_ value: PropertyListValue?) -> PropertyListValue {
    guard let value else { return Self.null }
    if let known = shared[value] { return known }
    objects.append(value)
    let reference = PropertyListValue.uid(objects.count - 1)
    shared[value] = reference
    return reference
  }

  /// Adds a text. Returns the reference to null for nil.
  package mutating func add(text: String?) -> PropertyListValue { add(text.map(PropertyListValue.string)) }

  /// Adds an array.
  package mutating func add(array: [PropertyListValue], isMutable: Bool = false) -> PropertyListValue {
    add((isMutable ? ["NSMutableArray"] : []) + ["NSArray", "NSObject"], ["NS.objects": .array(array)])
  }

  /// Adds a set.
  package mutating func add(set: [PropertyListValue], isMutable: Bool = false) -> PropertyListValue {
    add((isMutable ? ["NSMutableSet"] : []) + ["NSSet", "NSObject"], ["NS.objects": .array(set)])
  }

  /// Adds a dictionary with text as keys.
  package mutating func add(
    dictionary: [(key: String, value: PropertyListValue)], isMutable: Bool = false
  ) -> PropertyListValue {
    let keys = dictionary.map { add(text: $0.key) }
    return add(
      (isMutable ? ["NSMutableDictionary"] : []) + ["NSDictionary", "NSObject"],
      ["NS.keys": .array(keys), "NS.objects": .array(dictionary.map(\.value))])
  }

  /// Returns the bytes of the archive with the given root object.
  package func serialized(root: PropertyListValue) -> Data {
    BinaryPropertyListWriter.write(
      .dictionary([
        "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$objects": .array(objects),
        "$top": .dictionary(["root": root]),
      ]))
  }

  private mutating func classReference(_ names: [String]) -> PropertyListValue {
    if let known = classes[names[0]] { return known }
    objects.append(
      .dictionary(["$classname": .string(names[0]), "$classes": .array(names.map(PropertyListValue.string))]))
    let reference = PropertyListValue.uid(objects.count - 1)
    classes[names[0]] = reference
    return reference
  }
}

extension KeyedArchiveWriter {
  /// Adds a value of one of Foundation's types that models hold. Returns the reference to null for nil and for other values.
  package mutating func add(value: Any?) -> PropertyListValue {
    switch value {
    case let text as String: return add(text: text)
    case let date as Date:
      return add(["NSDate", "NSObject"], ["NS.time": .real(date.timeIntervalSinceReferenceDate)])
    case let data as Data: return add(.data(data))
    case let uuid as UUID:
      return add(["NSUUID", "NSObject"], ["NS.uuidbytes": .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })])
    case let url as URL:
      return add(["NSURL", "NSObject"], ["NS.base": Self.null, "NS.relative": add(text: url.absoluteString)])
    case let number as NSDecimalNumber: return add(decimal: number.decimalValue)
    case let number as NSNumber: return add(number: number)
    default: return Self.null
    }
  }

  private mutating func add(number: NSNumber) -> PropertyListValue {
    switch UnicodeScalar(UInt8(bitPattern: number.objCType.pointee)) {
    case "c", "B": return add(.bool(number.boolValue))  // Here only truth values have these types.
    case "f", "d": return add(.real(number.doubleValue))
    default: return add(.integer(number.int64Value))
    }
  }

  private mutating func add(decimal: Decimal) -> PropertyListValue {
    let fields = DecimalFields(decimal)
    return add(
      ["NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue", "NSObject"],
      [
        "NS.mantissa": .data(Data(fields.mantissa)), "NS.negative": .bool(fields.isNegative),
        "NS.exponent": .integer(Int64(fields.exponent)), "NS.mantissa.bo": .integer(1),
        "NS.length": .integer(Int64(fields.length)), "NS.compact": .bool(true),
      ])
  }
}
