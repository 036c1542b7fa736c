#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Stores that are made with their contents.
  extension ServerStore {
    /// Makes a store and fills it in one transaction: until it is committed others see no store, and where the process ends
    /// or the connection is lost, the server takes everything back. Others that open a store in the same schema wait.
    /// - Parameter fill: fills the store. It returns the metadata of the new store, with its UUID; nil lets the store keep
    ///   those that it has.
    /// - Throws: 516 if there is a store, and what `fill` throws.
    class func makeStore(
      at url: URL, configuration: String?, options: [AnyHashable: Any]?,
      for coordinator: NSPersistentStoreCoordinator, _ fill: (ServerStore) throws -> [String: Any]?
    ) throws -> ServerStore {
      let opened = try OpenedServer(
        url, model: coordinator.managedObjectModel, configuration: configuration, options: options, creates: true)
      let store = ServerStore(
        opened: opened, coordinator: coordinator, configurationName: configuration, options: options)
      do {
        try store.endCreation(with: try fill(store))
        return store
      } catch {
        store.creation.withLock { $0.take()?.close() }
        store.close()
        if let error = error as? ServerError { throw error.cocoaError(store, isWriting: true) }
        throw error
      }
    }

    /// Writes the metadata, and commits the transaction that has made the store.
    private func endCreation(with given: [String: Any]?) throws {
      guard let connection = creation.withLock({ $0 }), var row = try StoreRow.read(connection, place: place) else {
        throw OpenedServer.missing(serverPlace)
      }
      if let given {
        try row.metadata.replace(with: given)
      } else {
        try pendingMetadata.write(metadata) {
          row.metadata
        } writing: {
          row.metadata = $0
        }
      }
      let (statement, values) = try StoreRow.replacing(row.metadata)
      var flight = Flight()
      flight.add(statement, values)
      try connection.run(flight)
      do {
        try connection.commit()
      } catch let error as ServerError where error.isConnectionLost {
        // The answer is lost, but perhaps not the commit: the store is there or not.
        guard try isThere(row.metadata.identifier) else { throw error }
      }
      setStoredMetadata(row.metadata.dictionary)
      creation.withLock { $0.take()?.close() }
    }

    /// Whether others see this store, when its transaction has come to its end.
    private func isThere(_ identifier: String) throws -> Bool {
      let connection = try OpenedServer.connectAgain(serverPlace, serverOptions)
      defer { connection.close() }
      try OpenedServer.beginAlone(on: connection, serverPlace)
      return try StoreRow.read(connection, place: place)?.metadata.identifier == identifier
    }
  }
#endif
