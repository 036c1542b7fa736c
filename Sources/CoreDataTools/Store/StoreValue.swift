import Foundation
import OpenCoreData

/// A value of an object in a store, as the type of its property means it.
public enum StoreValue: Sendable, Equatable {
  /// No value.
  case null
  /// The value of a boolean attribute.
  case bool(Bool)
  /// The value of an integer attribute, or a number of objects.
  case integer(Int64)
  /// The value of a double attribute.
  case real(Double)
  /// The value of a float attribute.
  case float(Float)
  /// The value of a decimal attribute.
  case decimal(Decimal)
  /// The value of a string or URI attribute.
  case text(String)
  /// A date in seconds since 2001-01-01 00:00:00 UTC. A `Date` is not more exact.
  case date(Double)
  /// The value of a UUID attribute.
  case uuid(UUID)
  /// Bytes; for a transformable attribute, the bytes that its transformer made.
  case data(Data)
  /// The object of a to-one relationship.
  case object(ObjectReference)

  package init(_ value: InspectedValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .float(let value): self = .float(value)
    case .decimal(let value): self = .decimal(value)
    case .text(let value): self = .text(value)
    case .date(let value): self = .date(value)
    case .uuid(let value): self = .uuid(value)
    case .data(let value): self = .data(value)
    case .object(let value): self = .object(ObjectReference(value))
    }
  }

  /// Whether the value is a number or null: columns of such values are aligned to the right.
  public var isNumber: Bool {
    switch self {
    case .null, .integer, .real, .float, .decimal: true
    default: false
    }
  }
}

extension StoreValue {
  /// The value as JSON: dates are ISO 8601 in UTC with all their digits, bytes base 64, decimal numbers text.
  public var json: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    // JSON has no infinite numbers.
    case .real(let value): value.isFinite ? "\(value)" : Self.json("\(value)")
    case .float(let value): value.isFinite ? "\(value)" : Self.json("\(value)")
    case .date(let seconds): ExactDate.text(seconds).map(Self.json) ?? "\(seconds)"
    case .text, .decimal, .uuid, .data, .object: Self.json(plain ?? "")
    }
  }

  /// The value as text without quotation marks; nil if there is no value.
  public var plain: String? {
    switch self {
    case .null: nil
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .real(let value): "\(value)"
    case .float(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .text(let text): text
    case .date(let seconds): ExactDate.text(seconds) ?? "\(seconds)"
    case .uuid(let uuid): uuid.uuidString
    case .data(let data): data.base64EncodedString()
    case .object(let reference): reference.description
    }
  }

  /// The value in a table for people: on one line, and bytes as their number.
  public var cell: String {
    if case .data(let data) = self { return "\(data.count) bytes" }
    let text = plain ?? ""
    return text.contains(where: \.isNewline) ? text.split(whereSeparator: \.isNewline).joined(separator: "⏎") : text
  }

  /// The value as a field of CSV. The field is empty if there is no value; an empty text is quoted.
  public var csv: String { Self.csv(plain) }

  /// Returns a text as JSON.
  public static func json(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case ..<" ": result += String(format: "\\u%04x", scalar.value)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Returns a text as a field of CSV; an empty field for nil.
  public static func csv(_ text: String?) -> String {
    guard let text else { return "" }
    let needsQuotes = text.isEmpty || text.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    return needsQuotes ? "\"\(text.replacingOccurrences(of: "\"", with: "\"\""))\"" : text
  }
}
