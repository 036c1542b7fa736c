import Foundation
import OpenCocoaFoundation

extension NSPersistentStoreCoordinator {
  /// Sends a request to the stores, on behalf of a context of this coordinator; call it on the context's queue.
  ///
  /// - Returns: for a fetch the array that its result type describes; for others the request's own result.
  /// - Throws: 134091 for a save, which only a context can do; else as the context's `fetch(_:)` and `execute(_:)`.
  public final func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext
  ) throws -> Any {
    if let fetch = request as? any RunnableFetch { return try fetch.result(in: context, countOnly: false) }
    return try context.execute(request)
  }
}
