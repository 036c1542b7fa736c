#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Copies a store into another schema of the same database, in one transaction, without sending rows over the
  /// network.
  ///
  /// The copy shows one state, while other programs continue to read and write; only a migration waits for the copy.
  /// History and the UUID are copied, too, and the sequences continue from their present values.
  struct SchemaCopy {
    private let connection: ServerConnection
    private let source: ServerPlace
    private let schema: String

    /// - Parameters:
    ///   - source: the store's place, to which `connection` leads.
    ///   - schema: a schema without a store; it is created if it does not exist.
    init(of source: ServerPlace, to schema: String, _ connection: ServerConnection) {
      (self.source, self.schema, self.connection) = (source, schema, connection)
    }

    /// - Throws: 260 if there is no store, 516 if the other schema has objects with the names of the store's tables.
    func run(timeout: TimeInterval) throws {
      do {
        try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        try connection.execute([
          "SET LOCAL lock_timeout = \(Int(max(1, timeout * 1000)))", "SET LOCAL statement_timeout = 0",
          "SET LOCAL search_path = \(SchemaTables.quoted(source.schema))",
        ])
        guard try StoreRow.read(connection, place: source.display) != nil else { throw OpenedServer.missing(source) }
        // A migration updates this row, so it waits.
        try connection.execute("SELECT 1 FROM \"_store\" FOR SHARE")
        guard let row = try StoreRow.read(connection, place: source.display) else { throw OpenedServer.missing(source) }
        try copy(row)
        try connection.commit()
      } catch {
        if connection.isUsable { try? connection.execute("ROLLBACK") }
        throw error
      }
    }

    private func copy(_ row: StoreRow) throws {
      let model = try SchemaTables.model(of: row), target = SchemaTables.quoted(schema)
      try connection.execute("CREATE SCHEMA IF NOT EXISTS \(target)")
      try ServerExchange.checkRoom(for: SchemaTables(model), besides: nil, in: schema, of: source, connection)
      try connection.execute("SET LOCAL search_path = \(target)")
      try connection.execute(ServerSchema(model: model).statements())
      try OpenedServer.createCollations(on: connection)
      let own = SchemaTables.quoted(source.schema)
      // The readers of the store do not read its copy.
      for name in SchemaTables(model).tables where name != "_reader" { try fill(name, from: own) }
      for name in SchemaTables(model).sequences {
        let literal = model.dialect.literal(.text(SchemaTables.quoted(name)))
        try connection.execute(
          "SELECT setval(\(literal), last_value, is_called) FROM \(own).\(SchemaTables.quoted(name))")
      }
    }

    /// Copies the rows of a table. Only the new table's columns are copied: others may have added columns to the old
    /// one.
    private func fill(_ table: String, from own: String) throws {
      let table = SchemaTables.quoted(table)
      let columns = try connection.texts(
        "SELECT attname::text FROM pg_attribute WHERE attrelid = \(PostgreSQLDialect().literal(.text(table)))::regclass "
          + "AND attnum > 0 AND NOT attisdropped")
      let names = columns.map(SchemaTables.quoted).joined(separator: ", ")
      try connection.execute("INSERT INTO \(table)(\(names)) SELECT \(names) FROM \(own).\(table)")
    }
  }
#endif
