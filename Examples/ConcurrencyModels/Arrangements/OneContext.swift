import CoreData

/// One context for everything: the import inserts and saves on the main queue.
///
/// Nothing has to be merged, and nothing else can happen while a part of the import is made.
@MainActor final class OneContext: ArrangedContexts {
  let view: NSManagedObjectContext
  nonisolated let importer: NSManagedObjectContext

  init(at url: URL) throws {
    view = try Stack.open(at: url).viewContext
    importer = view
  }

  /// The list is that of the context which is saved: it hears of everything.
  func follow(with list: SongList) {}

  /// A reset would take the list's objects away.
  nonisolated func saveImported() throws { try importer.save() }
}
