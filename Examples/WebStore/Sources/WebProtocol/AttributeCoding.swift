import CoreData
import Foundation

/// Values of attributes as JSON: numbers as numbers; decimals, UUIDs and URLs as text; data as Base64; a date as the seconds since
/// 2001 that it is; a transformable value as the data that its transformer makes.
public enum AttributeCoding {
  /// - Throws: a `ProtocolError` that names the attribute.
  public static func json(_ value: Any?, of attribute: NSAttributeDescription) throws -> JSON {
    guard let value, !(value is NSNull) else { return .null }
    switch attribute.attributeType {
    case .stringAttributeType: if let text = value as? String { return .string(text) }
    case .booleanAttributeType: if let number = value as? NSNumber { return .bool(number.boolValue) }
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      if let number = value as? NSNumber { return .int(number.int64Value) }
    case .doubleAttributeType, .floatAttributeType:
      if let number = value as? NSNumber { return json(number.doubleValue) }
    case .decimalAttributeType: if let number = value as? NSDecimalNumber { return .string(number.stringValue) }
    case .dateAttributeType: if let date = value as? Date { return json(date.timeIntervalSinceReferenceDate) }
    case .binaryDataAttributeType: if let data = value as? Data { return .string(data.base64EncodedString()) }
    case .UUIDAttributeType: if let uuid = value as? UUID { return .string(uuid.uuidString) }
    case .URIAttributeType: if let url = value as? URL { return .string(url.absoluteString) }
    case .transformableAttributeType: return .string(try Transformation(attribute).data(value).base64EncodedString())
    case .compositeAttributeType:
      guard let composite = attribute as? NSCompositeAttributeDescription, let values = value as? [String: Any] else {
        break
      }
      return .object(
        try composite.elements.reduce(into: [:]) { $0[$1.name] = try json(values[$1.name], of: $1) })
    default: break
    }
    throw ProtocolError("\(attribute.path): a value of type \(type(of: value)) cannot be sent.")
  }

  /// A number; JSON has none that are not finite.
  public static func json(_ number: Double) -> JSON { number.isFinite ? .double(number) : .string("\(number)") }

  /// - Throws: a `ProtocolError` that names the attribute and says what is expected.
  public static func value(_ json: JSON, of attribute: NSAttributeDescription) throws -> Any? {
    switch (attribute.attributeType, json) {
    case (_, .null): return nil
    case (.stringAttributeType, .string(let text)): return text
    case (.booleanAttributeType, .bool(let truth)): return truth
    case (.integer16AttributeType, .int(let number)): if let value = Int16(exactly: number) { return value }
    case (.integer32AttributeType, .int(let number)): if let value = Int32(exactly: number) { return value }
    case (.integer64AttributeType, .int(let number)): return number
    case (.doubleAttributeType, _): if let number = number(json) { return number }
    case (.floatAttributeType, _): if let number = number(json) { return Float(number) }
    case (.dateAttributeType, _): if let number = number(json) { return Date(timeIntervalSinceReferenceDate: number) }
    case (.decimalAttributeType, .string(let text)):
      if text == "NaN" || Decimal(string: text) != nil { return NSDecimalNumber(string: text) }
    case (.binaryDataAttributeType, .string(let text)): if let data = Data(base64Encoded: text) { return data }
    case (.UUIDAttributeType, .string(let text)): if let uuid = UUID(uuidString: text) { return uuid }
    case (.URIAttributeType, .string(let text)): if let url = URL(string: text) { return url }
    case (.transformableAttributeType, .string(let text)):
      if let data = Data(base64Encoded: text) { return try Transformation(attribute).value(data) }
    case (.compositeAttributeType, .object(let members)):
      guard let composite = attribute as? NSCompositeAttributeDescription else { break }
      var values: [String: Any] = [:]
      for element in composite.elements {
        if let value = try value(members[element.name] ?? .null, of: element) { values[element.name] = value }
      }
      return values
    default: break
    }
    throw ProtocolError("\(attribute.path): \(expected(attribute)) is expected.")
  }

  /// A number, of JSON's or one that is not finite.
  public static func number(_ json: JSON) -> Double? {
    if let number = json.number { return number }
    guard let text = json.text, let number = Double(text), !number.isFinite else { return nil }
    return number
  }

  private static func expected(_ attribute: NSAttributeDescription) -> String {
    switch attribute.attributeType {
    case .stringAttributeType: "text"
    case .booleanAttributeType: "true or false"
    case .integer16AttributeType: "a whole number of 16 bits"
    case .integer32AttributeType: "a whole number of 32 bits"
    case .integer64AttributeType: "a whole number of 64 bits"
    case .doubleAttributeType, .floatAttributeType: "a number"
    case .dateAttributeType: "a number of seconds since 2001"
    case .decimalAttributeType: "a number as text"
    case .binaryDataAttributeType, .transformableAttributeType: "text in Base64"
    case .UUIDAttributeType: "a UUID"
    case .URIAttributeType: "a URL"
    case .compositeAttributeType: "an object with the elements"
    default: "nothing, since values of its type cannot be sent,"
    }
  }
}

/// The transformer of an attribute, whichever way it works.
private struct Transformation {
  private let transformer: ValueTransformer
  private let attribute: NSAttributeDescription

  init(_ attribute: NSAttributeDescription) throws {
    let name =
      attribute.valueTransformerName.map { NSValueTransformerName($0) } ?? .secureUnarchiveFromDataTransformerName
    guard let transformer = ValueTransformer(forName: name) else {
      throw ProtocolError("\(attribute.path): there is no transformer \(name.rawValue).")
    }
    (self.transformer, self.attribute) = (transformer, attribute)
  }

  func data(_ value: Any) throws -> Data {
    let isUnarchiver = transformer is NSSecureUnarchiveFromDataTransformer
    let data = isUnarchiver ? transformer.reverseTransformedValue(value) : transformer.transformedValue(value)
    if let data = data as? Data { return data }
    throw ProtocolError("\(attribute.path): the transformer makes no data of a \(type(of: value)).")
  }

  func value(_ data: Data) throws -> Any {
    let isUnarchiver = transformer is NSSecureUnarchiveFromDataTransformer
    let value = isUnarchiver ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
    if let value { return value }
    throw ProtocolError("\(attribute.path): the transformer makes nothing of \(data.count) bytes.")
  }
}

extension NSPropertyDescription {
  /// The property's name after its entity's, for messages.
  public var path: String { "\(entity.name ?? "")\(entity.name == nil ? "" : ".")\(name)" }
}
