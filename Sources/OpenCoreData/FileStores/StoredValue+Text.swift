import Foundation

// Attribute values as text. The text is exact, and the same on every system.
extension StoredValue {
  /// Returns the text of an attribute's value; nil if there is none.
  func text(for slot: PropertySlot) -> String? {
    switch self {
    case .int(let value): return slot.kind == .bool ? (value == 0 ? "0" : "1") : String(value)
    case .double(let value): return slot.kind == .float ? "\(Float(value))" : "\(value)"
    case .string(let value): return value
    case .data(let value): return value.base64EncodedString()
    case .uuid(let value): return value.uuidString
    case .decimal(let value): return "\(value)"
    case .unset, .null, .other, .transformed, .object: return nil
    }
  }

  /// Returns the value that a text stands for; nil if the attribute cannot have it.
  static func parse(_ text: String, for slot: PropertySlot) -> StoredValue? {
    switch slot.kind {
    case .int16: return Int16(text).map { .int(Int64($0)) }
    case .int32: return Int32(text).map { .int(Int64($0)) }
    case .int64: return Int64(text).map(StoredValue.int)
    case .bool: return text == "0" ? .int(0) : text == "1" ? .int(1) : nil
    case .double, .date: return Double(text).map(StoredValue.double)
    case .float: return Float(text).map { .double(Double($0)) }
    case .decimal: return decimal(text)
    case .string: return .string(text)
    case .data, .transformable: return base64(text).map(StoredValue.data)
    case .uuid: return UUID(uuidString: text).map(StoredValue.uuid)
    case .uri: return URL(string: text) == nil ? nil : .string(text)
    case .anything, .toOne, .toMany, .composite: return nil
    }
  }

  private static func decimal(_ text: String) -> StoredValue? {
    if text == "NaN" { return .decimal(.nan) }
    // Foundation would also read a text that only begins with a number.
    let isNumber = text.utf8.allSatisfy { (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) }
    guard isNumber, Double(text) != nil else { return nil }
    return Decimal(string: text).map(StoredValue.decimal)
  }

  /// Decodes base64. Lines may be broken anywhere; other unknown characters mean that the file is damaged.
  private static func base64(_ text: String) -> Data? {
    Data(base64Encoded: text)
      ?? Data(base64Encoded: String(decoding: text.utf8.filter { $0 > 32 }, as: UTF8.self))
  }
}
