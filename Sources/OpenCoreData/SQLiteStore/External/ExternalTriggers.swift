import CSQLite
import Foundation

/// A reference to a file that a statement has removed from a row.
struct DroppedReference {
  let reference: ExternalReference
  let column: ExternalColumn
  let key: Int64

  /// Whether the row has the reference, for example because the statement was undone.
  func isThere(_ connection: SQLiteConnection) throws -> Bool {
    let statement = try connection.statement(
      "SELECT 1 FROM \(column.table.quotedName) WHERE Z_PK = ? AND \(column.name.quotedName) = ?")
    statement.bind(key, at: 1)
    statement.bind(reference.column, at: 2)
    statement.begin()
    defer { statement.reset() }
    return try statement.step()
  }
}

/// A column whose values may be in files.
struct ExternalColumn: Hashable {
  let table: String
  let name: String

  /// Returns all such columns of a store, each once.
  static func all(in schema: SQLModel) -> [ExternalColumn] {
    var seen: Set<ExternalColumn> = []
    return schema.entities.flatMap { entity in
      entity.columns.compactMap { column in
        guard case .attribute(let attribute) = column, attribute.attribute.isKeptWithMark else { return nil }
        let found = ExternalColumn(table: entity.tableName, name: attribute.columnName)
        return seen.insert(found).inserted ? found : nil
      }
    }
  }
}

/// Tells an `ExternalWriter` of every reference that a statement removes from the store: by the update or deletion of an
/// object, a batch request, or a row that replaces another.
///
/// The triggers are temporary and belong to the connection; the file has none of them.
enum ExternalTriggers {
  private static let function = "NSCoreDataExternalDrop"

  private final class Box: Sendable {
    let writer: ExternalWriter
    let columns: [ExternalColumn]

    init(_ writer: ExternalWriter, _ columns: [ExternalColumn]) {
      self.writer = writer
      self.columns = columns
    }
  }

  static func install(_ columns: [ExternalColumn], for writer: ExternalWriter, on connection: SQLiteConnection) throws {
    let code = sqlite3_create_function_v2(
      connection.handle, function, 3, SQLITE_UTF8, Unmanaged.passRetained(Box(writer, columns)).toOpaque(),
      { context, _, values in
        guard let values, let pointer = sqlite3_user_data(context) else { return }
        let box = Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue()
        let column = UnsafeRawBufferPointer(
          start: sqlite3_value_blob(values[2]), count: Int(sqlite3_value_bytes(values[2])))
        guard let reference = ExternalReference(column) else { return }
        let place = box.columns[Int(sqlite3_value_int64(values[0]))]
        box.writer.drop(
          DroppedReference(reference: reference, column: place, key: sqlite3_value_int64(values[1])))
      }, nil, nil, { pointer in pointer.map { Unmanaged<Box>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw connection.error(code, doing: "registering a function") }
    for (index, column) in columns.enumerated() {
      let (table, name) = (column.table.quotedName, column.name.quotedName)
      let isReference = "length(OLD.\(name)) BETWEEN \(ExternalReference.length - 1) AND \(ExternalReference.length)"
      let tell = "BEGIN SELECT \(function)(\(index), OLD.Z_PK, OLD.\(name)); END"
      try connection.execute(
        "CREATE TEMP TRIGGER \(function)Delete\(index) AFTER DELETE ON main.\(table) WHEN \(isReference) \(tell)")
      try connection.execute(
        "CREATE TEMP TRIGGER \(function)Update\(index) AFTER UPDATE OF \(name) ON main.\(table) "
          + "WHEN \(isReference) AND NEW.\(name) IS NOT OLD.\(name) \(tell)")
    }
  }
}
