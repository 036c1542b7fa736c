import CoreData

/// Inserts objects and saves after each of them, in a background context of its own.
struct Writer {
  let container: NSPersistentContainer

  /// Inserts one object for each value, and returns the time that the inserting took.
  ///
  /// - Throws: The errors of `save()`.
  func write(_ values: Range<Int>) async throws -> Duration {
    let context = container.newBackgroundContext()
    context.name = "writer"
    // All work with the context and its objects is done in this block, on the context's queue.
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
