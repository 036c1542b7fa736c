import CoreData
import Foundation

/// Merges 10,000 and 100,000 photos that another context has changed and saved into a context that has them with their values.
///
/// Only the merge is measured. The save has put the rows into the row cache.
func runMerge(_ store: Store) throws {
  let sets = [
    ("merge-10k", PhotoSet(PhotoSet.small, .none), 10_000), ("merge-100k", PhotoSet(PhotoSet.medium, .none), 100_000),
  ]
  for (name, set, count) in sets {
    let stack = try store.openCopy(of: set)
    let request = NSFetchRequest<Photo>(entityName: "Photo")
    request.fetchLimit = count
    request.returnsObjectsAsFaults = false
    let photos = try stack.context.fetch(request)
    let writer = stack.container.newBackgroundContext()
    let changed = try writer.performAndWait { try writer.fetch(request) }
    var saved: Notification?
    try measure(
      name,
      prepare: {
        writer.performAndWait { for photo in changed { photo.likes += 1 } }
        saved = try writer.savedNotification()
      },
      answer: { Photo.likes(of: photos) },
      work: {
        if let saved { stack.context.mergeChanges(fromContextDidSave: saved) }
        return photos.count
      })
    let expected = writer.performAndWait { Photo.likes(of: changed) }
    guard Photo.likes(of: photos) == expected else {
      throw WorkloadError(description: "\(name): the photos have other likes than were saved")
    }
    saved = nil
    try stack.close()
  }
  try store.remove(store.scratch)
}

extension Photo {
  /// Returns a number that distinguishes the likes of photos and their order from others.
  static func likes(of photos: [Photo]) -> Int {
    var digest = Digest()
    for photo in photos { digest.add(Int(photo.likes)) }
    return digest.answer
  }
}
