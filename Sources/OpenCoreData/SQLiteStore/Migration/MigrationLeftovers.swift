import Foundation

// The tables and columns that a migration has left for a later clean-up, as the store's metadata list them.
extension MigrationLeftovers {
  static let key = StoreMetadata.deferredMigrationKey

  /// Reads the clean-up that the metadata of a store list as still to be done.
  init(_ metadata: StoreMetadata) { self.init(metadata.properties) }

  init(_ properties: [String: Any]) {
    let noted = properties[Self.key] as? [String: Any] ?? [:]
    tables = (noted["tables"] as? [String] ?? []).filter { $0.hasPrefix("MIGRATED_") }
    columns = (noted["columns"] as? [[String]] ?? []).compactMap {
      $0.count == 2 ? Column(table: $0[0], name: $0[1]) : nil
    }
  }

  /// Writes the clean-up to the metadata of a store. A key of Apple's framework tells that there is something to clean up.
  func write(to metadata: inout StoreMetadata) {
    metadata.properties[Self.key] = isEmpty ? nil : ["tables": tables, "columns": columns.map { [$0.table, $0.name] }]
    metadata.properties[NSPersistentStoreDeferredLightweightMigrationOptionKey] = isEmpty ? nil : true
  }

  /// Removes all tables and columns, in the open transaction.
  /// - Parameter schema: the tables and columns of the store that are in use.
  /// - Returns: the files of values that no row names any more.
  func removeAll(_ connection: SQLiteConnection, fileSchema schema: SQLModel) throws -> [String] {
    var left = self
    var files: [String] = []
    while !left.isEmpty { files += try left.removeOne(connection, fileSchema: schema) }
    return files
  }

  /// Removes the next table or column.
  /// - Returns: the files of values that no row names any more.
  mutating func removeOne(_ connection: SQLiteConnection, fileSchema schema: SQLModel) throws -> [String] {
    if !tables.isEmpty {
      let table = tables.removeFirst()
      let columns = try connection.columns(of: table)
      if columns.isEmpty { return [] }
      let names = try columns.flatMap { try Self.references($0, in: table, connection) }
      try connection.execute("DROP TABLE \(table.quotedName)")
      return try Self.unnamed(names, schema, connection)
    }
    guard !columns.isEmpty else { return [] }
    let column = columns.removeFirst()
    guard try connection.columns(of: column.table).contains(column.name) else { return [] }
    let names = try Self.references(column.name, in: column.table, connection)
    try connection.execute("ALTER TABLE \(column.table.quotedName) DROP COLUMN \(column.name.quotedName)")
    return try Self.unnamed(names, schema, connection)
  }

  /// Returns the names of the files that the remaining tables and columns refer to.
  func files(_ connection: SQLiteConnection) throws -> Set<String> {
    var result: Set<String> = []
    for table in tables {
      for column in try connection.columns(of: table) {
        result.formUnion(try Self.references(column, in: table, connection))
      }
    }
    for column in columns { result.formUnion(try Self.references(column.name, in: column.table, connection)) }
    return result
  }

  /// Returns the names of the files to which a column refers.
  private static func references(
    _ column: String, in table: String, _ connection: SQLiteConnection
  ) throws -> [String] {
    let column = column.quotedName
    let statement = try SQLiteStatement(
      "SELECT \(column) FROM \(table.quotedName) WHERE typeof(\(column)) = 'blob' "
        + "AND length(\(column)) BETWEEN \(ExternalReference.length - 1) AND \(ExternalReference.length) "
        + "AND substr(\(column), 1, 1) = X'02'", on: connection)
    statement.begin()
    var result: [String] = []
    while try statement.step() {
      if let name = statement.data(0)?.withUnsafeBytes({ ExternalReference($0)?.name }) { result.append(name) }
    }
    return result
  }

  /// Returns those of `names` to which no row of the store refers.
  private static func unnamed(
    _ names: [String], _ schema: SQLModel, _ connection: SQLiteConnection
  ) throws -> [String] {
    if names.isEmpty { return [] }
    var left = Set(names)
    for column in ExternalColumn.all(in: schema) where try connection.columns(of: column.table).contains(column.name) {
      left.subtract(try references(column.name, in: column.table, connection))
    }
    return Array(left)
  }
}
