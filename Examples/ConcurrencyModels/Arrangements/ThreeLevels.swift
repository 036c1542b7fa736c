import CoreData
import Synchronization

/// Three levels: a private context at the top that writes, the list's context below it, the import's below that.
///
/// The main queue still takes in what the child saves, and hands it on; it does not wait for the disk. Nothing is on disk when
/// `save()` of the lower levels returns: a program that ends must have waited for `finish()`.
@MainActor final class ThreeLevels: ArrangedContexts {
  private let writer: NSManagedObjectContext
  let view = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  nonisolated let importer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  private let failure = FirstFailure()

  init(at url: URL) throws {
    writer = try Stack.open(at: url).newBackgroundContext()
    view.parent = writer
    importer.parent = view
  }

  func follow(with list: SongList) {}

  func passOn() throws {
    try view.save()
    writeLater()
  }

  func saveEdit() throws {
    try view.save()
    writeLater()
  }

  /// Saves the writer on its own queue. `perform` without `await` only leaves the block there.
  private func writeLater() {
    writer.perform { [writer, failure] in
      guard writer.hasChanges else { return }
      do { try writer.save() } catch { failure.keep(error) }
    }
  }

  func finish() async throws {
    // Behind the blocks that are there already.
    await writer.perform(schedule: .enqueued) {}
    try failure.check()
  }
}

/// The first error of blocks whose end nobody waits for.
final class FirstFailure: Sendable {
  private let error = Mutex<(any Error)?>(nil)

  func keep(_ new: any Error) { error.withLock { $0 = $0 ?? new } }

  func check() throws { if let error = error.withLock({ $0 }) { throw error } }
}
