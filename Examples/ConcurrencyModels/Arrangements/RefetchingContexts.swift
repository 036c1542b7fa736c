import CoreData

/// Two contexts on one coordinator: when the import has saved, the list fetches everything again.
///
/// The simplest way to be right, for whatever was saved, batch requests too. The list does not know what has changed, so that
/// nothing moves to its place: it is drawn anew. The cost grows with the length of the list, not with the number of changes.
@MainActor final class RefetchingContexts: ArrangedContexts {
  private let container: NSPersistentContainer
  let view: NSManagedObjectContext
  nonisolated let importer: NSManagedObjectContext
  private var observer: SaveObserver?
  private var list: SongList?
  private var failure: (any Error)?

  init(at url: URL) throws {
    container = try Stack.open(at: url)
    view = container.viewContext
    importer = container.newBackgroundContext()
  }

  func follow(with list: SongList) {
    self.list = list
    observer = SaveObserver(importer) { [weak self] _ in onMainQueue { self?.fetchAgain() } }
  }

  private func fetchAgain() {
    do { try list?.fetch() } catch { failure = error }
  }

  func finish() throws { if let failure { throw failure } }
}
