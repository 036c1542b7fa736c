import CoreData

/// Builds the stack.
enum Stack {
  /// Opens the store of a design, and makes it if it does not exist.
  ///
  /// - Throws: The errors of opening the store.
  @MainActor static func open(_ design: Design, at url: URL) async throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: design.entityName)
    let description = NSPersistentStoreDescription(url: url)
    description.shouldAddStoreAsynchronously = true
    container.persistentStoreDescriptions = [description]
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      container.loadPersistentStores { _, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
    return container
  }
}
