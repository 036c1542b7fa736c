import Foundation

// The clean-up that lightweight migrations have deferred.
extension NSPersistentStoreCoordinator {
  /// Removes all that lightweight migrations of this coordinator's stores have left for later: see
  /// `NSPersistentStoreDeferredLightweightMigrationOptionKey`. Each table and each column goes in a transaction of its
  /// own; other threads and processes can use the store meanwhile.
  /// - Throws: what writing throws; what is done then is done.
  public final func finishDeferredLightweightMigration() throws {
    for store in persistentStores {
      while try store.removeLeftover() {}
    }
  }

  /// Removes the next table or column that a lightweight migration has left for later; nothing if there is none.
  ///
  /// The metadata of a store tell whether there is more to do.
  /// - Throws: what writing throws.
  public final func finishDeferredLightweightMigrationTask() throws {
    for store in persistentStores {
      if try store.removeLeftover() { return }
    }
  }
}
