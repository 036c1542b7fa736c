import CoreData

/// Two coordinators on one file, as two programs have: the import waits for no lock of the list's, and shares nothing with it.
///
/// IDs belong to a coordinator and do not cross; their URIs do. The list's coordinator has a row cache of its own, so that what
/// is merged is read from the file.
@MainActor final class TwoCoordinators: ArrangedContexts {
  let view: NSManagedObjectContext
  nonisolated let importer: NSManagedObjectContext
  private var observer: SaveObserver?

  init(at url: URL) throws {
    view = try Stack.open(at: url).viewContext
    importer = try Stack.open(at: url).newBackgroundContext()
  }

  func follow(with list: SongList) {
    observer = SaveObserver(importer) { [weak view] saved in
      var changes: [String: [URL]] = [:]
      for (ids, key) in [
        (NSInsertedObjectIDsKey, NSInsertedObjectsKey), (NSUpdatedObjectIDsKey, NSUpdatedObjectsKey),
        (NSDeletedObjectIDsKey, NSDeletedObjectsKey),
      ] {
        let saved = saved.userInfo?[ids] as? Set<NSManagedObjectID> ?? []
        changes[key] = saved.map { $0.uriRepresentation() }
      }
      onMainQueue { [changes] in
        guard let view else { return }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [view])
      }
    }
  }
}
