import CoreData

/// Fetches all photos by likes and date with their values through a controller with a section for each number of likes, with an
/// empty row cache. Each fetch releases the objects of the fetch before.
func runB3(_ store: Store, _ count: Int) throws {
  for set in Indexing.allCases.map({ PhotoSet(count, $0) }) {
    let stack = try store.open(set)
    let request = Photo.byLikes()
    request.returnsObjectsAsFaults = false
    var controller: NSFetchedResultsController<Photo>?
    try measure(
      set.work("B3"), prepare: { stack.coordinator.emptyRowCache() },
      answer: {
        var digest = Digest()
        digest.add(controller?.fetchedObjects ?? [])
        for section in controller?.sections ?? [] {
          digest.add(Int(section.name) ?? -1)
          digest.add(section.numberOfObjects)
        }
        return digest.answer
      },
      work: {
        controller = nil
        stack.context.reset()
        let results = NSFetchedResultsController(
          fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: "likes", cacheName: nil)
        try results.performFetch()
        controller = results
        return results.sections?.count ?? 0
      })
    controller = nil
    try stack.close()
  }
}
