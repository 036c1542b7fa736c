@testable import OpenCoreData

extension NSPersistentStoreCoordinator {
  /// The stores that are SQLite's.
  var sqlStores: [SQLStore] { persistentStores.compactMap { $0 as? SQLStore } }
}
