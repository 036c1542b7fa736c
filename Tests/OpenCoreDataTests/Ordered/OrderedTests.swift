import CoreData
import Testing

@Suite struct OrderedTests {
  @Test(arguments: TestStore.all) func orderIsKeptByEveryChange(_ store: TestStore) throws {
    try Music.coordinator(store).inContext { context in
      let album = context.make("Album")
      let t = Music.tracks(8, context)
      let tracks = album.mutableOrderedSetValue(forKey: "tracks")
      tracks.addObjects(from: [t[2], t[0], t[1]])
      #expect(album.names("tracks") == "t2 t0 t1" && t[0].one("album") === album)
      tracks.insert(t[3], at: 1)
      tracks.insert(t[3], at: 0)  // is one already
      #expect(album.names("tracks") == "t2 t3 t0 t1")
      try context.save()
      tracks.moveObjects(at: [3], to: 0)
      #expect(album.names("tracks") == "t1 t2 t3 t0" && album.hasChanges && !t[1].hasChanges)
      tracks.exchangeObject(at: 0, withObjectAt: 3)
      #expect(album.names("tracks") == "t0 t2 t3 t1")
      tracks.replaceObject(at: 1, with: t[4])
      #expect(album.names("tracks") == "t0 t4 t3 t1" && t[2].one("album") == nil)
      t[5].setValue(album, forKey: "album")
      t[0].setValue(nil, forKey: "album")
      t[0].setValue(album, forKey: "album")
      #expect(tracks.array.map { ($0 as? NSManagedObject)?.text("name") } == ["t4", "t3", "t1", "t5", "t0"])
      tracks.sort(using: [NSSortDescriptor(key: "number", ascending: true)])
      #expect(album.names("tracks") == "t0 t1 t3 t4 t5")
      tracks.removeObjects(at: [0, 2])
      #expect(album.names("tracks") == "t1 t4 t5" && t[3].one("album") == nil)
      try context.save()
      context.refreshAllObjects()
      #expect(album.names("tracks") == "t1 t4 t5")
      album.setValue(NSOrderedSet(array: [t[7], t[5], t[1]]), forKey: "tracks")
      #expect(album.names("tracks") == "t7 t5 t1" && t[4].one("album") == nil)
      album.setValue(NSSet(array: [t[1], t[7], t[6]]), forKey: "tracks")
      #expect(album.names("tracks") == "t7 t1 t6")
      context.delete(t[1])
      context.processPendingChanges()
      #expect(album.names("tracks") == "t7 t6")
      context.rollback()
      #expect(album.names("tracks") == "t1 t4 t5" && t[7].one("album") == nil)
    }
  }

  @Test(arguments: ["Album", "Playlist"])
  func keysAreSparse(_ entity: String) throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try Music.coordinator(url: url)
    let raw = RawStore(url: url)
    let order =
      entity == "Album"
      ? "SELECT group_concat(ZNAME || ':' || Z_FOK_ALBUM, ' ') FROM "
        + "(SELECT * FROM ZTRACK WHERE ZALBUM NOTNULL ORDER BY ZALBUM, Z_FOK_ALBUM)"
      : "SELECT group_concat(ZNAME || ':' || Z_FOK_4TRACKS, ' ') FROM "
        + "(SELECT * FROM Z_3TRACKS JOIN ZTRACK ON Z_PK = Z_4TRACKS ORDER BY Z_3PLAYLISTS, Z_FOK_4TRACKS)"
    try coordinator.inContext { context in
      let owner = context.make(entity, ["name": "A"])
      let t = Music.tracks(6, context)
      let tracks = owner.mutableOrderedSetValue(forKey: "tracks")
      tracks.addObjects(from: [t[1], t[0], t[2]])
      try context.save()
      #expect(try raw.rows(order) == ["t1:2048 t0:3072 t2:4096"])
      tracks.add(t[3])
      tracks.insert(t[4], at: 1)
      try context.save()
      #expect(try raw.rows(order) == ["t1:2048 t4:2560 t0:3072 t2:4096 t3:5120"])
      tracks.insert(t[5], at: 0)
      tracks.remove(t[4])
      try context.save()
      #expect(try raw.rows(order) == ["t5:1024 t1:2048 t0:3072 t2:4096 t3:5120"])
      tracks.moveObjects(at: [4], to: 2)
      let versions = "SELECT ZNUMBER, Z_OPT FROM ZTRACK ORDER BY 1"
      let version = "SELECT Z_OPT FROM Z\(entity.uppercased())"
      let before = try raw.rows(versions)
      let ownBefore = try raw.rows(version)
      try context.save()
      #expect(try raw.rows(order) == ["t5:1024 t1:2048 t3:2560 t0:3072 t2:4096"])
      #expect(try raw.rows(versions) == before)
      #expect(try raw.rows(version) == ownBefore.map { "\(Int($0)! + 1)" })
    }
    try coordinator.inContext { context throws in
      #expect(try context.all(entity)[0].names("tracks") == "t5 t1 t3 t0 t2")
    }
  }
}
