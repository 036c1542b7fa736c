import CoreData

/// Two contexts on one coordinator; the list's merges by itself.
///
/// One line in place of an observer. Saves that come faster than the main queue works are merged together.
@MainActor final class AutomaticMerging: ArrangedContexts {
  let view: NSManagedObjectContext
  nonisolated let importer: NSManagedObjectContext

  init(at url: URL) throws {
    let container = try Stack.open(at: url)
    view = container.viewContext
    importer = container.newBackgroundContext()
    view.automaticallyMergesChangesFromParent = true
  }

  func follow(with list: SongList) {}
}
