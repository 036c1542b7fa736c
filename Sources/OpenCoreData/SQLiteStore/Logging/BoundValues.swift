import CSQLite
import Foundation

/// The values that are bound to a statement's variables, as a log shows them.
///
/// SQLite does not give back a bound value, but it gives the statement with all values written out. The values are found
/// there at the places where the statement has its variables. So binding, which every row of a save needs, records nothing.
enum BoundValues {
  /// Returns the values in the order of the variables; empty if SQLite cannot write them out.
  static func texts(of statement: OpaquePointer, _ sql: String) -> [String] {
    guard sqlite3_bind_parameter_count(statement) > 0, let text = sqlite3_expanded_sql(statement) else { return [] }
    defer { sqlite3_free(text) }
    let values = values(
      sql, expanded: UnsafeBufferPointer(start: text, count: strlen(text)).map(UInt8.init(bitPattern:)))
    return SecretAttributes.areValuesSecret(in: sql) ? values.map { _ in SecretAttributes.redacted } : values
  }

  static func values(_ sql: String, expanded: [UInt8]) -> [String] {
    var values: [String] = []
    var place = 0
    var quote: UInt8 = 0
    for byte in sql.utf8 {
      guard place < expanded.count else { break }
      if quote == 0, byte == UInt8(ascii: "?") {
        let literal = literal(expanded[place...])
        values.append(text(of: literal))
        place += literal.count
        continue
      }
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      }
      place += 1
    }
    return values
  }

  private static func literal(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var end = rest.startIndex
    if rest.first == UInt8(ascii: "x"), rest.dropFirst().first == UInt8(ascii: "'") { end += 1 }
    if end < rest.endIndex, rest[end] == UInt8(ascii: "'") {
      end += 1
      while end < rest.endIndex {
        if rest[end] != UInt8(ascii: "'") {
          end += 1
        } else if end + 1 < rest.endIndex, rest[end + 1] == UInt8(ascii: "'") {
          end += 2
        } else {
          return rest[...end]
        }
      }
      return rest
    }
    return rest.prefix { isPartOfNumber($0) }
  }

  private static func isPartOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "a")...UInt8(ascii: "z"): true
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }

  private static func text(of literal: ArraySlice<UInt8>) -> String {
    let text = String(decoding: literal, as: UTF8.self)
    if text.hasPrefix("x'") { return "<\((literal.count - 3) / 2) bytes>" }
    guard text.hasPrefix("'"), text.count >= 2 else { return text == "NULL" ? "nil" : text }
    return "\"\(text.dropFirst().dropLast().replacingOccurrences(of: "''", with: "'"))\""
  }
}
