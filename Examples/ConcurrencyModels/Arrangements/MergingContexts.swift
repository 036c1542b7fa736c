import CoreData

/// Two contexts on one coordinator: what the import has saved is merged into the list's context.
///
/// The two share the coordinator's row cache, so that merging reads hardly anything. Each save is one merge, and one turn of
/// the main queue.
@MainActor final class MergingContexts: ArrangedContexts {
  private let container: NSPersistentContainer
  let view: NSManagedObjectContext
  nonisolated let importer: NSManagedObjectContext
  private var observer: SaveObserver?

  init(at url: URL) throws {
    container = try Stack.open(at: url)
    view = container.viewContext
    importer = container.newBackgroundContext()
  }

  func follow(with list: SongList) {
    observer = SaveObserver(importer) { [weak view] saved in
      // Notifications are not Sendable, since they may have objects in them; this one has IDs.
      nonisolated(unsafe) let saved = saved
      onMainQueue { view?.mergeChanges(fromContextDidSave: saved) }
    }
  }
}
