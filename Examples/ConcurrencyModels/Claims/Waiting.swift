import CoreData
import Foundation

/// Work in a background context: with `performAndWait` the main queue waits for it, with `await perform` it does not.
///
/// A queue of its own does not help where one waits for it.
@MainActor struct Waiting {
  struct Measure: Codable {
    var title: String
    var elapsed: Double
    var songs: Int
    var stalls: Heartbeat.Stalls
  }

  /// The number of songs to insert.
  let count: Int

  /// - Throws: The errors of opening and saving.
  func run(in folder: URL) async throws -> [Measure] {
    [
      try await measure("performAndWait", folder) { try block(in: $0) },
      try await measure("await perform", folder) { try await suspend(in: $0) },
    ]
  }

  private func measure(
    _ title: String, _ folder: URL, _ work: @MainActor (NSManagedObjectContext) async throws -> Int
  ) async throws -> Measure {
    let context = try Stack.open(at: folder.appending(path: "waiting-\(UUID().uuidString).sqlite"))
      .newBackgroundContext()
    let heartbeat = Heartbeat()
    let begin = ContinuousClock.now
    let songs = try await work(context)
    let elapsed = begin.duration(to: .now) / .seconds(1)
    return Measure(title: title, elapsed: elapsed, songs: songs, stalls: await heartbeat.stop())
  }

  /// The wrong way: the main thread is blocked until the block has run on the context's queue.
  private func block(in context: NSManagedObjectContext) throws -> Int {
    try context.performAndWait { try Self.work(count, context) }
  }

  /// The right way: the main queue goes on, and comes back here when the block has run.
  private func suspend(in context: NSManagedObjectContext) async throws -> Int {
    let count = count
    return try await context.perform { try Self.work(count, context) }
  }

  private nonisolated static func work(_ count: Int, _ context: NSManagedObjectContext) throws -> Int {
    SongValues.insert(0..<count, into: context)
    try context.save()
    return try context.count(for: Song.fetchRequest())
  }
}
