#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  extension ServerStore {
    /// Returns the problems of the store.
    /// - Throws: 134090 if the server does not answer, 257 or 256 if it refuses.
    package func problems(progress: (String, Int, Int) -> Void) throws -> [StoreProblem] {
      try inOneState { connection in
        guard let row = try StoreRow.read(connection, place: place) else { throw OpenedServer.missing(serverPlace) }
        return try ServerVerification(connection, schema, row).problems(progress: progress)
      }
    }

    /// Returns the sizes of the store's tables.
    /// - Throws: 134090 if the server does not answer, 257 or 256 if it refuses.
    package func tableSizes() throws -> [StoredTableSize] {
      try inOneState { connection in
        try schema.tables.compactMap { table in
          guard let root = schema.entity(number: table.entityNumbers[0]) else { return nil }
          // A missing table has no size; the verification reports it.
          let name = "to_regclass(\(schema.dialect.literal(.text(schema.dialect.quoted(table.name)))))"
          guard let rows = try connection.integer("SELECT pg_table_size(\(name))"),
            let indexes = try connection.integer("SELECT pg_indexes_size(\(name))")
          else { return nil }
          return StoredTableSize(entity: root.name, table: Int(rows), indexes: Int(indexes))
        }
      }
    }

    /// Returns titles and texts that describe the store.
    /// - Throws: 134090 if the server does not answer, 257 or 256 if it refuses.
    package func description() throws -> [(title: String, text: String)] {
      try inOneState { connection in
        let tables = SchemaTables(schema).tables.map { schema.dialect.literal(.text($0)) }.joined(separator: ", ")
        let size = try connection.integer(
          """
          SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
          WHERE n.nspname = current_schema() AND c.relname IN (\(tables))
          """)
        let commits = try connection.integer("SELECT count(*) FROM \"_commit\"") ?? 0
        let changes = try connection.integer("SELECT count(*) FROM \"_change\" WHERE kind <> 't'") ?? 0
        let version = connection.serverVersion
        return [
          ("Server", "PostgreSQL \(version / 10_000).\(version % 10_000)"), ("Schema", serverPlace.schema),
          ("Schema version", String(openedSchemaVersion)), ("Size", "\(size ?? 0) bytes with indexes"),
          ("History", "\(commits) transactions, \(changes) changes"),
        ]
      }
    }

    /// Runs `body` in a transaction that sees one state of the store and changes nothing.
    private func inOneState<Result>(_ body: (ServerConnection) throws -> Result) throws -> Result {
      do {
        return try withWriter(retrying: false) { connection in
          try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", deadline: deadline)
          defer { if connection.isUsable { try? connection.execute("ROLLBACK") } }
          return try body(connection)
        }
      } catch let error as ServerError {
        throw error.cocoaError(self, isWriting: false)
      }
    }
  }
#endif
