import CoreData

/// Counts the objects in the view context, whose queue is the main queue, repeatedly until all of them are in the
/// store.
struct Reader {
  let container: NSPersistentContainer
  /// The pause between two counts.
  var interval = Duration.milliseconds(40)

  /// The result of the reading.
  struct Result: Sendable {
    /// The number of counts.
    var reads = 0
    /// The longest time that one of the reads took.
    var longest = Duration.zero
    /// The number of objects at the last count.
    var found = 0
  }

  /// Counts the objects in the store.
  ///
  /// - Throws: The errors of `count(for:)`.
  func count() async throws -> Int {
    let context = container.viewContext
    return try await context.perform { try context.count(for: MyData.fetchRequest()) }
  }

  /// Counts until `total` objects are in the store.
  ///
  /// - Parameter each: Called with the result of each count.
  /// - Throws: The errors of `count(for:)`, and `CancellationError` if the writer has failed.
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
