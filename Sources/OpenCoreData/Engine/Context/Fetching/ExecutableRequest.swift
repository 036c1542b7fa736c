import Foundation
import OpenCocoaFoundation

/// A request that `NSManagedObjectContext.execute(_:)` can execute: each kind of request implements how it is executed,
/// so the context does not have to know the kinds.
protocol ExecutableRequest: NSPersistentStoreRequest {
  /// Called on the context's queue.
  func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension NSPersistentStoreRequest {
  /// Executes the request, whatever kind it is.
  /// - Throws: 134091 for a kind that is not executed this way.
  final func executed(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    context.checkQueue("execute(_:)")
    if let request = self as? any ExecutableRequest { return try request.execute(in: context) }
    throw NSError(
      coreData: NSPersistentStoreUnsupportedRequestTypeError,
      "Requests of type \(type(of: self)) are not executed this way; use fetch(_:) for a fetch request.")
  }
}
