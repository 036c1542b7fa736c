import CoreData
import Foundation

/// Inserts the same photos by a batch request: from a sequence of dictionaries, from a handler that fills in dictionaries one
/// by one, and from a handler that fills in objects. Then inserts them through a context.
///
/// The batch requests come first, because they should add nothing to the memory, and memory left by objects would hide an
/// addition.
func runInsert(_ store: Store, _ count: Int) throws {
  let set = PhotoSet(count, .none)
  let records = PhotoRecord.make(count)
  var stack: AlbumStack?
  func measureInsert(_ name: String, _ insert: (NSManagedObjectContext) throws -> Void) throws {
    func context() throws -> NSManagedObjectContext {
      guard let stack else { throw WorkloadError(description: "no stack") }
      return stack.context
    }
    try measure(
      set.work(name),
      prepare: {
        try stack?.close()
        try store.remove(store.scratch)
        stack = try AlbumStack(url: store.scratch)
      },
      answer: {
        var digest = Digest(try context().count(for: NSFetchRequest<Photo>(entityName: "Photo")))
        let first = Photo.byLikes()
        first.fetchLimit = 1000
        digest.add(try context().fetch(first))
        return digest.answer
      },
      work: {
        try insert(context())
        return count
      })
  }
  try measureInsert("insert-dictionaries") { context in
    try context.execute(NSBatchInsertRequest(entityName: "Photo", sequence: records.lazy.map(\.dictionary)))
  }
  try measureInsert("insert-handler") { context in
    var next = records.makeIterator()
    let request = NSBatchInsertRequest(entityName: "Photo") { (dictionary: NSMutableDictionary) in
      guard let record = next.next() else { return true }
      record.fill(dictionary)
      return false
    }
    try context.execute(request)
  }
  try measureInsert("insert-object-handler") { context in
    var next = records.makeIterator()
    let request = NSBatchInsertRequest(entityName: "Photo") { (object: NSManagedObject) in
      guard let record = next.next(), let photo = object as? Photo else { return true }
      record.fill(photo)
      return false
    }
    try context.execute(request)
  }
  try measureInsert("insert-objects") { context in _ = try context.insert(records) }
  try stack?.close()
  try store.remove(store.scratch)
}

extension PhotoRecord {
  /// The values in the form that a batch insert takes.
  var dictionary: [String: Any] {
    [
      "assetURL": assetURL, "country": country, "date": date, "height": height, "latitude": latitude, "likes": likes,
      "locationDesc": locationDesc, "longitude": longitude, "size": size, "width": width,
    ]
  }

  /// Sets the same values in the dictionary of a batch insert's handler.
  func fill(_ dictionary: NSMutableDictionary) {
    dictionary["assetURL"] = assetURL
    dictionary["country"] = country
    dictionary["date"] = date
    dictionary["height"] = height
    dictionary["latitude"] = latitude
    dictionary["likes"] = likes
    dictionary["locationDesc"] = locationDesc
    dictionary["longitude"] = longitude
    dictionary["size"] = size
    dictionary["width"] = width
  }
}
