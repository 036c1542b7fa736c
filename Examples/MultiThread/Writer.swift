import CoreData

/// Inserts objects and saves after each of them, in a background context of its own.
struct Writer {
  let container: NSPersistentContainer

  /// Inserts one object for each value; gives the time it took.
  ///
  /// - Throws: What `save()` throws.
  func write(_ values: Range<Int>) async throws -> Duration {
    let context = container.newBackgroundContext()
    context.name = "writer"
    // Everything that is done to the context and its objects is done in this block, on the context's queue.
    return try await context.perform {
      try ContinuousClock().measure {
        for value in values {
          let data = MyData(context: context)
          data.myValue = Int64(value)
          try context.save()
        }
      }
    }
  }
}
