import CoreData

/// Builds the stack.
enum Stack {
  /// Opens a store, and makes it if there is none.
  ///
  /// - Parameters:
  ///   - configuration: Whose entities the store has; nil for the whole model.
  ///   - isShipped: Whether the store is one file, without a log beside it, so that it can be copied with other files.
  /// - Throws: The errors of opening the store.
  static func open(
    _ url: URL, configuration: String? = nil, isShipped: Bool = false
  ) async throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "UFOSightings")
    let description = NSPersistentStoreDescription(url: url)
    description.configuration = configuration
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
