import CoreData
import Foundation

/// One letter after another of a search: each starts a fetch beside the main thread, and gives up the one before.
@MainActor struct Typing {
  /// What became of the fetch of the letters so far.
  struct Step: Codable {
    var typed: String
    /// The number of sightings, or nil if the next letter came first.
    var found: Int?
    /// How many of them had been read when the fetch ended, as its progress told.
    var read: Int64
  }

  let context: NSManagedObjectContext

  /// Types a text. The letters come as fast as the program can take them, so that most fetches are given up.
  ///
  /// - Throws: The errors of fetching.
  func type(_ text: String) async throws -> [Step] {
    var steps: [Step] = []
    var last: NSPersistentStoreAsynchronousResult?
    let fetches = AsyncStream<Step>.makeStream()
    for end in text.indices {
      last?.cancel()
      last = try start(String(text[...end])) { fetches.continuation.yield($0) }
    }
    // A fetch that was given up is told, too.
    for await step in fetches.stream {
      steps.append(step)
      if steps.count == text.count { break }
    }
    return steps.sorted { $0.typed.count < $1.typed.count }
  }

  private func start(
    _ typed: String, _ done: @escaping @Sendable (Step) -> Void
  ) throws -> NSPersistentStoreAsynchronousResult? {
    let request = Sighting.fetchRequest()
    request.predicate = NSPredicate(format: "place CONTAINS[cd] %@", typed)
    let search = NSAsynchronousFetchRequest(fetchRequest: request) { result in
      done(Step(typed: typed, found: result.finalResult?.count, read: result.progress?.completedUnitCount ?? 0))
    }
    return try context.execute(search) as? NSPersistentStoreAsynchronousResult
  }
}
