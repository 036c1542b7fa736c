import CSQLite
import Foundation
import OpenCocoaFoundation

/// A value of a store's row, interpreted by the type of its property.
package enum InspectedValue {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case float(Float)
  case decimal(Decimal)
  case text(String)
  /// A date, in seconds since 2001.
  case date(Double)
  case uuid(UUID)
  case data(Data)
  case object(InspectedReference)
}

/// An object that a row names.
package struct InspectedReference: Hashable {
  package let entity: String
  package let key: Int64

  package init(entity: String, key: Int64) {
    self.entity = entity
    self.key = key
  }

  /// The text that stands for the object in the path of its URI: `Entity/p1`.
  package var text: String { "\(entity)/p\(key)" }

  /// Reads a text of that form; returns nil for other texts.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[1].first == "p", let key = Int64(parts[1].dropFirst()) else {
      return nil
    }
    self.init(entity: String(parts[0]), key: key)
  }
}

extension InspectedStore {
  /// Returns the value of an attribute in a column. A value that is not of the attribute's type is returned as it is stored.
  /// - Throws: 257 or 256 if the file of a value exists and cannot be read.
  func value(
    of attribute: NSAttributeDescription, _ statement: SQLiteStatement, _ column: Int32
  ) throws -> InspectedValue {
    let raw = statement.rawValue(column)
    switch (attribute.attributeType, raw) {
    case (.booleanAttributeType, .integer(let value)) where value == 0 || value == 1: return .bool(value == 1)
    case (.floatAttributeType, .real(let value)) where Double(Float(value)) == value: return .float(Float(value))
    case (.dateAttributeType, .real(let seconds)): return .date(seconds)
    case (.dateAttributeType, .integer(let seconds)): return .date(Double(seconds))
    case (.decimalAttributeType, .integer(let value)): return .decimal(Decimal(value))
    // The shortest text that gives the same double: 0.1 stays 0.1.
    case (.decimalAttributeType, .real(let value)): return Decimal(string: "\(value)").map { .decimal($0) } ?? raw
    case (.decimalAttributeType, .text("NaN")): return .decimal(.nan)
    case (.decimalAttributeType, .text(let text)): return Decimal(string: text).map { .decimal($0) } ?? raw
    case (.UUIDAttributeType, .data(let bytes)) where bytes.count == 16:
      return .uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    case (_, .data(let bytes)) where attribute.isKeptWithMark: return try storedData(bytes)
    default: return raw
    }
  }

  /// Returns a value that may be in a file of its own; the first byte tells whether it is.
  private func storedData(_ bytes: Data) throws -> InspectedValue {
    switch bytes.first {
    case 1: return .data(Data(bytes.dropFirst()))
    case 2:
      guard let name = bytes.withUnsafeBytes({ ExternalReference($0)?.name }) else { return .data(bytes) }
      do {
        if let found = try external.find(name) { return .data(found.data) }
      } catch {
        throw external.error(error, reading: name)
      }
      missingFiles.append(name)
      return .null
    default: return .data(bytes)
    }
  }

  /// Returns the object that a key and an entity number name. Its entity is `fallback` if the number is unknown.
  func reference(_ statement: SQLiteStatement, key: Int32, entity: Int32?, fallback: SQLEntity) -> InspectedValue {
    guard sqlite3_column_type(statement.handle, key) != SQLITE_NULL else { return .null }
    let number = entity.map { Int(statement.int($0)) }
    let name = number.flatMap { schema?.entity(number: $0)?.name } ?? fallback.name
    return .object(InspectedReference(entity: name, key: statement.int(key)))
  }
}

extension SQLiteStatement {
  /// Returns the value of a column as SQLite has it.
  func rawValue(_ column: Int32) -> InspectedValue {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(int(column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT:
      // A text may contain NUL characters.
      let bytes = sqlite3_column_text(handle, column)
      let count = Int(sqlite3_column_bytes(handle, column))
      return .text(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
    case SQLITE_BLOB: return .data(data(column) ?? Data())
    default: return .null
    }
  }
}
