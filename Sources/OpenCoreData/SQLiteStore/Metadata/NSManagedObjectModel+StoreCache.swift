import Foundation

extension NSManagedObjectModel {
  /// Reads the model with which a SQLite store was made from the store itself, without changing the file. Not in Apple's
  /// framework (D-EXT-14).
  ///
  /// A coordinator with this model opens the store. Classes of the model that the program does not have become
  /// `NSManagedObject`.
  ///
  /// ```swift
  /// let url = folder.appendingPathComponent("Diary.sqlite")
  /// let model = try NSManagedObjectModel(contentsOfStoreAt: url)
  /// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
  /// try coordinator.addPersistentStore(type: .sqlite, at: url)
  /// print(model.entities.compactMap(\.name))  // ["Entry", "Page", "Tag"]
  /// ```
  /// - Throws: 260 if there is no file, 259 if it is not a store or its model is damaged, 134130 for an old store that does
  ///   not keep its model, 256 if the file cannot be opened, 134090 if it stays locked.
  public convenience init(contentsOfStoreAt url: URL) throws {
    let (connection, _) = try StoreInspection.open(storeAt: url, timeout: StoreOptions.timeout(nil))
    guard let cache = try StoredModel.cache(connection) else {
      throw NSError(
        coreData: NSMigrationMissingSourceModelError, "The store at \(url.path) does not hold its model.",
        [NSFilePathErrorKey: url.path])
    }
    self.init()
    try ModelCache.decode(cache, into: self)
  }
}
