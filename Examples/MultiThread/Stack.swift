import CoreData
import Dispatch
import Foundation

/// Builds the stack on a background thread, because reading a model, opening a file and a later migration take time.
enum Stack {
  /// Opens a store on a thread other than the main thread, and makes the store if it does not exist.
  ///
  /// - Parameter url: The place of the SQLite file.
  /// - Throws: The errors of opening the store.
  @concurrent static func open(at url: URL) async throws -> NSPersistentContainer {
    dispatchPrecondition(condition: .notOnQueue(.main))
    let container = NSPersistentContainer(name: "MultiThread")
    let description = NSPersistentStoreDescription(url: url)
    description.shouldAddStoreAsynchronously = true
    container.persistentStoreDescriptions = [description]
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      container.loadPersistentStores { _, error in
        dispatchPrecondition(condition: .notOnQueue(.main))
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
    return container
  }
}
