import CoreData

/// Inserts objects and saves after each of them, in a background context of its own.
struct Writer {
  let container: NSPersistentContainer

  /// What the writing took.
  struct Result {
    var elapsed: Duration
    /// How often an observer of the context's `hasChanges` was told: what a Save button goes by.
    var changesTold: Int
  }

  /// Inserts one object for each value.
  ///
  /// - Throws: The errors of `save()`.
  func write(_ values: Range<Int>) async throws -> Result {
    let context = container.newBackgroundContext()
    context.name = "writer"
    // All work with the context and its objects is done in this block, on the context's queue; so is what the observer does.
    return try await context.perform {
      var told = 0
      let observation = context.observe(\.hasChanges) { _, _ in told += 1 }
      defer { observation.invalidate() }
      let elapsed = try ContinuousClock().measure {
        for value in values {
          let data = MyData(context: context)
          data.myValue = Int64(value)
          try context.save()
        }
      }
      return Result(elapsed: elapsed, changesTold: told)
    }
  }
}
