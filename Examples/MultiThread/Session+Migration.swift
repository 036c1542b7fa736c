import CommandSupport
import CoreData
import ExampleSupport
import Foundation
import Synchronization

extension Session {
  /// Fills a store, migrates it on another thread, and draws the progress meanwhile.
  ///
  /// - Throws: The errors of saving and migrating.
  func migrate(in duration: Duration) async throws -> MigrationReport {
    let objects = min(count, 500)
    _ = try await Writer(container: try await Stack.open(at: url)).write(0..<objects)
    let migration = SlowMigration(store: url, duration: duration, count: objects)
    // Written on the migration's thread, read on this one.
    let told = Told()
    let clock = ContinuousClock(), begin = clock.now
    var turns = 0, longest = Duration.zero
    let drawing = Task {
      var last = clock.now
      while !Task.isCancelled {
        bar.show(Int(told.last * 100), of: 100)
        turns += 1
        try await clock.sleep(for: .milliseconds(10))
        longest = max(longest, last.duration(to: clock.now))
        last = clock.now
      }
    }
    defer { drawing.cancel() }
    let container: NSPersistentContainer
    do {
      container = try await migration.run { told.note($0) }
    } catch {
      throw ToolError("Cannot migrate the store \(url.path)", error)
    }
    let elapsed = begin.duration(to: clock.now)
    bar.show(100, of: 100)
    bar.finish()
    let texts = try container.viewContext.fetch(NSFetchRequest<NSManagedObject>(entityName: "MyData"))
      .count { $0.value(forKey: "text") as? String == "number \($0.value(forKey: "myValue") ?? "")" }
    return MigrationReport(
      objects: objects, migrated: texts, elapsed: elapsed / .seconds(1), progressNotes: told.count,
      lastProgress: told.last,
      mainThreadTurns: turns, longestPause: longest / .seconds(1))
  }
}

/// The progress as the migration's thread has told it.
private final class Told: Sendable {
  private let notes = Mutex<(count: Int, last: Float)>((0, 0))

  var count: Int { notes.withLock(\.count) }
  var last: Float { notes.withLock(\.last) }

  func note(_ progress: Float) { notes.withLock { $0 = ($0.count + 1, progress) } }
}

/// The result of a migration, in the structure of its JSON. Times are in seconds.
struct MigrationReport: Codable, JSONReport {
  var objects: Int
  /// The objects that have the text which the migration has made.
  var migrated: Int
  var elapsed: Double
  /// How often observers heard of the progress, and its last value.
  var progressNotes: Int
  var lastProgress: Float
  /// The number of turns that the main thread had meanwhile, and the longest time between two, of which 10 ms are sleep.
  var mainThreadTurns: Int
  var longestPause: Double

  var text: String {
    String(
      format:
        "%ld objects migrated in %.1f s, %ld notes of the progress; the main thread had %ld turns, %.1f ms apart at most",
      migrated, elapsed, progressNotes, mainThreadTurns, longestPause * 1000)
  }
}
