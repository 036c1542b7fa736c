import Foundation

// The clean-up that lightweight migrations have deferred.
extension NSPersistentStoreCoordinator {
  /// Removes all tables and columns that lightweight migrations of this coordinator's stores have left for later: see
  /// `NSPersistentStoreDeferredLightweightMigrationOptionKey`. Each table and each column is removed in a transaction of its
  /// own; other threads and processes can use the store in the meantime.
  /// - Throws: the errors of writing; the removals before the error stay done.
  public final func finishDeferredLightweightMigration() throws {
    for store in persistentStores {
      while try store.removeLeftover() {}
    }
  }

  /// Removes the next table or column that a lightweight migration has left for later. If there is none, it does nothing.
  ///
  /// The metadata of a store tell whether there is more to do.
  /// - Throws: the errors of writing.
  public final func finishDeferredLightweightMigrationTask() throws {
    for store in persistentStores {
      if try store.removeLeftover() { return }
    }
  }
}
