/// A request that `NSManagedObjectContext.execute(_:)` knows: the kinds of requests say how each is executed, and the
/// context does not name them.
protocol ExecutableRequest: NSPersistentStoreRequest {
  /// Called on the context's queue.
  func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}
