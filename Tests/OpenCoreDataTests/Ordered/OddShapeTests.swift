import CoreData
import Testing

/// Relationships of unusual shape, and what they are in the file.
@Suite struct OddShapeTests {
  private func store(_ body: (NSManagedObjectContext, RawStore) throws -> Void) throws {
    let url = try TestModel.temporaryFile()
    try Music.coordinator(url: url).inContext { try body($0, RawStore(url: url)) }
  }

  @Test func aRelationshipThatIsItsOwnInverse() throws {
    try store { context, raw in
      let t = Music.tracks(4, context)
      try context.obtainPermanentIDs(for: t)
      t[0].mutableOrderedSetValue(forKey: "similar").addObjects(from: [t[2], t[1], t[0]])
      t[3].setValue(NSOrderedSet(array: [t[0], t[1]]), forKey: "similar")
      #expect(t.map { $0.names("similar") } == ["t2 t1 t0 t3", "t0 t3", "t0", "t0 t1"])
      try context.save()
      let rows =
        "SELECT a.ZNAME, b.ZNAME, Z_FOK_4SIMILAR1 FROM Z_4SIMILAR JOIN ZTRACK a ON a.Z_PK = Z_4SIMILAR "
        + "JOIN ZTRACK b ON b.Z_PK = Z_4SIMILAR1 ORDER BY 1, 3"
      #expect(
        try raw.rows(rows) == [
          "t0|t2|2048", "t0|t1|3072", "t0|t0|4096", "t0|t3|5120", "t1|t0|2048", "t1|t3|3072", "t2|t0|2048",
          "t3|t0|2048", "t3|t1|3072",
        ])
      t[0].mutableOrderedSetValue(forKey: "similar").moveObjects(at: [3], to: 0)
      t[1].mutableOrderedSetValue(forKey: "similar").remove(t[0])
      try context.save()
      context.refreshAllObjects()
      #expect(t.map { $0.names("similar") } == ["t3 t2 t0", "t3", "t0", "t0 t1"])
    }
  }

  @Test func bothEndsOrdered() throws {
    try store { context, raw in
      let t = Music.tracks(4, context)
      t[0].mutableOrderedSetValue(forKey: "followers").addObjects(from: [t[3], t[1]])
      t[2].mutableOrderedSetValue(forKey: "followers").addObjects(from: [t[1], t[3]])
      t[3].mutableOrderedSetValue(forKey: "leaders").moveObjects(at: [1], to: 0)
      try context.save()
      context.refreshAllObjects()
      #expect(t.map { $0.names("followers") } == ["t3 t1", "", "t1 t3", ""])
      #expect(t.map { $0.names("leaders") } == ["", "t0 t2", "", "t2 t0"])
      // Each end has a column of its own: one says where a follower stands, the other where a leader does.
      let columns = try raw.rows("SELECT name FROM pragma_table_info('Z_4LEADERS')")
      #expect(Set(columns) == ["Z_4FOLLOWERS", "Z_4LEADERS", "Z_FOK_4FOLLOWERS", "Z_FOK_4LEADERS"])
      let order = "SELECT group_concat(b.ZNAME, ' ') FROM (SELECT * FROM Z_4LEADERS ORDER BY %) JOIN ZTRACK a ON "
      let followers =
        order.replacingOccurrences(of: "%", with: "Z_FOK_4FOLLOWERS")
        + "a.Z_PK = Z_4LEADERS JOIN ZTRACK b ON b.Z_PK = Z_4FOLLOWERS WHERE a.ZNAME = 't0'"
      #expect(try raw.rows(followers) == ["t3 t1"])
      let leaders =
        order.replacingOccurrences(of: "%", with: "Z_FOK_4LEADERS")
        + "a.Z_PK = Z_4FOLLOWERS JOIN ZTRACK b ON b.Z_PK = Z_4LEADERS WHERE a.ZNAME = 't3'"
      #expect(try raw.rows(leaders) == ["t2 t0"])
    }
  }

  /// The owner is in a column of the members' table, so that a member has one.
  @Test func withoutInverse() throws {
    try store { context, raw in
      let t = Music.tracks(4, context)
      let first = context.make("Bag", ["name": "a", "best": t[1]]), second = context.make("Bag", ["name": "b"])
      first.mutableOrderedSetValue(forKey: "things").addObjects(from: [t[2], t[0]])
      second.set([t[3]], forKey: "things")
      second.mutableSetValue(forKey: "loose").union([t[0], t[1]])
      try context.save()
      #expect(!t[0].hasChanges)
      first.mutableOrderedSetValue(forKey: "things").insert(t[1], at: 0)
      second.mutableSetValue(forKey: "loose").remove(t[0])
      try context.save()
      // No version but the owners' counts up.
      #expect(try raw.rows("SELECT DISTINCT Z_OPT FROM ZTRACK") == ["1"])
      #expect(try raw.rows("SELECT Z_OPT FROM ZBAG") == ["2", "2"])
      let names = try raw.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'").sorted()
      #expect(names == ["Z_3TRACKS", "Z_4LEADERS", "Z_4SIMILAR"])
      let columns = try raw.rows("SELECT name FROM pragma_table_info('ZTRACK')").filter { $0.contains("2") }
      #expect(columns == ["Z2LOOSE", "Z2THINGS", "Z_FOK_2THINGS"])
      #expect(
        try raw.rows("SELECT name FROM sqlite_master WHERE type = 'index' AND name GLOB '*Z2*'").sorted()
          == ["ZTRACK_Z2LOOSE_INDEX", "ZTRACK_Z2THINGS_INDEX"])
      #expect(
        try raw.rows(
          "SELECT ZBAG.ZNAME, group_concat(t.ZNAME, ' ') FROM (SELECT * FROM ZTRACK ORDER BY Z_FOK_2THINGS) t "
            + "JOIN ZBAG ON ZBAG.Z_PK = Z2THINGS GROUP BY 1") == ["a|t1 t2 t0", "b|t3"])
      context.refreshAllObjects()
      #expect(first.names("things") == "t1 t2 t0" && second.many("loose") == [t[1]] && first.one("best") === t[1])
      #expect(try context.names("Bag", where: "ANY things.name == 't2'") == ["a"])
      #expect(try context.names("Bag", where: "things.@count == 1") == ["b"])
      context.delete(second)
      try context.save()
      #expect(try raw.rows("SELECT COUNT(*) FROM ZTRACK WHERE Z2THINGS NOT NULL") == ["3"])
      #expect(try raw.rows("SELECT COUNT(*) FROM ZTRACK WHERE Z2LOOSE NOT NULL") == ["0"])
    }
  }

  @Test func theOwnerThatIsSavedLastHasAMember() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try Music.coordinator().inContext { context in
        let tracks = Music.tracks(2, context)
        let first = context.make("Bag", ["name": "a"]), second = context.make("Bag", ["name": "b"])
        first.set([tracks[0], tracks[1]], forKey: "loose")
        try context.save()
        second.set([tracks[0]], forKey: "loose")
        try context.save()
        context.refreshAllObjects()
        guard first.many("loose") == [tracks[1]], second.many("loose") == [tracks[0]] else { fatalError("the owner") }
      }
    }
    let log = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let line = log.split(separator: "\n").first { $0.contains("Bag.loose has no inverse") }
    #expect(line?.contains(/Track\/p\d belongs to Bag\/p\d and Bag\/p\d/) == true, "\(log)")
  }

  /// The owner that has lost a member knows it, here and in other contexts, and may have it back.
  @Test(arguments: TestStore.ofTables) func theFormerOwnerKnowsIt(_ store: TestStore) throws {
    let coordinator = try Music.coordinator(store)
    try coordinator.inContext { context in
      let track = context.make("Track", ["name": "t"])
      let first = context.make("Bag", ["name": "a"]), second = context.make("Bag", ["name": "b"])
      for owner in [first, second, first] {
        owner.mutableSetValue(forKey: "loose").add(track)
        try context.save()
        #expect(owner.many("loose") == [track])
        #expect((owner === first ? second : first).many("loose").isEmpty)
        try coordinator.inContext { other throws in
          let names = try other.all("Bag").filter { !$0.many("loose").isEmpty }.map { $0.text("name") }
          #expect(names == [owner.text("name")])
        }
      }
    }
  }

  @Test func ownersAreDeletedByBatch() throws {
    try store { context, raw in
      let tracks = Music.tracks(2, context)
      _ = context.make("Bag", ["name": "a", "loose": tracks, "things": tracks])
      try context.save()
      try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Bag")))
      #expect(
        try raw.rows("SELECT COUNT(*) FROM ZTRACK WHERE Z2LOOSE ISNULL AND Z2THINGS ISNULL AND Z_FOK_2THINGS ISNULL")
          == ["2"])
    }
  }

  @Test func membersOfSeveralEntities() throws {
    let url = try TestModel.temporaryFile()
    try Music.coordinator(url: url).inContext { context in
      let list = context.make("Playlist", ["name": "p"]), album = context.make("Album", ["name": "a"])
      let songs = Music.tracks(2, context, entity: "Song")
      let members = [
        songs[1], context.make("Talk", ["name": "talk"]), context.make("Track", ["name": "track"]), songs[0],
      ]
      list.set(members, forKey: "tracks")
      album.setValue(NSOrderedSet(array: members.reversed()), forKey: "tracks")
      _ = context.make("Bag", ["name": "b", "best": members[1]])
      try context.save()
      album.mutableOrderedSetValue(forKey: "tracks").moveObjects(at: [0], to: 3)
      try context.save()
      #expect(album.list("tracks").map(\.entity.name) == ["Track", "Talk", "Song", "Song"])
    }
    #expect(try RawStore(url: url).rows("SELECT Z4_BEST FROM ZBAG") == ["6"])
    try Music.coordinator(url: url).inContext { context throws in
      let list = try context.all("Playlist")[0], album = try context.all("Album")[0]
      #expect(list.list("tracks").map(\.entity.name) == ["Song", "Talk", "Track", "Song"])
      #expect(list.names("tracks") == "t1 talk track t0")
      #expect(album.names("tracks") == "track talk t1 t0")
      #expect(try context.all("Bag")[0].one("best")?.entity.name == "Talk")
    }
  }

  /// Two subentities have a relationship of the same name each, and a third overrides an inherited one.
  @Test func subentitiesWithRelationshipsOfTheirOwn() throws {
    let base = TestModel.entity("Base", [TestModel.attribute("name", .stringAttributeType)])
    let left = TestModel.entity("Left", [], parent: base), right = TestModel.entity("Right", [], parent: base)
    let third = TestModel.entity("Third", [], parent: base)
    let part = TestModel.entity("Part", [TestModel.attribute("name", .stringAttributeType)])
    let tag = TestModel.entity("Tag", [TestModel.attribute("name", .stringAttributeType)])
    let special = TestModel.entity("SpecialTag", [], parent: tag)
    TestModel.relate(left, "items", max: 0, part, "left", max: 1)
    TestModel.relate(right, "items", max: 0, tag, "rights", max: 0)
    TestModel.relate(base, "tags", max: 0, tag, "owner", max: 1)
    TestModel.relate(third, "tags", max: 0, special, "owner", max: 1)
    let model = NSManagedObjectModel()
    model.entities = [base, left, right, third, part, tag, special]
    let url = try TestModel.temporaryFile()
    try TestModel.coordinator(model, url: url).inContext { context in
      let parts = ["p", "q"].map { context.make("Part", ["name": $0]) }
      let tags = ["s", "t"].map { context.make("Tag", ["name": $0]) }
      let specials = ["u", "v"].map { context.make("SpecialTag", ["name": $0]) }
      _ = context.make("Left", ["name": "l", "items": NSSet(array: parts), "tags": NSSet(array: [tags[0]])])
      _ = context.make("Right", ["name": "r", "items": NSSet(array: tags)])
      _ = context.make("Third", ["name": "3", "tags": NSSet(array: specials)])
      #expect(specials[0].one("owner")?.text("name") == "3")
      try context.save()
    }
    try TestModel.coordinator(model, url: url).inContext { context throws in
      func names(_ owner: String, _ key: String) throws -> [String] {
        try context.named(owner, "Base").many(key).compactMap { $0.text("name") }.sorted()
      }
      #expect(try names("l", "items") == ["p", "q"] && names("r", "items") == ["s", "t"])
      #expect(try names("l", "tags") == ["s"] && names("3", "tags") == ["u", "v"])
      #expect(try context.named("u", "Tag").one("owner")?.entity.name == "Third")
    }
    #expect(
      try RawStore(url: url).rows(
        "SELECT ZTAG.ZNAME, ZBASE.ZNAME FROM ZTAG JOIN ZBASE ON ZBASE.Z_PK = ZOWNER ORDER BY 1")
        == ["s|l", "u|3", "v|3"])
  }
}
