import CoreData

/// The requests of a program that lists photos. They are made on the main thread, with the view context.
@MainActor struct PhotoList {
  let context: NSManagedObjectContext
  let design: Design

  /// The number of lines on a screen.
  nonisolated static let screen = 30

  /// The result of a request.
  struct Result {
    var photos: Int
    /// The number of sections; nil if the request has none.
    var sections: Int?
    /// The sum of the likes of the photos on the first screen.
    var likesOnScreen: Int64
  }

  /// Fetches all photos, the oldest first.
  ///
  /// - Throws: The errors of `fetch(_:)`.
  func fetchByDate() throws -> Result {
    let request = byDate
    let photos = try context.fetch(request)
    return Result(photos: photos.count, likesOnScreen: likes(of: photos.prefix(Self.screen)))
  }

  /// Fetches all photos in sections by likes, the most liked first, in each section the newest first.
  ///
  /// - Parameters:
  ///   - batchSize: The number of photos that are read at a time; 0 for all at once.
  ///   - byArray: Whether the first screen is taken out of `fetchedObjects`, and not asked for by index paths.
  /// - Throws: The errors of `performFetch()`.
  func controller(batchSize: Int, byArray: Bool = false) throws -> Result {
    let controller = NSFetchedResultsController(
      fetchRequest: byLikes(batchSize: batchSize), managedObjectContext: context,
      sectionNameKeyPath: design.likesKeyPath, cacheName: nil)
    try controller.performFetch()
    let sections = controller.sections ?? []
    var visible: [NSManagedObject] = []
    if byArray {
      let photos = controller.fetchedObjects ?? []
      for place in 0..<min(photos.count, Self.screen) { visible.append(photos[place]) }
    } else {
      for (section, info) in sections.enumerated() where visible.count < Self.screen {
        for item in 0..<min(info.numberOfObjects, Self.screen - visible.count) {
          visible.append(controller.object(at: IndexPath(item: item, section: section)))
        }
      }
    }
    return Result(
      photos: sections.reduce(0) { $0 + $1.numberOfObjects }, sections: sections.count,
      likesOnScreen: likes(of: visible[...]))
  }

  var byDate: NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Photo")
    request.sortDescriptors = [NSSortDescriptor(key: design.dateKeyPath, ascending: true)]
    return request
  }

  func byLikes(batchSize: Int) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Photo")
    request.sortDescriptors = [
      NSSortDescriptor(key: design.likesKeyPath, ascending: false),
      NSSortDescriptor(key: design.dateKeyPath, ascending: false),
    ]
    request.fetchBatchSize = batchSize
    return request
  }

  /// Reads the values that a list shows, as a list does for drawing, and returns the sum of the likes.
  private func likes(of photos: ArraySlice<NSManagedObject>) -> Int64 {
    photos.reduce(0) { $0 + design.line(of: $1).likes }
  }
}
