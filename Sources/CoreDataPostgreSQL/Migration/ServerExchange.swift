#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// A store that no other program can write to while this object exists. Its contents can be replaced as a whole by
  /// those of another schema of the same database.
  final class ServerExchange: StoreExchanging {
    private let lock: StoreLock
    private let place: ServerPlace
    private let options: ServerOptions

    /// - Throws: 134090 if other programs keep the store locked, 260 if there is no store.
    init(_ place: ServerPlace, _ options: ServerOptions) throws {
      (self.place, self.options) = (place, options)
      lock = try StoreLock.retrying(timeout: options.timeout) { timeout in
        let connection = try OpenedServer.connect(place, options)
        do {
          let lock = StoreLock(connection, place)
          try lock.take(timeout: timeout)
          return lock
        } catch {
          connection.close()
          throw error
        }
      }
    }

    deinit { lock.connection.close() }

    func metadata() throws -> [String: Any] { try told { try lock.storeRow().metadata.dictionary } }

    private func told<Result>(_ body: () throws -> Result) throws -> Result {
      do {
        return try body()
      } catch let error as ServerError {
        throw error.cocoaError(place: place.display, isWriting: true)
      }
    }

    /// Drops the tables of the old store and moves the tables of the other store into its schema; other objects in the
    /// schema stay.
    func takeContents(of other: URL, willCommit: () -> Void) throws {
      let connection = lock.connection
      defer { connection.close() }
      try told {
        let old = try lock.storeRow()
        guard let from = ServerPlace.schema(of: other) else { throw OpenedServer.missing(place) }
        let new = try Self.row(in: from, of: place, options, connection)
        let tables = try SchemaTables(of: new)
        try Self.checkRoom(for: tables, besides: try SchemaTables(of: old), in: place.schema, of: place, connection)
        try connection.execute(try SchemaTables(of: old).drops(in: place.schema))
        try connection.execute(try tables.moves(from: from, to: place.schema, connection))
        try SchemaTables.dropIfEmpty(from, connection)
        var row = new
        // Programs that have the old store open notice the new version.
        row.version = max(old.version, new.version) + 1
        try row.replace(connection)
        try connection.commit()
      }
    }

    /// Returns the row of the store in another schema.
    static func row(
      in schema: String, of place: ServerPlace, _ options: ServerOptions, _ connection: ServerConnection
    ) throws -> StoreRow {
      try connection.execute("SET LOCAL search_path = \(SchemaTables.quoted(schema))")
      guard let row = try StoreRow.read(connection, place: place.display) else {
        throw NSError(
          coreData: CocoaError.Code.fileReadNoSuchFile.rawValue,
          "There is no store in the schema \(schema) at \(place.display).", [NSFilePathErrorKey: place.display])
      }
      try connection.execute("SET LOCAL search_path = \(SchemaTables.quoted(place.schema))")
      return row
    }

    /// - Throws: 516 if the schema has an object of others with a name that the new store needs.
    static func checkRoom(
      for new: SchemaTables, besides old: SchemaTables?, in schema: String, of place: ServerPlace,
      _ connection: ServerConnection
    ) throws {
      let others = try SchemaTables.objects(in: schema, connection)
        .subtracting((old?.tables ?? []) + (old?.sequences ?? []) + (old?.collations ?? []))
      let taken = others.intersection(new.tables + new.sequences + new.collations).sorted()
      if taken.isEmpty { return }
      throw NSError(
        coreData: CocoaError.Code.fileWriteFileExists.rawValue,
        "The schema \(schema) at \(place.display) has tables of others with the names that the store's would have: "
          + "\(taken.prefix(10).joined(separator: ", ")).", [NSFilePathErrorKey: place.display])
    }
  }
#endif
