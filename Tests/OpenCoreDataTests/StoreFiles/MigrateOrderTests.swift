import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Ordered relationships of stores that go on as another type: their order is copied, whichever end is copied first.
@Suite struct MigrateOrderTests {
  /// Everything ordered, in an order that is not that of the keys.
  private func fill(_ coordinator: NSPersistentStoreCoordinator) throws {
    try coordinator.inContext { (context) throws in
      let tracks = Music.tracks(12, context, entity: "Song")
      let lists: [[NSManagedObject]] = [
        tracks.reversed(), tracks.indices.filter { $0 % 3 != 0 }.reversed().map { tracks[$0] },
      ]
      context.make("Album", ["name": "a"]).setValue(NSOrderedSet(array: lists[0]), forKey: "tracks")
      for (index, list) in lists.enumerated() {
        context.make("Playlist", ["name": "p\(index)"]).setValue(NSOrderedSet(array: list), forKey: "tracks")
        context.make("Bag", ["name": "b\(index)"]).setValue(NSOrderedSet(array: list), forKey: "things")
        tracks[index].setValue(NSOrderedSet(array: list), forKey: "followers")
      }
      // Not in the order in which the followers were set.
      tracks[5].setValue(NSOrderedSet(array: [tracks[1], tracks[0]]), forKey: "leaders")
      tracks[2].setValue(NSOrderedSet(array: [tracks[9], tracks[2], tracks[4]]), forKey: "similar")
      try context.save()
    }
  }

  private func orders(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    try coordinator.inContext { (context) throws in
      let owners = try ["Album", "Playlist", "Bag", "Track"].flatMap { try context.all($0, sortedBy: "name") }
      return owners.flatMap { owner in
        owner.entity.relationshipsByName.values.filter(\.isOrdered).map(\.name).sorted()
          .map { "\(owner.text("name") ?? "") \($0): \(owner.names($0))" }
      }
    }
  }

  @Test func ordersAreCopied() throws {
    let coordinator = try Music.coordinator()
    try fill(coordinator)
    let before = try orders(coordinator)
    let memory = try coordinator.migratePersistentStore(
      coordinator.persistentStores[0], to: URL(fileURLWithPath: "/dev/null"), withType: NSInMemoryStoreType)
    #expect(try orders(coordinator) == before)
    let file = try TestModel.temporaryFile()
    let store = try coordinator.migratePersistentStore(memory, to: file, withType: NSSQLiteStoreType)
    #expect(try orders(coordinator) == before)
    try coordinator.remove(store)
    #expect(try orders(Music.coordinator(url: file)) == before)
  }

  @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType]) func ordersAreCopiedInBatches(type: String) throws {
    let coordinator = try Music.coordinator()
    try fill(coordinator)
    let before = try orders(coordinator)
    let old = coordinator.persistentStores[0]
    let url = type == NSSQLiteStoreType ? try TestModel.temporaryFile() : nil
    let new = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
    let copy = StoreObjectCopy(from: old, to: new, coordinator)
    copy.batchSize = 5
    try copy.run()
    try coordinator.remove(old)
    #expect(try orders(coordinator) == before)
  }
}
