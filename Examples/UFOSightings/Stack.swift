import CoreData

/// Builds the stack.
enum Stack {
  /// Opens a store, and makes it if it is not there.
  ///
  /// - Parameter isShipped: Whether the store is to be one file, without a log beside it, to be copied with other files.
  /// - Throws: What opening the store throws.
  static func open(_ url: URL, isShipped: Bool = false) async throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "UFOSightings")
    let description = NSPersistentStoreDescription(url: url)
    description.shouldAddStoreAsynchronously = true
    if isShipped { description.setValue("DELETE" as NSString, forPragmaNamed: "journal_mode") }
    container.persistentStoreDescriptions = [description]
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      container.loadPersistentStores { _, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
    return container
  }
}
