@_spi(Store) @testable import OpenCoreData

extension NSPersistentStoreCoordinator {
  /// The stores that are SQLite's.
  var sqlStores: [SQLiteStore] { persistentStores.compactMap { $0 as? SQLiteStore } }
}
