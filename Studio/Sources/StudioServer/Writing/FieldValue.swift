import CoreData
import CoreDataTools
import Foundation

/// A value that a form gives to an attribute.
enum FieldValue: Sendable, Equatable {
  case none
  case text(String)
  case whole(Int64)
  case double(Double)
  case float(Float)
  case decimal(Decimal)
  case bool(Bool)
  case date(Date)
  case uuid(UUID)
  case uri(URL)
  case data(Data)

  /// The value in the type that an object's attribute takes.
  var object: Any? {
    switch self {
    case .none: nil
    case .text(let value): value
    case .whole(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .float(let value): NSNumber(value: value)
    case .decimal(let value): NSDecimalNumber(decimal: value)
    case .bool(let value): NSNumber(value: value)
    case .date(let value): value
    case .uuid(let value): value
    case .uri(let value): value
    case .data(let value): value
    }
  }

  /// Parses the text typed for an attribute.
  /// - Throws: A `FieldMistake` that names the expected format and the text found.
  init(typed: String, _ attribute: NSAttributeDescription) throws {
    if attribute.attributeType == .stringAttributeType {
      self = .text(typed)
      return
    }
    let text = typed.trimmingCharacters(in: .whitespacesAndNewlines)
    if text.isEmpty {
      self = .none
      return
    }
    switch attribute.attributeType {
    case .integer16AttributeType: self = try .whole(Self.whole(text, Int64(Int16.min)...Int64(Int16.max)))
    case .integer32AttributeType: self = try .whole(Self.whole(text, Int64(Int32.min)...Int64(Int32.max)))
    case .integer64AttributeType: self = try .whole(Self.whole(text, Int64.min...Int64.max))
    case .doubleAttributeType:
      guard let value = Double(text), value.isFinite else { throw Self.mistake("a number such as 3.25", text) }
      self = .double(value)
    case .floatAttributeType:
      guard let value = Float(text), value.isFinite else { throw Self.mistake("a number such as 3.25", text) }
      self = .float(value)
    case .decimalAttributeType:
      guard text.wholeMatch(of: /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?/) != nil,
        let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !value.isNaN
      else { throw Self.mistake("a decimal number such as 12.50", text) }
      self = .decimal(value)
    case .booleanAttributeType:
      guard let value = ["true": true, "false": false][text] else { throw Self.mistake("yes or no", text) }
      self = .bool(value)
    case .dateAttributeType:
      guard let value = ExactDate.date(typed: text) else {
        throw Self.mistake("a date and a time in UTC, such as 2026-01-31T12:00:00", text)
      }
      self = .date(value)
    case .UUIDAttributeType:
      guard let value = UUID(uuidString: text) else {
        throw Self.mistake("a UUID such as 6BA7B810-9DAD-11D1-80B4-00C04FD430C8", text)
      }
      self = .uuid(value)
    case .URIAttributeType:
      guard let value = URL(string: text) else { throw Self.mistake("a URL such as https://example.org/", text) }
      self = .uri(value)
    default: throw FieldMistake("Values of this type cannot be typed.")
    }
  }

  private static func whole(_ text: String, _ range: ClosedRange<Int64>) throws -> Int64 {
    guard text.wholeMatch(of: /[+-]?\d+/) != nil else { throw mistake("a whole number such as 42", text) }
    guard let value = Int64(text), range.contains(value) else {
      throw mistake("a whole number from \(range.lowerBound) to \(range.upperBound)", text)
    }
    return value
  }

  private static func mistake(_ expected: String, _ found: String) -> FieldMistake {
    let shown = found.count > 60 ? found.prefix(60) + "…" : found
    return FieldMistake("Expected \(expected), found “\(shown)”.")
  }
}
