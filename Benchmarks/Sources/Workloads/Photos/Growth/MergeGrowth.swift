import CoreData
import Foundation

/// Merges a tenth of all photos, which another context has changed and saved, into a context that has all photos with their
/// values.
func runMergeGrowth(_ store: Store) throws {
  try atBothSizes { set in
    let stack = try store.openCopy(of: set)
    let request = NSFetchRequest<Photo>(entityName: "Photo")
    request.returnsObjectsAsFaults = false
    let photos = try stack.context.fetch(request)
    let writer = stack.container.newBackgroundContext()
    let changed = try writer.performAndWait {
      let all = try writer.fetch(NSFetchRequest<Photo>(entityName: "Photo"))
      return stride(from: 0, to: all.count, by: 10).map { all[$0] }
    }
    var saved: Notification?
    try measure(
      set.work("growth-merge"),
      prepare: {
        writer.performAndWait { for photo in changed { photo.likes += 1 } }
        saved = try writer.savedNotification()
      },
      work: {
        if let saved { stack.context.mergeChanges(fromContextDidSave: saved) }
        return changed.count
      })
    let expected = writer.performAndWait { Photo.likes(of: changed) }
    guard Photo.likes(of: stride(from: 0, to: photos.count, by: 10).map { photos[$0] }) == expected else {
      throw WorkloadError(description: "growth-merge: the photos have other likes than were saved")
    }
    saved = nil
    try stack.close()
  }
  try store.remove(store.scratch)
}

/// Merges photos that another context has inserted in one save into an empty context whose notifications are observed.
func runMergeInsertsGrowth(_ store: Store) throws {
  let records = PhotoRecord.make(PhotoSet.large)
  try atBothSizes { set in
    var stack: AlbumStack?
    var inserting: (context: NSManagedObjectContext, saved: Notification)?
    func prepare() throws {
      inserting = nil
      try stack?.close()
      try store.remove(store.scratch)
      let opened = try AlbumStack(url: store.scratch)
      let writer = opened.container.newBackgroundContext()
      writer.performAndWait { for record in records.prefix(set.count) { record.fill(Photo(context: writer)) } }
      inserting = (writer, try writer.savedNotification())
      stack = opened
    }
    try measure(set.work("growth-merge-inserts"), prepare: prepare) {
      guard let context = stack?.context, let inserting else { return 0 }
      nonisolated(unsafe) var inserted = 0
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { inserted += ($0.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0 }
      defer { NotificationCenter.default.removeObserver(token) }
      context.mergeChanges(fromContextDidSave: inserting.saved)
      return inserted
    }
    inserting = nil
    try stack?.close()
  }
  try store.remove(store.scratch)
}
