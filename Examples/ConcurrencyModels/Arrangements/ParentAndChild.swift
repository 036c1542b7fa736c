import CoreData

/// The import has a child of the list's context.
///
/// The child's save makes its objects the parent's: that is work on the main queue. The parent's save writes them to the store:
/// that is work on the main queue, too. A child is for a form that may be thrown away, not for an import.
@MainActor final class ParentAndChild: ArrangedContexts {
  let view: NSManagedObjectContext
  nonisolated let importer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)

  init(at url: URL) throws {
    view = try Stack.open(at: url).viewContext
    importer.parent = view
  }

  /// The list's context has the objects as soon as the child was saved.
  func follow(with list: SongList) {}

  func passOn() throws { try view.save() }
}
