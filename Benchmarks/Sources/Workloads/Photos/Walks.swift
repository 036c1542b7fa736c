import CoreData
import Foundation

/// Reads the likes of all photos with `fetchPages`, which keeps only a few pages in memory.
func runPageWalk(_ store: Store, _ count: Int) throws {
  let set = PhotoSet(count, .none)
  let stack = try store.open(set)
  let request = NSFetchRequest<Photo>(entityName: "Photo")
  request.fetchBatchSize = 1000
  try measure(set.work("walk-pages")) {
    try stack.context.fetchPages(request).reduce(0) { $0 + Int($1.likes) }
  }
  try stack.close()
}

/// Reads the likes of all photos by offsets, 10,000 photos at a time. The context is reset after each batch.
func runOffsetWalk(_ store: Store, _ count: Int) throws {
  let set = PhotoSet(count, .none)
  let stack = try store.open(set)
  let request = NSFetchRequest<Photo>(entityName: "Photo")
  request.returnsObjectsAsFaults = false
  request.fetchLimit = 10_000
  try measure(set.work("walk-offset")) {
    var likes = 0
    for offset in stride(from: 0, to: count, by: request.fetchLimit) {
      request.fetchOffset = offset
      likes += try stack.context.fetch(request).reduce(0) { $0 + Int($1.likes) }
      stack.context.reset()
    }
    return likes
  }
  try stack.close()
}

/// Reads the likes of all photos by date, 1,000 photos at a time. Each batch begins after the last date of the batch before.
///
/// If a batch ended between photos of the same date, some photos would be missed, and the walk would end with an error. No two
/// photos have the same date.
func runKeyedWalk(_ store: Store, _ count: Int) throws {
  let set = PhotoSet(count, .single)
  let stack = try store.open(set)
  let request = NSFetchRequest<Photo>(entityName: "Photo")
  request.returnsObjectsAsFaults = false
  request.fetchLimit = 1000
  request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
  try measure(set.work("walk-keyed")) {
    var likes = 0
    var read = 0
    var last = Date.distantPast
    while read < count {
      request.predicate = NSPredicate(format: "date > %@", last as NSDate)
      let photos = try stack.context.fetch(request)
      guard let date = photos.last?.date else {
        throw WorkloadError(description: "walk-keyed: only \(read) photos")
      }
      last = date
      read += photos.count
      likes += photos.reduce(0) { $0 + Int($1.likes) }
      stack.context.reset()
    }
    return likes
  }
  try stack.close()
}

/// Inserts photos, with 1,000 photos in each save. The context is reset after each save.
func runInsertWalk(_ store: Store, _ count: Int) throws {
  let records = PhotoRecord.make(count)
  try store.remove(store.scratch)
  let stack = try AlbumStack(url: store.scratch)
  try measure(PhotoSet(count, .none).work("walk-insert")) {
    try stack.context.insert(records, inBatchesOf: 1000)
  }
  guard try stack.context.count(for: NSFetchRequest<Photo>(entityName: "Photo")) == count else {
    throw WorkloadError(description: "walk-insert: not all photos were inserted")
  }
  try stack.close()
  try store.remove(store.scratch)
}
