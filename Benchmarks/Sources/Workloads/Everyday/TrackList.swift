import CoreData
import Foundation

/// Tracks in a copy of a store that `prepare` makes, a context that lists them, and another one that inserts some.
final class TrackList {
  static let small = 10_000, medium = 100_000, large = 1_000_000
  /// The number of changes in a measurement, each an event of its own.
  static let changes = 10

  let stack: ModelStack
  private let store: Store
  private let writer: NSManagedObjectContext
  private let tracks: [NSManagedObject]
  private var inserts: [Notification] = []
  private var numbers = XorShift(seed: 481)
  private var names = 0

  /// - Parameter readsAll: Whether all tracks are kept with their values, so that they can be renamed.
  init(_ store: Store, _ count: Int, readsAll: Bool = true) throws {
    self.store = store
    try store.copy(store.tracks(count), to: store.scratch)
    stack = try ModelStack(url: store.scratch, [Self.entity()])
    writer = stack.container.newBackgroundContext()
    let all = NSFetchRequest<NSManagedObject>(entityName: "Track")
    guard try stack.context.count(for: all) == count else {
      throw WorkloadError(description: "\(store.tracks(count).path) is not loaded; run 'prepare' or 'prepare-1M' first")
    }
    all.returnsObjectsAsFaults = false
    tracks = readsAll ? try stack.context.fetch(all) : []
  }

  fileprivate static func entity() -> NSEntityDescription {
    .make(
      "Track", ["name": .stringAttributeType, "album": .integer64AttributeType, "decade": .integer64AttributeType],
      indexed: ["name"])
  }

  fileprivate static func fill(_ track: NSManagedObject, _ number: Int, _ name: String) {
    track.setValue(name, forKey: "name")
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
      writer.performAndWait { Self.fill(writer.insert("Track"), names, newName()) }
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
    return "Track \(numbers.next(below: 1_000_000)) again \(names)"
  }

  func close() throws {
    inserts = []
    try stack.close()
    try store.remove(store.scratch)
  }
}

extension Store {
  /// The store of tracks, which is loaded once, and only read afterwards.
  fileprivate func tracks(_ count: Int) -> URL { folder.appending(path: "framework-tracks-\(count).sqlite") }

  /// Loads tracks with different names, in 1,000 albums of 10 decades; 1,000,000 only if they are not there yet.
  func prepareTracks(_ count: Int) throws {
    if count == TrackList.large, FileManager.default.fileExists(atPath: tracks(count).path) { return }
    // The store is made under another name, so that an interrupted run leaves no incomplete store.
    try remove(scratch)
    let stack = try ModelStack(url: scratch, [TrackList.entity()])
    var left = XorShift.order(count, seed: 482)[...]
    let request = NSBatchInsertRequest(entityName: "Track") { (object: NSManagedObject) in
      guard let number = left.popFirst() else { return true }
      TrackList.fill(object, number, "Track \(number)")
      return false
    }
    try stack.context.execute(request)
    try stack.close()
    try move(scratch, to: tracks(count))
  }
}
