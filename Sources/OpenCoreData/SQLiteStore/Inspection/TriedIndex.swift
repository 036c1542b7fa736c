import CSQLite
import Foundation

/// An index that is tried in a copy of a store.
package struct TriedIndex {
  /// The statement that creates the index.
  package let sql: String
  /// How much the file has grown, in bytes.
  package let size: Int

  /// Creates an index in a store, which must be a copy that nobody else uses.
  /// - Parameter properties: attributes and to-one relationships of the entity, most significant first. A name that ends with
  ///   `IndexAdvice.descending` sorts in descending order.
  /// - Throws: 134060 for a property that has no column; SQLite's errors.
  package init(
    on properties: [String], of entity: String, inCopyAt url: URL, like store: InspectedStore,
    onOpening stopping: (@escaping @Sendable () -> Void) -> Void
  ) throws {
    let entity = try store.entity(named: entity)
    let terms = try properties.map { property in
      let isDescending = property.hasSuffix(IndexAdvice.descending)
      let name = isDescending ? String(property.dropLast(IndexAdvice.descending.count)) : property
      // The first column of a to-one relationship is its key.
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
      // The copy is thrown away, so its data need not survive a loss of power.
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
