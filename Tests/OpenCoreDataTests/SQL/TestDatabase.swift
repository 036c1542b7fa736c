import CSQLite
import Foundation

@_spi(Store) @testable import OpenCoreData

/// A database in memory with the tables of a model, for statements to run on.
final class TestDatabase {
  let model: NSManagedObjectModel
  let schema: SQLModel
  private var connection: OpaquePointer?

  struct Failure: Error {
    let message: String
  }

  init(_ model: NSManagedObjectModel) throws {
    self.model = model
    schema = SQLModel(model: model)
    guard sqlite3_open(":memory:", &connection) == SQLITE_OK, let connection else { throw Failure(message: "open") }
    guard SQLFunction.register(on: connection) == SQLITE_OK else { throw Failure(message: "functions") }
    for statement in DDL.statements(for: schema) { try run(SQLStatement(text: statement, bindings: [])) }
  }

  deinit { sqlite3_close(connection) }

  func entity(_ name: String) throws -> SQLEntity {
    guard let entity = schema.entity(named: name) else { throw Failure(message: "no entity \(name)") }
    return entity
  }

  /// Inserts a row with the given attributes and keys of to-one relationships.
  func insert(_ name: String, key: Int64, _ values: [String: Any?] = [:]) throws {
    let entity = try entity(name)
    var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
    var bindings: [SQLValue] = [.integer(key), .integer(Int64(entity.number)), .integer(1)]
    for (property, value) in values {
      switch entity.property(named: property) {
      case .attribute(let attribute):
        columns.append(attribute.columnName)
        guard let stored = SQLValue(value, for: attribute.attribute) else { throw Failure(message: property) }
        bindings.append(stored)
      case .toOne(let toOne):
        columns.append(toOne.keyColumn)
        bindings.append((value as? Int64).map(SQLValue.integer) ?? .null)
      default: throw Failure(message: property)
      }
    }
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let text = "INSERT INTO \(entity.tableName) (\(columns.joined(separator: ", "))) VALUES (\(marks))"
    try run(SQLStatement(text: text, bindings: bindings))
  }

  /// Connects two objects by a many-to-many relationship.
  func connect(_ name: String, _ relationship: String, _ source: Int64, _ destination: Int64) throws {
    guard case .join(let table, let from, let to, _, _)? = try entity(name).toManys[relationship]?.storage else {
      throw Failure(message: relationship)
    }
    try run(
      SQLStatement(
        text: "INSERT INTO \(table) (\(from), \(to)) VALUES (?, ?)",
        bindings: [.integer(source), .integer(destination)]))
  }

  /// The rows that a statement gives.
  @discardableResult
  func run(_ statement: SQLStatement) throws -> [[SQLValue]] {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(connection, statement.text, -1, &prepared, nil) == SQLITE_OK else {
      throw Failure(message: String(cString: sqlite3_errmsg(connection)) + ": " + statement.text.prefix(2000))
    }
    defer { sqlite3_finalize(prepared) }
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (index, value) in zip(Int32(1)..., statement.bindings) {
      switch value {
      case .null: sqlite3_bind_null(prepared, index)
      case .integer(let integer): sqlite3_bind_int64(prepared, index, integer)
      case .real(let real): sqlite3_bind_double(prepared, index, real)
      case .text(let text): sqlite3_bind_text(prepared, index, text, Int32(text.utf8.count), transient)
      case .blob(let data):
        data.withUnsafeBytes {
          _ = sqlite3_bind_blob(
            prepared, index, $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1), Int32($0.count), transient)
        }
      }
    }
    var rows: [[SQLValue]] = []
    while true {
      switch sqlite3_step(prepared) {
      case SQLITE_ROW: rows.append((0..<sqlite3_column_count(prepared)).map { column(prepared, $0) })
      case SQLITE_DONE: return rows
      default: throw Failure(message: String(cString: sqlite3_errmsg(connection)) + ": " + statement.text.prefix(2000))
      }
    }
  }

  private func column(_ statement: OpaquePointer?, _ index: Int32) -> SQLValue {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: .real(sqlite3_column_double(statement, index))
    case SQLITE_TEXT:
      .text(
        String(
          decoding: UnsafeBufferPointer(
            start: sqlite3_column_text(statement, index), count: Int(sqlite3_column_bytes(statement, index))),
          as: UTF8.self))
    case SQLITE_BLOB:
      .blob(
        sqlite3_column_blob(statement, index).map {
          Data(bytes: $0, count: Int(sqlite3_column_bytes(statement, index)))
        }
          ?? Data())
    default: .null
    }
  }

  /// The keys of the objects that satisfy a predicate.
  func keys(_ name: String, _ predicate: NSPredicate?) throws -> Set<Int64> {
    var fetch = SQLFetch(model: schema, entity: try entity(name))
    fetch.predicate = predicate
    fetch.result = .keys
    return Set(
      try run(try fetch.statement().statement).compactMap { row in
        if case .integer(let key) = row[0] { key } else { nil }
      })
  }
}
