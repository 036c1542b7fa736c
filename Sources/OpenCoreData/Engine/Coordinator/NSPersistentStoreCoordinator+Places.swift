import Foundation
import OpenCocoaFoundation

extension NSPersistentStoreCoordinator {
  /// Changes the place of a store: an atomic store is written there with its next save; for a SQLite store, the store
  /// that is at that place is used from now on.
  ///
  /// Differs from Apple (D-STO-14): SQLite stores whose model lets values be kept in files of their own cannot be
  /// moved.
  /// - Returns: whether that was possible; for a SQLite store there has to be a store of the same model and layout.
  public final func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
    guard persistentStores.contains(where: { $0 === store }) else { return false }
    return store.move(to: url)
  }
}
