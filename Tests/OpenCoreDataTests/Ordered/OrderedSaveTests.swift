import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What a save reads and writes of an order with many members.
@Suite struct OrderedSaveTests {
  private func saved(_ store: TestStore, _ entity: String, _ count: Int, _ url: URL? = nil) throws
    -> NSPersistentStoreCoordinator
  {
    let coordinator = try Music.coordinator(store, url: url)
    try coordinator.inContext { context in
      let owner = context.make(entity, ["name": "a"])
      owner.set(Music.tracks(count, context), forKey: "tracks")
      try context.save()
    }
    return coordinator
  }

  /// The statements of a save that read sort keys, and those that write them.
  private func orderStatements(_ context: NSManagedObjectContext) throws -> (read: [String], written: [String]) {
    let statements = try StatementLog.collect(thisThread: true) { try context.save() }.statements
    let orders = statements.filter { $0.contains("Z_FOK") }
    return (
      orders.filter { $0.hasPrefix("SELECT") }, orders.filter { $0.hasPrefix("UPDATE") && $0.contains("SET Z_FOK") }
    )
  }

  @Test(arguments: ["Album", "Playlist"]) func onlyNeighboursAreReadAndWritten(entity: String) throws {
    let url = try TestModel.temporaryFile()
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    let coordinator = try saved(.sqlite, entity, 1000, url)
    try coordinator.inContext { context in
      let owner = try context.all(entity)[0]
      let tracks = owner.mutableOrderedSetValue(forKey: "tracks")
      var wanted = Array(0..<1000)
      var written = 0
      for step in 0..<60 {
        let place = step % 3 == 0 ? 500 : 0
        tracks.insert(context.make("Track", ["number": 1000 + step]), at: place)
        wanted.insert(1000 + step, at: place)
        let statements = try orderStatements(context)
        #expect(statements.read.allSatisfy { $0.contains("= ? AND ") && !$0.contains("ORDER BY") })
        #expect(statements.read.count <= 2 + statements.written.count * 2)
        written += statements.written.count
      }
      #expect(written < 60 * 4)
      tracks.moveObjects(at: [900], to: 2)
      wanted.insert(wanted.remove(at: 900), at: 2)
      #expect(try orderStatements(context).written.count == 1)
      tracks.exchangeObject(at: 10, withObjectAt: 700)
      wanted.swapAt(10, 700)
      #expect(try orderStatements(context).written.count == 2)
      tracks.removeObject(at: 5)
      wanted.remove(at: 5)
      let statements = try orderStatements(context)
      #expect(statements.written.isEmpty && statements.read.isEmpty)
      #expect(owner.list("tracks").map { $0.number("number")! } == wanted)
      try coordinator.inContext { other in
        let found = try other.all(entity)[0].list("tracks").map { $0.number("number")! }
        #expect(found == wanted)
      }
    }
  }

  @Test(arguments: ["Album", "Playlist"]) func appendingLooksForTheLastKeyOnce(entity: String) throws {
    try saved(.sqlite, entity, 100).inContext { context in
      let owner = try context.all(entity)[0]
      var looks = 0
      for number in 100..<110 {
        owner.mutableOrderedSetValue(forKey: "tracks").add(context.make("Track", ["number": number]))
        let statements = try orderStatements(context)
        looks += statements.read.count
        #expect(statements.written.count == 1)
      }
      #expect(looks <= 1)
      #expect(owner.list("tracks").map { $0.number("number")! } == Array(0..<110))
    }
  }

  /// The last key is read anew after another connection has written, and after a save that failed.
  @Test func theLastKeyIsNotRememberedTooLong() throws {
    let url = try TestModel.temporaryFile()
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    let coordinator = try saved(.sqlite, "Album", 3, url)
    let raw = RawStore(url: url)
    try coordinator.inContext { context in
      let album = try context.all("Album")[0]
      func append(_ number: Int) throws {
        _ = context.make("Track", ["number": number, "album": album])
        try context.save()
      }
      try append(3)
      try raw.rows("UPDATE ZTRACK SET Z_FOK_ALBUM = Z_FOK_ALBUM + 1000000 WHERE ZNUMBER = 3")
      try append(4)
      #expect(
        try raw.rows("SELECT ZNUMBER FROM ZTRACK WHERE ZALBUM NOTNULL ORDER BY Z_FOK_ALBUM") == [
          "0", "1", "2", "3", "4",
        ])
    }
  }

  /// Another context has moved the neighbours, and its order counts where it does not contradict this one's.
  @Test(arguments: TestStore.all) func neighboursThatOthersHaveMoved(_ store: TestStore) throws {
    let coordinator = try saved(store, "Album", 6)
    try coordinator.inContext { context in
      let album = try context.all("Album")[0]
      #expect(album.list("tracks").count == 6)
      try coordinator.inContext { other in
        let tracks = try other.all("Album")[0].mutableOrderedSetValue(forKey: "tracks")
        tracks.moveObjects(at: [5], to: 0)
        try other.save()
      }
      context.mergePolicy = NSMergePolicy.overwrite
      album.mutableOrderedSetValue(forKey: "tracks").insert(context.make("Track", ["number": 6]), at: 5)
      try context.save()
      let here = album.list("tracks").map { $0.number("number")! }
      try coordinator.inContext { third in
        let found = try third.all("Album")[0].list("tracks").map { $0.number("number")! }
        #expect(found == here)
      }
      #expect(here.count == 7 && here.firstIndex(of: 6)! > here.firstIndex(of: 4)!)
    }
  }
}
