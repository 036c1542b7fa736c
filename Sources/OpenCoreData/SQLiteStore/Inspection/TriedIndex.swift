import CSQLite
import Foundation

/// An index that is tried in a copy of a store.
package struct TriedIndex {
  /// The statement that makes it.
  package let sql: String
  /// The number of bytes by which the file has grown.
  package let size: Int

  /// Makes an index in a store, which has to be a copy that no other program uses.
  /// - Parameter properties: attributes and to-one relationships of the entity, most significant first. `descending` behind a
  ///   name, as in `IndexAdvice`, reverses its order.
  /// - Throws: 134060 for a property without a column; SQLite's errors.
  package init(
    on properties: [String], of entity: String, inCopyAt url: URL, like store: InspectedStore,
    onOpening stopping: (@escaping @Sendable () -> Void) -> Void
  ) throws {
    let entity = try store.entity(named: entity)
    let terms = try properties.map { property in
      let isDescending = property.hasSuffix(IndexAdvice.descending)
      let name = isDescending ? String(property.dropLast(IndexAdvice.descending.count)) : property
      // A relationship's key comes first among its columns.
      guard let place = entity.positions[name] else {
        let known = entity.positions.keys.sorted().joined(separator: ", ")
        throw NSError(
          coreData: NSCoreDataError,
          "There can be no index of \(entity.name) by “\(name)”: it has no column of that name. It has \(known).")
      }
      return SQLIndexTerm(expression: .name(entity.columns[place].names[0]), isDescending: isDescending)
    }
    var printer = SQLPrinter(dialect: SQLiteDialect())
    printer.print(SQLIndexDefinition(name: "Z_TRIED_INDEX", table: entity.tableName, terms: terms))
    sql = printer.text
    let connection = try SQLiteConnection(
      path: url.path, readOnly: false, create: false, timeout: 5,
      // The copy is thrown away, so it need not survive a loss of power.
      pragmas: [("synchronous", "OFF")])
    nonisolated(unsafe) let handle = connection.handle
    stopping { sqlite3_interrupt(handle) }
    defer {
      stopping {}
      withExtendedLifetime(connection) {}
    }
    let before = try Self.bytes(connection)
    try connection.execute(sql)
    size = try Self.bytes(connection) - before
  }

  private static func bytes(_ connection: SQLiteConnection) throws -> Int {
    Int(try (connection.integer("PRAGMA page_count") ?? 0) * (connection.integer("PRAGMA page_size") ?? 0))
  }
}
