import CoreData

/// The list on the screen: all songs, in sections by genre. It is used on the main queue only.
final class SongList: NSFetchedResultsControllerDelegate {
  /// The number of rows on a screen.
  static let screen = 30

  private let controller: NSFetchedResultsController<Song>
  /// The time that the list takes for each change, as an animation or a layout of a row would.
  var timeForChange = Duration.zero
  /// Called with the number of songs whenever the list is drawn.
  var whenDrawn: (Int) -> Void = { _ in }

  /// How often the delegate was told of a changed object or section.
  private(set) var changes = 0
  /// How often the delegate was told that all changes of an event are there.
  private(set) var reports = 0
  /// How often everything was fetched.
  private(set) var fetches = 0

  init(_ context: NSManagedObjectContext) {
    let request = NSFetchRequest<Song>(entityName: "Song")
    request.sortDescriptors = [
      NSSortDescriptor(key: "genre", ascending: true), NSSortDescriptor(key: "title", ascending: true),
    ]
    request.fetchBatchSize = Self.screen
    controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "genre", cacheName: nil)
    controller.delegate = self
  }

  /// The number of songs in the list.
  var count: Int { controller.sections?.reduce(0) { $0 + $1.numberOfObjects } ?? 0 }

  /// The names of the sections.
  var sections: [String] { controller.sections?.map(\.name) ?? [] }

  /// Fetches all songs anew, and draws.
  ///
  /// - Throws: The errors of `performFetch()`.
  func fetch() throws {
    fetches += 1
    try controller.performFetch()
    draw()
  }

  /// The songs on the first screen.
  var onScreen: [Song] {
    var songs: [Song] = []
    for (section, info) in (controller.sections ?? []).enumerated() where songs.count < Self.screen {
      for item in 0..<min(info.numberOfObjects, Self.screen - songs.count) {
        songs.append(controller.object(at: IndexPath(item: item, section: section)))
      }
    }
    return songs
  }

  /// Reads what the screen shows, as a list does to draw its rows.
  private func draw() {
    for song in onScreen { _ = (song.title, song.stars, song.disc?.title) }
    whenDrawn(count)
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    changes += 1
    if timeForChange > .zero { Thread.sleep(forTimeInterval: timeForChange / .seconds(1)) }
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) { changes += 1 }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    reports += 1
    draw()
  }
}
