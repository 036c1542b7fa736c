#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Checks whether the store is still the one that was opened: another program may migrate or replace it.
  extension ServerStore {
    /// Notes the version of the schema that a transaction has seen.
    func note(schemaVersion: Int64) {
      if schemaVersion != openedSchemaVersion { isOutdated.store(true, ordering: .releasing) }
    }

    /// - Throws: 134100 if another program has migrated the store since it was opened.
    func checkSchema() throws {
      if isOutdated.load(ordering: .acquiring) { throw wasMigrated }
    }

    /// Notes that another program has migrated the store, and returns the error for the operation that has found this
    /// out.
    func noteMigration() -> NSError {
      isOutdated.store(true, ordering: .releasing)
      return wasMigrated
    }

    /// Whether the server has another version of the schema than the one that was opened; false if the version cannot
    /// be read.
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
