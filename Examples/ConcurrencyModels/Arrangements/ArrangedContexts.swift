import CoreData

/// An arrangement of contexts: where the list reads, where the import writes, and how the one hears of the other.
@MainActor protocol ArrangedContexts: AnyObject, Sendable {
  /// The context of the list and of the person who edits, on the main queue.
  var view: NSManagedObjectContext { get }

  /// The context that the import inserts into.
  nonisolated var importer: NSManagedObjectContext { get }

  /// Has the list follow what the import saves.
  func follow(with list: SongList) throws

  /// Saves a part of the import, as the last thing in a block of the importer.
  nonisolated func saveImported() throws

  /// What is left to do on the main queue when a part of the import was saved.
  func passOn() throws

  /// Saves what the person has changed in `view`.
  func saveEdit() throws

  /// Returns when all that was saved is in the store, and all that is to be merged was merged.
  func finish() async throws
}

// What holds for an import with a context of its own on a coordinator.
extension ArrangedContexts {
  nonisolated func saveImported() throws {
    try importer.save()
    // What was saved need not stay in memory.
    importer.reset()
  }

  func passOn() throws {}

  func saveEdit() throws { try view.save() }

  func finish() async throws {}
}
