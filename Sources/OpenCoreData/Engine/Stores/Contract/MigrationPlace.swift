import Foundation

/// A store that a migration reads or makes.
@_spi(Store) public struct MigrationPlace {
  package let url: URL
  package let type: String
  package let options: [AnyHashable: Any]?

  package init(_ url: URL, _ type: String, _ options: [AnyHashable: Any]?) {
    (self.url, self.type, self.options) = (url, type, options)
  }

  /// The options that make opening a store migrate it; the last one is also the metadata key for unfinished work.
  package static let automaticOptions = [
    NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
    NSPersistentStoreStagedMigrationManagerOptionKey, NSPersistentStoreDeferredLightweightMigrationOptionKey,
  ]

  /// Reads the store's metadata.
  package func metadata() throws -> [String: Any] {
    try NSPersistentStoreCoordinator.storeClass(forType: type).metadata(at: url, options: options)
  }
}
