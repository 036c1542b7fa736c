import CoreData
import Foundation

/// Lists photos by likes and date in a controller with batches of 30, with an empty row cache: first only the first page, then
/// all pages one after another.
func runB4(_ store: Store, _ count: Int) throws {
  for set in Indexing.allCases.map({ PhotoSet(count, $0) }) {
    let stack = try store.open(set)
    let request = Photo.byLikes()
    request.fetchBatchSize = 30
    var photos: NSFetchedResultsController<Photo>?
    func clear() {
      photos = nil
      stack.context.reset()
    }
    func list() throws {
      clear()
      photos = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil, cacheName: nil)
      try photos?.performFetch()
    }
    func walk(_ places: Range<Int>, _ body: (Photo) -> Void) {
      guard let photos else { return }
      for place in places { body(photos.object(at: IndexPath(item: place, section: 0))) }
    }
    func likes(_ places: Range<Int>) -> Int {
      var likes = 0
      walk(places) { likes += Int($0.likes) }
      return likes
    }
    func answer(_ places: Range<Int>) -> Int {
      var digest = Digest(photos?.sections?.first?.numberOfObjects ?? 0)
      walk(places) { digest.add(CollectionOfOne($0)) }
      return digest.answer
    }
    try measure(
      set.work("B4-first"), prepare: { stack.coordinator.emptyRowCache() }, answer: { answer(0..<30) },
      work: {
        try list()
        return likes(0..<30)
      })
    // The indexes affect only the reading of the keys, so the scrolling is measured only once.
    if set.indexing == .compound {
      try measure(
        set.work("B4-scroll"),
        prepare: {
          clear()
          stack.coordinator.emptyRowCache()
          try list()
        },
        answer: { answer(0..<set.count) }, work: { likes(0..<set.count) })
    }
    clear()
    try stack.close()
  }
}
