import CoreData
import Foundation

/// Merges photos that another program has changed and saved, as recorded in the history, into a context that has them. Then
/// reads their likes, because the changed objects are faults.
func runServerMerge(_ place: ServerPlace, _ name: String, _ count: Int) throws {
  try place.remove(ServerPlace.scratch)
  // Each of the two stacks has its own coordinator, row cache and connections, like those of two programs.
  let other = try place.album(ServerPlace.scratch, tracksHistory: true)
  try other.context.insertBatch(PhotoRecord.make(count))
  let stack = try place.album(ServerPlace.scratch, tracksHistory: true)
  let request = NSFetchRequest<Photo>(entityName: "Photo")
  request.returnsObjectsAsFaults = false
  let changed = try other.context.fetch(request)
  let photos = try stack.context.fetch(request)
  var token: NSPersistentHistoryToken?
  var merged = 0
  func likes(_ photos: [Photo]) -> Int { photos.reduce(0) { $0 + Int($1.likes) } }
  try measure(
    name,
    prepare: {
      token = stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
      for photo in changed { photo.likes += 1 }
      try other.context.save()
    },
    answer: { merged },
    work: {
      let history = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      let result = try stack.context.execute(history) as? NSPersistentHistoryResult
      for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
        stack.context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
      }
      merged = likes(photos)
      return photos.count
    })
  // Behind a proxy, the last change is not merged, so the likes may differ.
  guard Handshake.isOn || likes(photos) == likes(changed) else {
    throw WorkloadError(description: "\(name): the photos have other likes than were saved")
  }
  try stack.close()
  try other.close()
  try place.remove(ServerPlace.scratch)
}
