import CoreData
import Foundation

/// Tracks in a store of their own, a context that lists them, and another one that inserts some.
final class TrackList {
  /// The number of changes in a measurement, each an event of its own.
  static let changes = 10

  let stack: ModelStack
  private let store: Store
  private let writer: NSManagedObjectContext
  private let tracks: [NSManagedObject]
  private var inserts: [Notification] = []
  private var numbers = XorShift(seed: 481)
  private var names = 0

  /// Makes tracks with different names, in 1,000 albums of 10 decades.
  init(_ store: Store, _ count: Int) throws {
    self.store = store
    try store.remove(store.scratch)
    let track = NSEntityDescription.make(
      "Track",
      ["name": .stringAttributeType, "album": .integer64AttributeType, "decade": .integer64AttributeType])
    stack = try ModelStack(url: store.scratch, [track])
    writer = stack.container.newBackgroundContext()
    var left = XorShift.order(count, seed: 482)[...]
    let request = NSBatchInsertRequest(entityName: "Track") { (object: NSManagedObject) in
      guard let number = left.popFirst() else { return true }
      Self.fill(object, number)
      return false
    }
    try stack.context.execute(request)
    let all = NSFetchRequest<NSManagedObject>(entityName: "Track")
    all.returnsObjectsAsFaults = false
    tracks = try stack.context.fetch(all)
  }

  private static func fill(_ track: NSManagedObject, _ number: Int) {
    track.setValue("Track \(number)", forKey: "name")
    track.setValue(number % 1000, forKey: "album")
    track.setValue(number % 10, forKey: "decade")
  }

  /// Returns a list of all tracks by their names, or by a section and their names.
  func list(sections key: String?, readsAll: Bool, batchSize: Int = 0) throws -> ShownList {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Track")
    request.sortDescriptors = ([key].compactMap { $0 } + ["name"]).map { NSSortDescriptor(key: $0, ascending: true) }
    request.fetchBatchSize = batchSize
    return try ShownList(
      NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: key, cacheName: nil),
      readsAll: readsAll)
  }

  /// Saves earlier changes, so that no more than those of one measurement are pending.
  func save() throws { if stack.context.hasChanges { try stack.context.save() } }

  /// Inserts tracks in the other context, one in each save.
  func prepareInserts() throws {
    inserts = try (0..<Self.changes).map { _ in
      writer.performAndWait {
        let track = writer.insert("Track")
        Self.fill(track, names)
        track.setValue(newName(), forKey: "name")
      }
      return try writer.savedNotification()
    }
  }

  /// Merges the saves one by one.
  func mergeInserts() {
    for insert in inserts { stack.context.mergeChanges(fromContextDidSave: insert) }
  }

  /// Renames tracks one by one.
  func rename() {
    for _ in 0..<Self.changes {
      tracks[numbers.next(below: UInt32(tracks.count))].setValue(newName(), forKey: "name")
      stack.context.processPendingChanges()
    }
  }

  /// Returns a name that no track has, with a random place in the list.
  private func newName() -> String {
    names += 1
    return "Track \(numbers.next(below: UInt32(tracks.count))) again \(names)"
  }

  func close() throws {
    inserts = []
    try stack.close()
    try store.remove(store.scratch)
  }
}

/// A list on a screen, which follows a controller.
final class ShownList: NSFetchedResultsControllerDelegate {
  let controller: NSFetchedResultsController<NSManagedObject>
  /// The number of changes that the list was told about.
  private(set) var told = 0
  private(set) var counted = 0
  private let readsAll: Bool

  init(_ controller: NSFetchedResultsController<NSManagedObject>, readsAll: Bool) throws {
    self.controller = controller
    self.readsAll = readsAll
    controller.delegate = self
    try controller.performFetch()
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    guard let newIndexPath, readsAll || self.controller.object(at: newIndexPath) === anObject as? NSManagedObject else {
      return
    }
    told += 1
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    counted =
      readsAll
      ? self.controller.fetchedObjects?.count ?? 0
      : self.controller.sections?.reduce(0) { $0 + $1.numberOfObjects } ?? 0
  }

  /// Checks that the list has the contents that a fetch finds.
  func check() throws {
    let context = controller.managedObjectContext
    let request = NSFetchRequest<NSManagedObject>(entityName: "Track")
    request.sortDescriptors = controller.fetchRequest.sortDescriptors
    let found = try context.fetch(request), shown = controller.fetchedObjects ?? []
    guard counted == found.count, shown.count == found.count, zip(shown, found).allSatisfy(===) else {
      throw WorkloadError(description: "results: the list shows \(shown.count) and \(counted), not \(found.count)")
    }
  }
}
