#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Migrates and replaces stores that are not open.
  extension ServerStore {
    class func migrateInPlace(
      _ place: MigrationPlace, by migration: InferredMigration, configuration: String?
    ) throws {
      let (run, server) = try serverMigration(place, migration, configuration)
      do {
        try run.run()
      } catch let error as ServerError {
        throw migrationError(error, server)
      }
    }

    private class func serverMigration(
      _ place: MigrationPlace, _ migration: InferredMigration, _ configuration: String?
    ) throws -> (ServerMigration, ServerPlace) {
      let options = try ServerOptions(place.options, place.url)
      let server = try OpenedServer.place(place.url, options)
      return (
        ServerMigration(place: server, options: options, migration: migration, configuration: configuration), server
      )
    }

    /// Returns the error of a failed migration, except for errors that another attempt may avoid, which keep their
    /// codes.
    private class func migrationError(_ error: ServerError, _ place: ServerPlace) -> NSError {
      let told = error.cocoaError(place: place.display, isWriting: true)
      guard told.code == NSPersistentStoreSaveError || told.code == NSPersistentStoreIncompatibleSchemaError else {
        return told
      }
      var info = told.userInfo
      info["reason"] = error.message
      info["table"] = error.table
      return NSError(
        coreData: NSMigrationError,
        "An error occurred during persistent store migration. The store at \(place.display) is as it was: \(error.message).",
        info)
    }

    class func exchange(_ place: MigrationPlace) throws -> ServerExchange {
      let options = try ServerOptions(place.options, place.url)
      let server = try OpenedServer.place(place.url, options)
      do {
        return try ServerExchange(server, options)
      } catch let error as ServerError {
        throw error.cocoaError(place: server.display, isWriting: true)
      }
    }

    /// Returns the URL of a new schema in the same database for a migration. Schemas that earlier migrations have left
    /// are recognized by their names and removed: while the store is locked there is no other migration.
    class func makeWorkingURL(beside place: MigrationPlace) throws -> URL {
      try withConnection(place.url, place.options) { connection, server in
        let prefix = "\(server.schema.prefix(30))~migration-"
        let pattern = PostgreSQLDialect().literal(.text(prefix))
        for name in try connection.texts(
          "SELECT nspname::text FROM pg_namespace WHERE starts_with(nspname::text, \(pattern))")
        {
          try removeStore(at: url(place.url, workingSchema: name), options: place.options)
        }
        return url(place.url, workingSchema: prefix + String(UInt64.random(in: 0 ... .max), radix: 16))
      }
    }

    private class func url(_ url: URL, workingSchema schema: String) -> URL {
      url.appending(queryItems: [URLQueryItem(name: ServerPlace.workingSchema, value: schema)])
    }

    /// Drops the store's objects, and its schema if it is empty then. Objects of others in the schema are kept.
    class func drop(at url: URL, options given: [AnyHashable: Any]?, letGo: () throws -> Void) throws {
      let options = try ServerOptions(given, url)
      try withConnection(url, given) { _, _ in }
      try letGo()
      let place = try OpenedServer.place(url, options)
      do {
        try StoreLock.retrying(timeout: options.timeout) { timeout in
          let connection = try OpenedServer.connect(place, options)
          defer { connection.close() }
          do {
            let lock = StoreLock(connection, place)
            if try lock.takeIfPresent(timeout: timeout) {
              try connection.execute(try SchemaTables(of: lock.storeRow()).drops(in: place.schema))
            }
            try SchemaTables.dropIfEmpty(place.schema, connection)
            try connection.commit()
          } catch {
            if connection.isUsable { try? connection.execute("ROLLBACK") }
            throw error
          }
        }
      } catch let error as ServerError {
        throw error.cocoaError(place: place.display, isWriting: true)
      }
    }
  }

  extension ServerStore {
    class func migrationPlan(
      _ place: MigrationPlace, by migration: InferredMigration, configuration: String?
    ) throws -> MigrationPlan {
      let (run, server) = try serverMigration(place, migration, configuration)
      do {
        return try run.plan()
      } catch let error as ServerError {
        throw error.cocoaError(place: server.display, isWriting: false)
      }
    }
  }
#endif
