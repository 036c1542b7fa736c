import CoreData
import Dispatch
import Foundation

/// Builds the stack on a background thread, because reading a model, opening a file and a later migration take time.
enum Stack {
  /// Opens a store on another thread than the main one, and makes it if it is not there.
  ///
  /// - Parameter url: Where the SQLite file is or shall be.
  /// - Throws: What opening the store throws.
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
