import Foundation

/// A store that a migration reads or makes.
@_spi(Store) public struct MigrationPlace {
  let url: URL
  let type: String
  let options: [AnyHashable: Any]?

  init(_ url: URL, _ type: String, _ options: [AnyHashable: Any]?) {
    (self.url, self.type, self.options) = (url, type, options)
  }

  /// Options that make opening a store migrate it, and what a store notes of unfinished work.
  static let automaticOptions = [
    NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
    NSPersistentStoreStagedMigrationManagerOptionKey, NSPersistentStoreDeferredLightweightMigrationOptionKey,
  ]

  /// The store's metadata.
  func metadata() throws -> [String: Any] {
    try NSPersistentStoreCoordinator.storeClass(forType: type).metadata(at: url, options: options)
  }
}
