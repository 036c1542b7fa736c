import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Orders, large values and objects of transformable attributes when a store goes on as another one.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct MigrateValuesTests {
  /// By way of memory, object by object, to a file.
  private func throughMemory(_ coordinator: NSPersistentStoreCoordinator) throws -> URL {
    let url = try TestModel.temporaryFile("Other.sqlite")
    let memory = try coordinator.migratePersistentStore(
      coordinator.persistentStores[0], to: URL(fileURLWithPath: "/dev/null"), type: .inMemory)
    try coordinator.migratePersistentStore(memory, to: url, type: .sqlite)
    return url
  }

  @Test func ordersAreKept() throws {
    let coordinator = try Music.coordinator(url: try TestModel.temporaryFile())
    try coordinator.inContext { (context) throws in
      let tracks = Music.tracks(30, context) + Music.tracks(5, context, entity: "Song")
      var random = SeededGenerator(seed: 4)
      for (number, key) in ["Album": "tracks", "Playlist": "tracks", "Bag": "things"].sorted(by: <).enumerated() {
        for copy in 0..<3 {
          let owner = context.make(key.key, ["name": "\(key.key)\(copy)"])
          let members = tracks.shuffled(using: &random).prefix(4 + number)
          owner.setValue(NSOrderedSet(array: Array(members)), forKey: key.value)
        }
      }
      for track in tracks.prefix(10) {
        track.setValue(NSOrderedSet(array: tracks.shuffled(using: &random).prefix(3).map { $0 }), forKey: "followers")
        track.setValue(NSOrderedSet(array: tracks.shuffled(using: &random).prefix(2).map { $0 }), forKey: "similar")
      }
      try context.save()
    }
    func orders() throws -> [String] {
      try coordinator.inContext { context in
        let lists = try [("Album", "tracks"), ("Playlist", "tracks"), ("Bag", "things")].flatMap { entity, key in
          try context.all(entity, sortedBy: "name").map { "\($0.text("name") ?? "") \($0.names(key))" }
        }
        let tracks = try context.all("Track", sortedBy: "number").map { track in
          "\(track.entity.name ?? "") \(track.text("name") ?? ""): "
            + ["followers", "leaders", "similar"].map(track.names).joined(separator: ", ")
        }
        return lists + tracks.sorted()
      }
    }
    let before = try orders()
    let url = try throughMemory(coordinator)
    #expect(try orders() == before)
    #expect(try Shell.sql(url, "PRAGMA integrity_check") == ["ok"])
  }

  @Test func largeValuesComeAlong() throws {
    let model = TestModel.library()
    model.entitiesByName["Book"]?.attributesByName["cover"]?.allowsExternalBinaryDataStorage = true
    let url = try TestModel.temporaryFile()
    let coordinator = try FileStore.open(url, nil, model)
    let cover = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
    try coordinator.inContext { (context) throws in
      _ = context.make("Book", ["title": "large", "cover": cover])
      _ = context.make("Book", ["title": "small", "cover": cover.prefix(10)])
      try context.save()
    }
    func covers() throws -> [Data?] {
      try coordinator.inContext { try $0.all("Book", sortedBy: "title").map { $0.value(forKey: "cover") as? Data } }
    }
    let copy = try TestModel.temporaryFile("Copy.sqlite")
    try coordinator.migratePersistentStore(coordinator.persistentStores[0], to: copy, type: .sqlite)
    #expect(try covers() == [cover, cover.prefix(10)])
    try coordinator.inContext { (context) throws in
      for book in try context.all("Book") { book.setValue(cover + [1], forKey: "cover") }
      try context.save()
    }
    #expect(try covers() == [cover + [1], cover + [1]])
    let other = try throughMemory(coordinator)
    #expect(try covers() == [cover + [1], cover + [1]])
    #expect(try ExternalFileReport(storeAt: other).referenceCount == 2)
    #expect(try ExternalFileReport(storeAt: copy).orphans.isEmpty)
    let old = try FileStore.open(url, nil, model)
    let kept = try old.inContext { try $0.named("large", title: "Book").value(forKey: "cover") as? Data }
    #expect(kept == cover)
    #expect(!coordinator.setURL(copy, for: coordinator.persistentStores[0]))
  }

  @Test func bytesThatNobodyUnderstandsStayBetweenFiles() throws {
    let url = try TestModel.temporaryFile(), other = try TestModel.temporaryFile()
    let model = ValuesModel.shapes()
    let coordinator = try FileStore.open(url, nil, model)
    try coordinator.inContext { (context) throws in
      _ = context.make("Shape", ["name": "s"])
      _ = context.make("Circle", ["name": "c", "tags": ["a", "b"] as NSArray])
      try context.save()
    }
    try FileStore.close(coordinator)
    try Shell.sql(url, "UPDATE ZSHAPE SET ZMISSING = x'010203', ZANYTHING = x'FF', ZCOLOUR = x'09'")
    let source = try FileStore.open(url, nil, model), target = try FileStore.open(other, nil, model)
    let copy = StoreObjectCopy(from: source.persistentStores[0], to: target.persistentStores[0], source)
    try copy.run()
    let query =
      "SELECT Z_ENT, ZNAME, hex(ZMISSING), hex(ZANYTHING), hex(ZCOLOUR), hex(ZTAGS) FROM ZSHAPE ORDER BY ZNAME"
    #expect(try Shell.sql(url, query) == Shell.sql(other, query))
  }
}

extension NSManagedObjectContext {
  fileprivate func named(_ title: String, title entity: String) throws -> NSManagedObject {
    let found = try all(entity).first { $0.text("title") == title }
    return try #require(found)
  }
}
