import CoreDataTools
import Foundation
@_spi(Store) import OpenCoreData

/// Converts the values of a document to attribute values. A value that does not fit exactly is an error.
enum ImportedValue {
  /// A value that does not fit the attribute.
  struct Mismatch: Error {
    let expected: String
  }

  /// Returns the value for `setValue(_:forKey:)`; nil if there is no value.
  /// - Throws: a ``Mismatch`` that names the values which the attribute takes.
  static func make(_ field: ImportedField, _ attribute: NSAttributeDescription) throws -> Any? {
    if case .null = field { return nil }
    switch attribute.attributeType {
    case .transformableAttributeType: return try data(field)
    case .compositeAttributeType: return try composite(field, attribute)
    case .undefinedAttributeType, .objectIDAttributeType: throw Mismatch(expected: "no value: it has no column")
    default:
      let kind = ValueKind(attribute.attributeType, isTransient: false)
      return try stored(field, kind)?.boxed(as: kind)
    }
  }

  /// Returns the value as rows have it; nil for a kind of attribute that has its value from an object.
  /// - Throws: a ``Mismatch`` that names the values which the attribute takes.
  static func stored(_ field: ImportedField, _ kind: ValueKind) throws -> StoredValue? {
    if case .null = field, kind.isPlain || kind == .data { return .null }
    switch kind {
    case .int16: return .int(Int64(try integer(field, Int16.self, "an integer of 16 bits")))
    case .int32: return .int(Int64(try integer(field, Int32.self, "an integer of 32 bits")))
    case .int64: return .int(try integer(field, Int64.self, "an integer of 64 bits"))
    case .bool: return .int(try bool(field) ? 1 : 0)
    case .double: return .double(try number(field) { Double($0) })
    case .float: return .double(Double(try number(field) { Float($0) }))
    case .decimal: return .decimal(try decimal(field))
    case .string: return .string(try text(field, "a text") { $0 })
    case .date: return .double(try date(field))
    case .uuid: return .uuid(try text(field, "a UUID") { UUID(uuidString: $0) })
    case .uri: return .string(try text(field, "a URI") { URL(string: $0) }.absoluteString)
    case .data: return .data(try data(field))
    case .transformable, .anything, .composite, .toOne, .toMany: return nil
    }
  }

  private static func data(_ field: ImportedField) throws -> Data {
    try text(field, "bytes in base 64") { Data(base64Encoded: $0) }
  }

  /// Returns the text of a number. In CSV, numbers are not told from other texts.
  private static func digits(_ field: ImportedField) -> String? {
    switch field {
    case .number(let text), .text(let text): text
    default: nil
    }
  }

  private static func integer<Number: FixedWidthInteger>(
    _ field: ImportedField, _ type: Number.Type, _ expected: String
  ) throws -> Number {
    if let value = digits(field).flatMap({ Number($0) }) { return value }
    throw Mismatch(expected: expected)
  }

  private static func number<Number: BinaryFloatingPoint>(
    _ field: ImportedField, _ read: (String) -> Number?
  ) throws -> Number {
    if let value = digits(field).flatMap(read) { return value }
    throw Mismatch(expected: "a number")
  }

  private static func bool(_ field: ImportedField) throws -> Bool {
    switch field {
    case .bool(let value): return value
    case .number("0"), .text("0"), .text("false"): return false
    case .number("1"), .text("1"), .text("true"): return true
    default: throw Mismatch(expected: "true or false")
    }
  }

  private static func decimal(_ field: ImportedField) throws -> Decimal {
    if let text = digits(field) {
      if text == "NaN" { return .nan }
      // Only a complete number is read: Foundation would accept a text that merely begins with a number.
      if Double(text) != nil, !text.contains(where: { !"+-.0123456789eE".contains($0) }),
        let value = Decimal(string: text)
      {
        return value
      }
    }
    throw Mismatch(expected: "a decimal number")
  }

  /// The seconds since 2001.
  private static func date(_ field: ImportedField) throws -> Double {
    switch field {
    case .number(let text): if let seconds = Double(text) { return seconds }
    // Dates whose year does not have four digits are written as seconds since 2001.
    case .text(let text): if let seconds = ExactDate.seconds(text) ?? Double(text) { return seconds }
    default: break
    }
    throw Mismatch(expected: "a date such as 2024-05-10T18:14:11.5Z")
  }

  private static func text<Value>(
    _ field: ImportedField, _ expected: String, _ read: (String) -> Value?
  ) throws -> Value {
    if case .text(let text) = field, let value = read(text) { return value }
    throw Mismatch(expected: expected)
  }

  private static func composite(_ field: ImportedField, _ attribute: NSAttributeDescription) throws -> [String: Any] {
    guard let composite = attribute as? NSCompositeAttributeDescription, case .object(let members) = field else {
      throw Mismatch(expected: "an object with the elements")
    }
    var result: [String: Any] = [:]
    for member in members {
      guard let element = composite.elements.first(where: { $0.name == member.name }) else {
        throw Mismatch(expected: "the elements \(composite.elements.map(\.name).sorted().joined(separator: ", "))")
      }
      guard element.attributeType != .transformableAttributeType else {
        throw Mismatch(expected: "no value for the transformable element \(element.name)")
      }
      result[member.name] = try make(member.value, element)
    }
    return result
  }
}
