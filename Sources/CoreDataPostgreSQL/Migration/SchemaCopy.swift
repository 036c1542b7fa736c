#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Copies a store into another schema of the same database, in one transaction and without sending rows over the network.
  ///
  /// The copy shows the store at one moment, while other programs go on reading and writing; only a migration waits for it.
  /// History and UUID are copied, too, and the sequences of the copy continue at the same numbers.
  struct SchemaCopy {
    private let connection: ServerConnection
    private let source: ServerPlace
    private let schema: String

    /// - Parameters:
    ///   - source: the store's place, to which `connection` leads.
    ///   - schema: a schema without a store; it is made if it does not exist.
    init(of source: ServerPlace, to schema: String, _ connection: ServerConnection) {
      (self.source, self.schema, self.connection) = (source, schema, connection)
    }

    /// - Throws: 260 if there is no store, 516 if the other schema has an object with the name of one of the store's tables.
    func run(timeout: TimeInterval) throws {
      do {
        try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        try connection.execute([
          "SET LOCAL lock_timeout = \(Int(max(1, timeout * 1000)))", "SET LOCAL statement_timeout = 0",
          "SET LOCAL search_path = \(SchemaTables.quoted(source.schema))",
        ])
        guard try StoreRow.read(connection, place: source.display) != nil else { throw OpenedServer.missing(source) }
        // A migration changes this row, so it waits for this transaction.
        try connection.execute("SELECT 1 FROM \"_store\" FOR SHARE")
        guard let row = try StoreRow.read(connection, place: source.display) else { throw OpenedServer.missing(source) }
        try copy(row)
        try connection.execute("COMMIT")
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
      // `_reader` names programs that have caches of the store, and none of them has a cache of the copy.
      for name in SchemaTables(model).tables where name != "_reader" { try fill(name, from: own) }
      for name in SchemaTables(model).sequences {
        let literal = model.dialect.literal(.text(SchemaTables.quoted(name)))
        try connection.execute(
          "SELECT setval(\(literal), last_value, is_called) FROM \(own).\(SchemaTables.quoted(name))")
      }
    }

    /// The old table may have columns of other programs, which the new table does not have.
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
