#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Stores that take the place of other stores.
  extension ServerStore {
    /// Puts a copy of a store in the place of another one, or at a place without a store. Within a database the store is
    /// copied as it is, with its history; between databases its objects and metadata are copied.
    class func replace(
      at url: URL, options: [AnyHashable: Any]?, with source: URL, sourceOptions: [AnyHashable: Any]?
    ) throws {
      let place = MigrationPlace(url, PostgreSQLStore.typeName, options)
      let old = MigrationPlace(source, PostgreSQLStore.typeName, sourceOptions)
      if try serverPlace(place).identity == serverPlace(old).identity {
        if try isPresent(at: url, options: options) { return }
        throw OpenedServer.missing(try serverPlace(old))
      }
      guard try isPresent(at: url, options: options) else { return try copyStore(old, to: place) }
      let exchange = try exchange(place)
      let working = try makeWorkingURL(beside: place)
      do {
        try copyStore(old, to: MigrationPlace(working, place.type, options))
        try exchange.takeContents(of: working) {}
      } catch {
        // A failure of the removal is ignored: `error` says why the working schema has to be removed.
        try? removeStore(at: working, options: options)
        throw error
      }
    }

    private class func serverPlace(_ place: MigrationPlace) throws -> ServerPlace {
      try OpenedServer.place(place.url, ServerOptions(place.options, place.url))
    }

    /// Copies a store to a place without a store.
    class func copyStore(_ source: MigrationPlace, to destination: MigrationPlace) throws {
      let old = try serverPlace(source), new = try serverPlace(destination)
      guard old.databaseIdentity == new.databaseIdentity else { return try copyObjects(source, to: destination) }
      let options = try ServerOptions(destination.options, destination.url)
      do {
        try StoreLock.retrying(timeout: options.timeout) { timeout in
          // The copy belongs to the role with which the new place is opened.
          let connection = try OpenedServer.connect(new, options)
          defer { connection.close() }
          try SchemaCopy(of: old, to: new.schema, connection).run(timeout: timeout)
        }
      } catch let error as ServerError {
        throw error.cocoaError(place: new.display, isWriting: true)
      }
    }

    /// Copies the objects to another database, with the metadata and the UUID.
    private class func copyObjects(_ source: MigrationPlace, to destination: MigrationPlace) throws {
      let metadata = try metadata(at: source.url, options: source.options)
      guard let model = try keptModel(at: source) else { return }
      let isWhole = model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
      let configuration =
        isWhole
        ? nil
        : model.configurations.first {
          model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
        }
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let store = try coordinator.addPersistentStore(
        ofType: source.type, configurationName: configuration, at: source.url, options: source.options)
      defer { try? coordinator.remove(store) }
      let copy = try store.withoutWriters {
        try makeStore(
          at: destination.url, configuration: configuration, options: destination.options, for: coordinator
        ) { copy in
          // A caller that wants to show the progress has made a progress of its own the current one.
          _ = try copy.transfer(from: store, Progress.current().map { _ in Progress(totalUnitCount: 1) })
          return metadata
        }
      }
      copy.close()
    }

    /// Notes that a store was replaced. Coordinators that have it open have to add it again.
    func noteReplacement(of url: URL) {
      guard let options = try? ServerOptions(self.options, url), let place = try? OpenedServer.place(url, options),
        place.identity == serverPlace.identity
      else { return }
      _ = noteMigration()
    }
  }
#endif
