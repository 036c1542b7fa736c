import CoreData

/// Counts what is in the store in the view context, which is the main queue's, again and again until all is there.
struct Reader {
  let container: NSPersistentContainer
  /// How long to wait from one look to the next.
  var interval = Duration.milliseconds(40)

  /// What was seen.
  struct Result: Sendable {
    /// How often the reader looked.
    var reads = 0
    /// The longest time that one of the reads took.
    var longest = Duration.zero
    /// How many objects there were at the last look.
    var found = 0
  }

  /// How many objects are in the store.
  ///
  /// - Throws: What `count(for:)` throws.
  func count() async throws -> Int {
    let context = container.viewContext
    return try await context.perform { try context.count(for: MyData.fetchRequest()) }
  }

  /// Looks until `total` objects are there.
  ///
  /// - Parameter each: Called with what each look finds.
  /// - Throws: What `count(for:)` throws, and `CancellationError` when the writer has failed.
  @MainActor func watch(until total: Int, each: (Int) -> Void) async throws -> Result {
    var result = Result()
    let clock = ContinuousClock()
    while true {
      let begin = clock.now
      result.found = try await count()
      result.longest = max(result.longest, begin.duration(to: clock.now))
      result.reads += 1
      each(result.found)
      if result.found >= total { return result }
      try await clock.sleep(for: interval)
    }
  }
}
