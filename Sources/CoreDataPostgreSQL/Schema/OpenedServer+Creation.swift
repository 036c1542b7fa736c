#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  extension OpenedServer {
    /// Creates a new store in one transaction, unless another process has created it first; then that store's row is
    /// returned.
    /// - Parameter commits: false leaves the transaction open, so that the caller can fill the store in it.
    /// - Throws: 516 if another process has created the store first, and the transaction is to stay open.
    static func create(
      _ entities: [NSEntityDescription], _ model: NSManagedObjectModel, on connection: ServerConnection,
      _ place: ServerPlace, _ number: SystemNumber, commits: Bool
    ) throws -> StoreRow? {
      let schema = SQLModel(entities: entities, dialect: PostgreSQLDialect())
      try checkLimits(of: schema, place)
      var metadata = StoreMetadata(model: model, entities: entities)
      metadata.properties[NSStoreTypeKey] = PostgreSQLStore.typeName
      metadata.properties["_NSAutoVacuumLevel"] = nil
      let row = StoreRow(metadata: metadata, version: 1, model: try ModelCache.encode(model))
      var flight = Flight()
      func add(_ text: String) { flight.add(ServerStatement(text, isPrepared: false)) }
      try begin(on: connection, place)
      if let faster = try StoreRow.read(connection, place: place.display) {
        try end("ROLLBACK", on: connection)
        if !commits { throw isTaken(place) }
        return faster
      }
      for text in ServerSchema(model: schema).statements() { add(text) }
      for entity in schema.entities {
        add(
          "INSERT INTO \"_entity\" VALUES (\(entity.number), \(literal(entity.name)), \(entity.root.number))")
      }
      flight.add(insertion(number), try values(row))
      try run(flight, on: connection)
      try createCollations(on: connection)
      if commits { try end("COMMIT", on: connection) }
      return row
    }

    private static func literal(_ text: String) -> String { PostgreSQLDialect().literal(.text(text)) }

    /// Begins a transaction, and waits until no other one creates a store in the schema. On a server without advisory locks it
    /// does not wait: the slower program then finds that a table exists already, and throws.
    static func beginAlone(on connection: ServerConnection, _ place: ServerPlace) throws {
      // The hash identifies the database and the schema.
      let lock =
        "SELECT pg_advisory_xact_lock(hashtext(current_database() || '.' || \(literal(place.schema))), 1868785764)"
      do {
        try connection.execute(["BEGIN", lock])
      } catch let error as ServerError where connection.isUsable && error.isOfMissingFeature {
        try connection.execute(["ROLLBACK", "BEGIN"])
      }
    }

    /// Begins the transaction that creates a store, and creates the schema if there is none.
    private static func begin(on connection: ServerConnection, _ place: ServerPlace) throws {
      try beginAlone(on: connection, place)
      do {
        // CREATE SCHEMA IF NOT EXISTS would require the right to create schemas, which a tenant's role need not have.
        let found = try connection.integer(
          "SELECT count(*) FROM pg_namespace WHERE nspname = \(literal(place.schema))")
        if found == 0 { try connection.execute("CREATE SCHEMA \(PostgreSQLDialect().quoted(place.schema))") }
      } catch {
        try? end("ROLLBACK", on: connection)
        throw error
      }
    }

    private static func insertion(_ number: SystemNumber) -> ServerStatement {
      ServerStatement(
        "INSERT INTO \"_store\"(uuid, format, version, system, model, metadata) VALUES ($1, $2, $3, \(number.sql), $4, $5)",
        types: [ServerType.text, ServerType.int32, ServerType.int64, ServerType.bytes, ServerType.bytes],
        isPrepared: false)
    }

    private static func values(_ row: StoreRow) throws -> ServerValues {
      var values = ServerValues()
      values.append(row.metadata.identifier)
      values.append(ServerSchema.format)
      values.append(row.version)
      values.append(row.model)
      values.append(try StoreRow.encoded(row.metadata))
      return values
    }

    private static func run(_ flight: Flight, on connection: ServerConnection) throws {
      do {
        try connection.run(flight)
      } catch {
        try? end("ROLLBACK", on: connection)
        throw error
      }
    }

    private static func end(_ text: String, on connection: ServerConnection) throws {
      var flight = Flight()
      flight.add(ServerStatement(text, isPrepared: false))
      try connection.run(flight)
    }

    /// Creates the collations for the order of a language. A server without ICU has none, and fetches that sort by them
    /// are refused.
    static func createCollations(on connection: ServerConnection) throws {
      var flight = Flight()
      flight.add(ServerStatement("SAVEPOINT collations", isPrepared: false))
      for text in ServerSchema.collations { flight.add(ServerStatement(text, isPrepared: false)) }
      do {
        try connection.run(flight)
      } catch is ServerError where connection.isUsable {
        try end("ROLLBACK TO SAVEPOINT collations", on: connection)
      }
    }

    /// - Throws: 134020 if a table has more columns than a server allows.
    static func checkLimits(of schema: SQLModel, _ place: ServerPlace) throws {
      for table in schema.tables where table.columns.count + 3 > 1600 {
        let names = table.entityNumbers.compactMap { schema.entity(number: $0)?.name }
        throw NSError(
          coreData: NSPersistentStoreIncompatibleSchemaError,
          "The store at \(place.display) cannot have the table \(table.name) with \(table.columns.count + 3) columns: a "
            + "server has 1600 at most. Its entities are \(names.prefix(10).joined(separator: ", ")).",
          [NSFilePathErrorKey: place.display])
      }
    }
  }
#endif
