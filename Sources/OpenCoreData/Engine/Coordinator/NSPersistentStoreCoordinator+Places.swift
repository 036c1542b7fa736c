import Foundation
import OpenCocoaFoundation

extension NSPersistentStoreCoordinator {
  /// Tells a store that it is somewhere else: an atomic store writes there with its next save; a SQLite store goes on
  /// with the store that is there.
  ///
  /// Differs from Apple (D-STO-14): SQLite stores whose model lets values be kept in files of their own cannot be
  /// moved.
  /// - Returns: whether that was possible; for a SQLite store there has to be a store of the same model and layout.
  public final func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
    guard persistentStores.contains(where: { $0 === store }) else { return false }
    return store.move(to: url)
  }
}
