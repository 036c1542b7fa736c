import CoreData

/// Opens the store, and fills it with what is there before the import.
enum Stack {
  /// The number of songs that are in the store before the import: something must be in the list for the person to edit.
  static let songsBefore = 200

  /// Opens a store, and makes it if it does not exist. Each container has a coordinator of its own.
  ///
  /// - Parameters:
  ///   - url: The place of the SQLite file.
  ///   - history: Whether saves are kept in the persistent history, and announced.
  /// - Throws: The errors of opening the store.
  static func open(at url: URL, history: Bool = false) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "ConcurrencyModels")
    let description = NSPersistentStoreDescription(url: url)
    if history {
      description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
      description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    }
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
  }

  /// Makes a store with the songs that are there before the import.
  ///
  /// - Throws: The errors of opening and saving.
  static func fill(at url: URL, songs: Int = songsBefore) throws {
    let context = try open(at: url).newBackgroundContext()
    try context.performAndWait {
      for start in stride(from: 0, to: songs, by: 1000) {
        SongValues.insert(start..<min(start + 1000, songs), into: context)
        try context.save()
        context.reset()
      }
    }
  }
}
