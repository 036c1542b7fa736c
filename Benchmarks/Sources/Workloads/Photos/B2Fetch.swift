import CoreData

/// Fetches all photos by date with their values, with an empty row cache; each fetch releases the objects of the one before.
func runB2(_ store: Store, _ count: Int) throws {
  for set in Indexing.allCases.map({ PhotoSet(count, $0) }) {
    let stack = try store.open(set)
    let request = NSFetchRequest<Photo>(entityName: "Photo")
    request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
    request.returnsObjectsAsFaults = false
    var photos: [Photo] = []
    try measure(
      set.work("B2"), prepare: { stack.coordinator.emptyRowCache() },
      answer: {
        var digest = Digest()
        digest.add(photos)
        return digest.answer
      },
      work: {
        photos = []
        stack.context.reset()
        photos = try stack.context.fetch(request)
        return photos.count
      })
    photos = []
    try stack.close()
  }
}
