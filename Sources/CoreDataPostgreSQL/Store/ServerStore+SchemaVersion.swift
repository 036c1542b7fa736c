#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Whether the store still has the schema with which it was opened. Another program may migrate or replace it.
  extension ServerStore {
    /// Notes the version of the schema that a transaction has seen.
    func note(schemaVersion: Int64) {
      if schemaVersion != openedSchemaVersion { isOutdated.store(true, ordering: .releasing) }
    }

    /// - Throws: 134100 if another program has migrated the store since it was opened.
    func checkSchema() throws {
      if isOutdated.load(ordering: .acquiring) { throw wasMigrated }
    }

    /// Notes that another program has migrated the store.
    /// - Returns: the error to throw.
    func noteMigration() -> NSError {
      isOutdated.store(true, ordering: .releasing)
      return wasMigrated
    }

    /// Whether the server has another version of the schema than the one that was opened; false if it does not answer.
    var isOfAnotherVersion: Bool {
      let version = try? withWriter { try StoreRow.read($0, place: place)?.version }
      return version.map { $0 != openedSchemaVersion } ?? false
    }

    private var wasMigrated: NSError {
      NSError(
        coreData: NSPersistentStoreIncompatibleVersionHashError,
        "The store at \(place) was migrated, or replaced, since it was opened. It must be added again.",
        [NSFilePathErrorKey: place])
    }
  }
#endif
