import CoreData

/// Fetches photos by likes and date in batches of 30, with nothing in the row cache: the first page; then all pages,
/// one after the other.
func runB4(_ store: Store, _ count: Int) throws {
  for set in Indexing.allCases.map({ PhotoSet(count, $0) }) {
    let stack = try store.open(set)
    let request = Photo.byLikes()
    request.fetchBatchSize = 30
    var photos: [Photo] = []
    func clear() {
      photos = []
      stack.context.reset()
    }
    try measure(
      set.work("B4-first"), prepare: { stack.coordinator.emptyRowCache() },
      answer: {
        var digest = Digest(photos.count)
        digest.add(photos.prefix(30))
        return digest.answer
      },
      work: {
        clear()
        photos = try stack.context.fetch(request)
        return photos.prefix(30).reduce(0) { $0 + Int($1.likes) }
      })
    // What index there is shows in the keys alone.
    if set.indexing == .compound {
      try measure(
        set.work("B4-scroll"),
        prepare: {
          clear()
          stack.coordinator.emptyRowCache()
          photos = try stack.context.fetch(request)
        },
        answer: {
          var digest = Digest(photos.count)
          digest.add(photos)
          return digest.answer
        },
        work: { photos.reduce(0) { $0 + Int($1.likes) } })
    }
    clear()
    try stack.close()
  }
}
