import CSQLite
import Foundation
import OpenCocoaFoundation

/// Reads one column of a fetch of dictionaries as the value that `value(forKey:)` would give; numbers as NSNumber.
struct ColumnDecoder {
  let name: String
  private let kind: SQLKind
  private let slot: PropertySlot?
  private let resultType: NSAttributeType
  private let index: Int32
  /// For a key column, the entity of the object, or an entity from which that one inherits.
  private let asked: EntityLayout
  private let store: SQLiteStore
  private let external: ExternalStorage

  init(
    _ column: DictionaryColumn, _ kind: SQLKind, at index: Int32, asked: EntityLayout, store: SQLiteStore,
    external: ExternalStorage
  ) {
    name = column.name
    slot = column.slot
    resultType = column.resultType
    self.kind = kind
    self.index = index
    self.asked = asked
    self.store = store
    self.external = external
  }

  /// Returns the value; nil for NULL.
  /// - Parameter missing: gets the name of a file that is missing.
  /// - Throws: 257 or 256 for a value whose file cannot be read.
  func value(_ row: SQLiteStatement, _ missing: inout [String]) throws -> Any? {
    if row.isNull(index) { return nil }
    let value = try plainValue(row, &missing)
    return resultType == .undefinedAttributeType ? value : ExpressionResult.coerced(value, to: resultType)
  }

  private func plainValue(_ row: SQLiteStatement, _ missing: inout [String]) throws -> Any? {
    switch kind {
    case .number:
      if let slot { return number(row, slot.kind) }
      return sqlite3_column_type(row.handle, index) == SQLITE_INTEGER
        ? SmallNumbers.number(row.int(index)) : NSNumber(value: sqlite3_column_double(row.handle, index))
    case .decimal:
      let type = sqlite3_column_type(row.handle, index)
      return NSDecimalNumber(decimal: RowCodec.decimal(type, index, row.handle))
    case .date: return Date(timeIntervalSinceReferenceDate: sqlite3_column_double(row.handle, index))
    case .string: return row.string(index)
    case .uri: return row.string(index).flatMap { URL(string: $0) }
    case .uuid:
      guard let data = row.data(index), data.count == 16 else { return nil }
      return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    case .binary(let isPrefixed): return try bytes(row, isPrefixed, &missing)
    case .transformable(let isPrefixed): return try bytes(row, isPrefixed, &missing).flatMap(decoded)
    case .key: return objectID(row)
    case .entity: return store.layout(number: Int(row.int(index)))?.entity
    case .composite: return nil
    }
  }

  private func number(_ row: SQLiteStatement, _ kind: ValueKind) -> NSNumber {
    switch kind {
    case .bool: NSNumber(value: row.int(index) != 0)
    case .double: NSNumber(value: sqlite3_column_double(row.handle, index))
    case .float: NSNumber(value: Float(sqlite3_column_double(row.handle, index)))
    default: SmallNumbers.number(row.int(index))
    }
  }

  private func bytes(_ row: SQLiteStatement, _ isPrefixed: Bool, _ missing: inout [String]) throws -> Data? {
    guard isPrefixed, let start = sqlite3_column_blob(row.handle, index) else { return row.data(index) }
    var gone: String?
    defer { if let gone { missing.append(gone) } }
    return try external.data(
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(row.handle, index)))
    ) { gone = $0 }
  }

  /// Returns the object of a transformable attribute. If the bytes cannot be decoded, writes a line to the log and returns
  /// nil.
  private func decoded(_ bytes: Data) -> Any? {
    guard let slot, slot.kind == .transformable else { return bytes }
    let value = TransformedValue(decoding: bytes, slot.attribute)
    if let problem = value.problem {
      let entity = slot.property.owner?.name ?? ""
      UndecodableAttributes.note("\(entity).\(slot.name)") {
        "A value of the transformable attribute \(slot.name) of \(entity) cannot be decoded: "
          + problem.localizedDescription
      }
    }
    return value.object
  }

  private func objectID(_ row: SQLiteStatement) -> Any? {
    let key = row.int(index)
    guard key > 0 else { return nil }
    let layout = store.layout(number: Int(row.int(index + 1)), asked: asked)
    return NSManagedObjectID(entity: layout.entity, store: store, key: key)
  }
}
