import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What else is to be expected of ordered relationships: when they are read, written, observed, merged.
@Suite struct OrderedChangeTests {
  private func saved(_ store: TestStore, _ url: URL? = nil, _ count: Int = 4) throws -> NSPersistentStoreCoordinator {
    let coordinator = try Music.coordinator(store, url: url)
    try coordinator.inContext { context in
      let album = context.make("Album", ["name": "a"])
      album.set(Music.tracks(count, context), forKey: "tracks")
      album.mutableOrderedSetValue(forKey: "tracks").moveObjects(at: [count - 1], to: 0)
      try context.save()
    }
    return coordinator
  }

  @Test func insertingInTheMiddleWritesLittle() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try saved(.sqlite, url, 10_000)
    let raw = RawStore(url: url)
    let keys = "SELECT Z_PK || ':' || Z_FOK_ALBUM FROM ZTRACK WHERE ZNUMBER < 10000"
    try coordinator.inContext { context in
      let album = try context.all("Album")[0]
      let tracks = album.mutableOrderedSetValue(forKey: "tracks")
      for number in 10_000..<10_003 {
        let before = Set(try raw.rows(keys))
        tracks.insert(context.make("Track", ["number": number]), at: 5000)
        let updates = try StatementLog.collect(thisThread: true) { try context.save() }.statements
        // The owner's version, the last primary key, and one sort key.
        #expect(updates.count { $0.hasPrefix("UPDATE") } == 3, "\(updates)")
        #expect(Set(try raw.rows(keys)) == before)
      }
      tracks.moveObjects(at: [9000], to: 10)
      let before = Set(try raw.rows(keys))
      try context.save()
      #expect(Set(try raw.rows(keys)).subtracting(before).count == 1)
      let numbers = album.list("tracks").map { $0.number("number")! }
      #expect(numbers[5001..<5004] == [10_002, 10_001, 10_000])
    }
  }

  @Test func appendingDoesNotRead() throws {
    let coordinator = try saved(.sqlite, nil, 300)
    try coordinator.inContext { context in
      let album = try context.all("Album")[0]
      var new: [NSManagedObject] = []
      let statements = try StatementLog.collect(thisThread: true) {
        new = (0..<3).map { context.make("Track", ["name": "new\($0)", "number": 300 + $0, "album": album]) }
        new[1].setValue(nil, forKey: "album")
        try context.save()
      }.statements
      #expect(!statements.contains { $0.contains("ORDER BY") }, "\(statements)")
      #expect(album.list("tracks").suffix(2) == [new[0], new[2]])
      #expect(album.list("tracks").first?.number("number") == 299)
    }
  }

  @Test(arguments: TestStore.all) func aMemberThatLeavesAndReturnsComesLast(_ store: TestStore) throws {
    let coordinator = try saved(store)
    for isRead in [true, false] {
      try coordinator.inContext { context in
        let album = try context.all("Album")[0]
        if isRead { #expect(album.list("tracks").count == 4) }
        let first = try context.named(isRead ? "t3" : "t0", "Track")
        first.setValue(nil, forKey: "album")
        first.setValue(album, forKey: "album")
        let wanted = isRead ? "t0 t1 t2 t3" : "t1 t2 t3 t0"
        if isRead { #expect(album.names("tracks") == wanted) }
        try context.save()
        #expect(album.names("tracks") == wanted)
      }
      try coordinator.inContext { context throws in
        #expect(try context.all("Album")[0].names("tracks") == (isRead ? "t0 t1 t2 t3" : "t1 t2 t3 t0"))
      }
    }
  }

  @Test(arguments: TestStore.all) func changedAndCommittedValuesHaveTheOrder(_ store: TestStore) throws {
    try saved(store).inContext { context in
      let album = try context.all("Album")[0]
      #expect(album.changedValues().isEmpty)
      let tracks = album.mutableOrderedSetValue(forKey: "tracks")
      tracks.exchangeObject(at: 0, withObjectAt: 1)
      let changed = (album.changedValues()["tracks"] as? NSOrderedSet)?.array as? [NSManagedObject]
      #expect(changed?.map { $0.text("name")! } == ["t0", "t3", "t1", "t2"])
      let stored = (album.committedValues(forKeys: ["tracks"])["tracks"] as? NSOrderedSet)?.array as? [NSManagedObject]
      #expect(stored?.map { $0.text("name")! } == ["t3", "t0", "t1", "t2"])
      tracks.exchangeObject(at: 0, withObjectAt: 1)
      #expect(album.changedValues().isEmpty && album.isUpdated)
      context.refresh(album, mergeChanges: false)
      #expect(album.names("tracks") == "t3 t0 t1 t2")
    }
  }

  @Test(arguments: TestStore.all) func anArrangementIsKeptWhenOthersChangesAreMerged(_ store: TestStore) throws {
    let coordinator = try saved(store)
    try coordinator.inContext { context in
      let album = try context.all("Album")[0]
      let tracks = album.mutableOrderedSetValue(forKey: "tracks")
      tracks.moveObjects(at: [3], to: 0)
      tracks.add(context.make("Track", ["name": "mine"]))
      try coordinator.inContext { other in
        let tracks = try other.all("Album")[0].mutableOrderedSetValue(forKey: "tracks")
        tracks.insert(other.make("Track", ["name": "theirs"]), at: 0)
        tracks.remove(try other.named("t0", "Track"))
        try other.save()
      }
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError)
      #expect(album.names("tracks") == "t2 t3 t0 t1 mine")
      context.refresh(album, mergeChanges: true)
      #expect(album.names("tracks") == "t2 t3 t1 mine theirs")
      try context.save()
    }
    try coordinator.inContext { context throws in
      #expect(try context.all("Album")[0].names("tracks") == "t2 t3 t1 mine theirs")
    }
  }

  @Test(arguments: TestStore.all) func aDeletedMemberLeaves(_ store: TestStore) throws {
    let coordinator = try saved(store)
    try coordinator.inContext { context throws in
      let album = try context.all("Album")[0]
      context.delete(album.list("tracks")[1])
      try context.save()
      #expect(album.names("tracks") == "t3 t1 t2")
      context.delete(album)
      try context.save()
      #expect(try context.all("Track").allSatisfy { $0.one("album") == nil })
    }
  }

  /// The owner has not been told: the order is the file's when the relationship is read.
  @Test func primitiveValues() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try saved(.sqlite, url)
    try coordinator.inContext { context in
      let album = try context.all("Album")[0], track = context.make("Track", ["name": "new"])
      track.setPrimitiveValue(album, forKey: "album")
      try context.save()
      #expect(album.names("tracks") == "t3 t0 t1 t2 new")
      #expect(try RawStore(url: url).rows("SELECT Z_FOK_ALBUM FROM ZTRACK WHERE ZNAME = 'new'") != [""])
      album.willChange(.setting, valuesAt: [], forKey: "tracks")
      album.setPrimitiveValue(NSOrderedSet(array: album.list("tracks").reversed()), forKey: "tracks")
      album.didChange(.setting, valuesAt: [], forKey: "tracks")
      #expect(album.isUpdated)
      try context.save()
      context.refreshAllObjects()
      #expect(album.names("tracks") == "new t2 t1 t0 t3")
    }
  }

  @Test func rowsWithoutASortKeyComeFirst() throws {
    let url = try TestModel.temporaryFile()
    _ = try saved(.sqlite, url)
    let raw = RawStore(url: url)
    try raw.rows("UPDATE ZTRACK SET Z_FOK_ALBUM = NULL WHERE ZNAME IN ('t1', 't2')")
    try raw.rows("UPDATE ZTRACK SET Z_FOK_ALBUM = 9223372036854775807 WHERE ZNAME = 't0'")
    let coordinator = try Music.coordinator(url: url)
    try coordinator.inContext { context in
      let album = try context.all("Album")[0]
      #expect(album.names("tracks") == "t1 t2 t3 t0")
      _ = context.make("Track", ["name": "new", "album": album])
      try context.save()
      context.refreshAllObjects()
      #expect(album.names("tracks") == "t1 t2 t3 t0 new")
    }
    #expect(try raw.rows("SELECT COUNT(*), MAX(Z_FOK_ALBUM) FROM ZTRACK WHERE Z_FOK_ALBUM NOTNULL") == ["5|4096"])
  }

  @Test(arguments: TestStore.ofTables) func predicatesTakeMembersByTheirPlace(_ store: TestStore) throws {
    try saved(store).inContext { context throws in
      let album = try context.all("Album")[0]
      for format in [
        "tracks[FIRST].name == 't3'", "tracks[LAST].name == 't2'", "tracks[1].name == 't0'", "tracks[SIZE] == 4",
        "tracks.@count == 4", "ANY tracks.name == 't1'",
      ] {
        #expect(NSPredicate(format: format).evaluate(with: album), "\(format)")
      }
      #expect(
        (album.value(forKeyPath: "tracks.name") as? NSOrderedSet)?.array as? [String] == ["t3", "t0", "t1", "t2"])
      let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
      request.predicate = NSPredicate(format: "tracks[0].name == 't3'")
      let error = #expect(throws: NSError.self) { try context.fetch(request) }
      #expect(error?.code == NSCoreDataError)
      request.predicate = NSPredicate(format: "ANY tracks.name == 't3' AND tracks.@count == 4")
      request.relationshipKeyPathsForPrefetching = ["tracks"]
      #expect(try context.fetch(request).first?.names("tracks") == "t3 t0 t1 t2")
    }
  }

  @Test(arguments: TestStore.all) func prefetchingKeepsTheOrder(_ store: TestStore) throws {
    let coordinator = try Music.coordinator(store)
    try coordinator.inContext { context in
      let t = Music.tracks(6, context, entity: "Song")
      for index in 0..<3 {
        let list = context.make("Playlist", ["name": "p\(index)"])
        list.setValue(NSOrderedSet(array: [t[index], t[5], t[0], t[4], t[3]]), forKey: "tracks")
      }
      try context.save()
    }
    coordinator.emptyRowCache()
    try coordinator.inContext { context throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Playlist")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      request.relationshipKeyPathsForPrefetching = ["tracks"]
      #expect(
        try context.fetch(request).map { $0.names("tracks") } == ["t0 t5 t4 t3", "t1 t5 t0 t4 t3", "t2 t5 t0 t4 t3"])
    }
  }

  @Test(arguments: [NSInMemoryStoreType]) func otherStoresKeepTheOrder(type: String) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Music.model())
    try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: nil)
    try coordinator.inContext { context in
      let t = Music.tracks(4, context)
      let list = context.make("Playlist", ["tracks": [t[2], t[0], t[3]]])
      try context.save()
      list.mutableOrderedSetValue(forKey: "tracks").insert(t[1], at: 1)
      try context.save()
      list.mutableOrderedSetValue(forKey: "tracks").exchangeObject(at: 0, withObjectAt: 3)
      try context.save()
    }
    try coordinator.inContext { context throws in
      #expect(try context.all("Playlist")[0].names("tracks") == "t3 t1 t0 t2")
    }
  }

  /// Rows come last among the members of the owner that they are given to; those that it has keep their places.
  @Test func aBatchUpdateAppends() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try Music.coordinator(url: url)
    try coordinator.inContext { (context) throws in
      let t = Music.tracks(7, context)
      context.make("Album", ["name": "a"]).setValue(NSOrderedSet(array: [t[6], t[4], t[2]]), forKey: "tracks")
      context.make("Album", ["name": "b"]).setValue(NSOrderedSet(array: [t[3], t[1], t[0]]), forKey: "tracks")
      try context.save()
      let album = try context.all("Album", sortedBy: "name")[0]
      let request = NSBatchUpdateRequest(entityName: "Track")
      request.predicate = NSPredicate(format: "number IN {1, 3, 4, 5}")
      request.propertiesToUpdate = ["album": album.objectID]
      _ = try context.execute(request)
    }
    try coordinator.inContext { (context) throws in
      let albums = try context.all("Album", sortedBy: "name")
      #expect(albums.map { Set($0.list("tracks").compactMap { $0.number("number") }) } == [[6, 4, 2, 1, 3, 5], [0]])
      #expect(albums[0].names("tracks").hasPrefix("t6 t4 t2 "))
      let request = NSBatchUpdateRequest(entityName: "Track")
      request.propertiesToUpdate = ["album": NSNull()]
      _ = try context.execute(request)
    }
    #expect(try RawStore(url: url).rows("SELECT Z_PK FROM ZTRACK WHERE Z_FOK_ALBUM IS NOT NULL").isEmpty)
  }
}
