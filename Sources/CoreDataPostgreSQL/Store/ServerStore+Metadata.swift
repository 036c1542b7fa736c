#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Metadata that an application sets is kept until a save writes it.
  extension ServerStore {
    /// Takes over the metadata that the store has.
    func setStoredMetadata(_ dictionary: [String: Any]) {
      takeMetadata(dictionary)
      pendingMetadata.settle(dictionary)
    }

    /// Returns metadata that an application sets while the store is open, with the framework's own keys kept.
    func completed(_ metadata: [String: Any]) -> [String: Any] {
      let old = self.metadata ?? [:]
      return metadata.merging(old.filter { StoreMetadata.frameworkKeys.contains($0.key) }) { $1 }
    }

    /// Takes over the pending metadata after a save's commit.
    func publishMetadata() {
      if let dictionary = pendingMetadata.committed() { takeMetadata(dictionary) }
    }

    /// Writes pending metadata in a transaction of its own.
    /// - Throws: 513 for a store that is read-only; 3852 for a value that a property list cannot hold.
    func writeMetadata() throws {
      // A store that is being made gets them in the transaction that makes it.
      guard pendingMetadata.isPending, creation.withLock({ $0 == nil }) else { return }
      if isReadOnly { throw readOnlyError }
      var save = SaveFlight(self)
      save.add(Self.beginWriting)
      try save.writePendingMetadata()
      save.add(Self.commitWriting)
      do {
        try withWriter { try $0.run(save.flight) }
      } catch let error as ServerError {
        throw error.cocoaError(self, isWriting: true)
      }
      publishMetadata()
    }

    /// Replaces the metadata of a store; the store need not be open.
    class func replaceMetadata(
      at url: URL, _ options: [AnyHashable: Any]?, with metadata: [String: Any]?
    ) throws {
      try withConnection(url, options) { connection, place in
        guard var row = try StoreRow.read(connection, place: place.display) else { throw OpenedServer.missing(place) }
        try row.metadata.replace(with: metadata ?? [:])
        let (statement, values) = try StoreRow.replacing(row.metadata)
        var flight = Flight()
        flight.add(statement, values)
        try connection.run(flight)
      }
    }
  }

  extension SaveFlight {
    /// Adds the statement for metadata that was set and is not written yet. Each save calls this.
    mutating func writePendingMetadata() throws {
      guard store.pendingMetadata.isPending else { return }
      let store = store
      var replacing: (ServerStatement, ServerValues)?
      try store.pendingMetadata.write(store.metadata) {
        // The row is read in a flight of its own, before the save: metadata is set seldom.
        let row = try store.withWriter { try StoreRow.read($0, place: store.place) }
        guard let row else { throw OpenedServer.missing(store.serverPlace) }
        return row.metadata
      } writing: {
        replacing = try StoreRow.replacing($0)
      }
      if let (statement, values) = replacing { add(statement, values) }
    }
  }
#endif
