import Foundation
import OpenCoreData

/// How values of stores are written.
enum ValueText {
  /// A value as JSON.
  static func json(_ value: InspectedValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    // JSON has no infinite numbers.
    case .real(let value): value.isFinite ? "\(value)" : json("\(value)")
    case .float(let value): value.isFinite ? "\(value)" : json("\(value)")
    case .date(let seconds): ExactDate.text(seconds).map(json) ?? "\(seconds)"
    case .text, .decimal, .uuid, .data, .object: json(plain(value) ?? "")
    }
  }

  /// A value as text without quotation marks; nil for none.
  static func plain(_ value: InspectedValue) -> String? {
    switch value {
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
    case .object(let reference): reference.text
    }
  }

  /// A value in a table for people: on one line, and bytes as their number.
  static func cell(_ value: InspectedValue) -> String {
    switch value {
    case .data(let data): return "\(data.count) bytes"
    default:
      let text = plain(value) ?? ""
      return text.contains(where: \.isNewline) ? text.split(whereSeparator: \.isNewline).joined(separator: "⏎") : text
    }
  }

  /// A string as JSON.
  static func json(_ text: String) -> String {
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

  /// A field of CSV. An empty field is no value, an empty text is quoted.
  static func csv(_ text: String?) -> String {
    guard let text else { return "" }
    let needsQuotes = text.isEmpty || text.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    return needsQuotes ? "\"\(text.replacingOccurrences(of: "\"", with: "\"\""))\"" : text
  }
}
