import CoreData
import Foundation

/// Inserts photos by a batch request, from dictionaries and from a handler that fills in objects.
func runServerBatch(_ place: ServerPlace, _ name: String, _ count: Int) throws {
  let records = PhotoRecord.make(count)
  try measureInsert(place, name, count) { try $0.insertBatch(records) }
  try measureInsert(place, "\(name)-objects", count) { context in
    var next = records.makeIterator()
    let request = NSBatchInsertRequest(entityName: "Photo") { (object: NSManagedObject) in
      guard let record = next.next(), let photo = object as? Photo else { return true }
      record.fill(photo)
      return false
    }
    try context.execute(request)
  }
  try place.remove(ServerPlace.scratch)
}

/// Inserts photos through a context, with 10,000 photos in each save.
func runServerSave(_ place: ServerPlace, _ name: String, _ count: Int) throws {
  let records = PhotoRecord.make(count)
  try measureInsert(place, name, count) { _ = try $0.insert(records) }
  try place.remove(ServerPlace.scratch)
}

private func measureInsert(
  _ place: ServerPlace, _ name: String, _ count: Int, _ insert: (NSManagedObjectContext) throws -> Void
) throws {
  var stack: AlbumStack?
  func context() throws -> NSManagedObjectContext {
    guard let stack else { throw WorkloadError(description: "no stack") }
    return stack.context
  }
  try measure(
    name,
    prepare: {
      try stack?.close()
      try place.remove(ServerPlace.scratch)
      stack = try place.album(ServerPlace.scratch)
    },
    answer: { try context().answerOfPhotos() },
    work: {
      try insert(context())
      return count
    })
  try stack?.close()
}

extension NSManagedObjectContext {
  /// Inserts photos by a batch request.
  func insertBatch(_ records: [PhotoRecord]) throws {
    try execute(NSBatchInsertRequest(entityName: "Photo", sequence: records.lazy.map(\.dictionary)))
  }

  /// Returns a number that distinguishes the photos of a store from others, as in `Baseline/PostgreSQL/server_photos.c`.
  fileprivate func answerOfPhotos() throws -> Int {
    func count(_ format: String) throws -> Int {
      let request = NSFetchRequest<Photo>(entityName: "Photo")
      request.predicate = NSPredicate(format: format)
      return try self.count(for: request)
    }
    return try count("TRUEPREDICATE") * 1_000_003 + count("likes >= 500") * 1009 + count("country == 'Japan'")
  }
}
