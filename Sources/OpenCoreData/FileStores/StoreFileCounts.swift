import Foundation

/// How many objects a store in one file holds.
package enum StoreFileCounts {
  /// Returns the number of objects of each entity itself; nil for a store of a type that is not one file.
  /// - Throws: 260 if there is no file, 259 if it is damaged, and the errors of reading it.
  package static func counts(at url: URL, ofType type: String) throws -> [String: Int]? {
    let storeClass = NSPersistentStoreCoordinator.registeredStoreTypes[type] as? AtomicFileStore.Type
    return try storeClass?.objectCounts(at: url)
  }
}
