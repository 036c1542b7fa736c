import CoreData

/// Fetches all photos as faults without their rows, so that only objects and their places in the map remain in memory.
func runFaults(_ store: Store, _ count: Int) throws {
  let set = PhotoSet(count, .none)
  let stack = try store.open(set)
  let request = NSFetchRequest<Photo>(entityName: "Photo")
  request.includesPropertyValues = false
  var photos: [Photo] = []
  try measure(set.work("faults"), prepare: { stack.coordinator.emptyRowCache() }) {
    photos = []
    stack.context.reset()
    photos = try stack.context.fetch(request)
    return photos.count
  }
  try stack.close()
}
