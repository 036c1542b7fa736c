import CoreData
import Testing

/// `mutableOrderedSetValue(forKey:)`, accessors and observers.
@Suite struct OrderedViewTests {
  @Test(arguments: TestStore.all) func theViewIsLive(_ store: TestStore) throws {
    try Music.coordinator(store).inContext { context in
      let album = context.make("Album"), t = Music.tracks(5, context)
      let view = album.mutableOrderedSetValue(forKey: "tracks")
      #expect(view.count == 0 && view.firstObject == nil)
      t[1].setValue(album, forKey: "album")
      #expect(view.count == 1 && view.array.first as AnyObject === t[1] && view.contains(t[1]))
      view.addObjects(from: [t[0], t[1], t[2]])
      t[0].setValue(nil, forKey: "album")
      #expect(view.object(at: 1) as AnyObject === t[2] && view.index(of: t[0]) == NSNotFound)
      view.setObject(t[3], at: 2)
      view.replaceObjects(at: [0, 1], with: [t[4], t[0]])
      #expect(album.names("tracks") == "t4 t0 t3" && t[1].one("album") == nil)
      view.minus(NSOrderedSet(array: [t[0]]))
      view.union(NSOrderedSet(array: [t[2], t[4]]))
      view.intersectSet([t[4], t[2]])
      #expect(album.names("tracks") == "t4 t2" && t[3].one("album") == nil)
      view.insert([t[0], t[1]], at: [0, 2])
      view.sortRange(NSRange(location: 1, length: 3)) { left, right in
        ((right as? NSManagedObject)?.number("number") ?? 0) < ((left as? NSManagedObject)?.number("number") ?? 0)
          ? .orderedAscending : .orderedDescending
      }
      #expect(album.names("tracks") == "t0 t4 t2 t1")
      #expect((view.mutableCopy() as? NSMutableOrderedSet)?.count == 4)
      try context.save()
      view.removeObject(at: 0)
      context.rollback()
      #expect(view.count == 4 && view.array.first as AnyObject === t[0])
      view.removeAllObjects()
      #expect(album.names("tracks") == "" && t.allSatisfy { $0.one("album") == nil })
    }
  }

  /// The usual loop must not take time in proportion to the square of the members.
  @Test(arguments: TestStore.all) func manyMembersOneByOne(_ store: TestStore) throws {
    try Music.coordinator(store).inContext { context in
      let album = context.make("Album"), t = Music.tracks(3000, context)
      for track in t { album.mutableOrderedSetValue(forKey: "tracks").add(track) }
      #expect(album.list("tracks") == t)
      weak let kept = album.mutableOrderedSetValue(forKey: "tracks")
      #expect(kept != nil)
      try context.save()
      #expect(kept == nil)
    }
  }

  @Test(arguments: TestStore.all) func anObjectWithAViewGoesWithItsContext(_ store: TestStore) throws {
    let coordinator = try Music.coordinator(store)
    weak var owner: NSManagedObject?
    try coordinator.inContext { context in
      let album = context.make("Album")
      album.mutableOrderedSetValue(forKey: "tracks").add(context.make("Track"))
      owner = album
    }
    #expect(owner == nil)
    let entity = coordinator.managedObjectModel.entitiesByName
    do {
      let album = NSManagedObject(entity: entity["Album"]!, insertInto: nil)
      album.mutableOrderedSetValue(forKey: "tracks").add(NSManagedObject(entity: entity["Track"]!, insertInto: nil))
      #expect(album.list("tracks").count == 1)
    }
  }

  /// The distinct values of members are a set, in whatever order the members are.
  @Test(arguments: TestStore.all) func distinctValuesOfMembersAreASet(_ store: TestStore) throws {
    let coordinator = try Music.coordinator(store)
    try coordinator.inContext { context in
      let album = context.make("Album", ["tracks": Music.tracks(3, context)])
      for (track, name) in zip(try context.all("Track"), ["b", "a", "b"]) { track.setValue(name, forKey: "name") }
      func check() {
        let names = album.value(forKeyPath: "tracks.@distinctUnionOfObjects.name")
        #expect(names as? NSSet == NSSet(array: ["a", "b"]), "\(type(of: names))")
        let numbers = album.mutableOrderedSetValue(forKey: "tracks").value(forKeyPath: "@distinctUnionOfObjects.name")
        #expect(numbers as? NSSet == NSSet(array: ["a", "b"]), "\(type(of: numbers))")
      }
      check()
      try context.save()
      context.refreshAllObjects()
      check()
    }
  }

  @Test(arguments: TestStore.all) func accessors(_ store: TestStore) throws {
    try Music.coordinator(store).inContext { context in
      let album = context.make("Album"), t = Music.tracks(6, context), key = _PropertyKey("tracks")
      album._managedAdd(NSOrderedSet(array: [t[0], t[1]]), key)
      album._managedInsert(t[2], at: 1, key)
      album._managedInsert([t[3], t[4]], at: NSIndexSet(indexesIn: NSRange(location: 0, length: 2)), key)
      #expect(album.names("tracks") == "t3 t4 t0 t2 t1")
      album._managedReplace(at: 2, with: t[5], key)
      album._managedRemove(at: 0, key)
      #expect(album.names("tracks") == "t4 t5 t2 t1")
      album._managedReplace(at: NSIndexSet(indexesIn: NSRange(location: 2, length: 2)), with: [t[0], t[3]], key)
      album._managedRemove(at: NSIndexSet(index: 1), key)
      #expect(album.names("tracks") == "t4 t0 t3")
      let members: NSOrderedSet? = album._managedValue(key), set: NSSet? = album._managedValue(key)
      #expect(members?.count == 3 && set?.count == 3)
      album._setManagedValue(NSOrderedSet(array: [t[3], t[4], t[3]]), key)
      #expect(album.names("tracks") == "t3 t4" && t[0].one("album") == nil)
    }
  }

  private final class Recorder: NSObject, NSKeyValueObserving {
    var seen: [String] = []

    func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      let kind = (change?[.kindKey] as? NSNumber)?.uintValue ?? 0
      let places = (change?[.indexesKey] as? NSIndexSet).map { "\(Array($0))" } ?? ""
      seen.append("\(kind)\(places)")
    }
  }

  @Test(arguments: TestStore.all) func observersAreToldThePlaces(_ store: TestStore) throws {
    try Music.coordinator(store).inContext { context in
      let album = context.make("Album"), t = Music.tracks(4, context), recorder = Recorder()
      album.addObserver(recorder, forKeyPath: "tracks", options: [.new, .old], context: nil)
      let view = album.mutableOrderedSetValue(forKey: "tracks")
      view.add(t[0])
      t[1].setValue(album, forKey: "album")
      view.insert(t[2], at: 1)
      view.replaceObject(at: 0, with: t[3])
      t[1].setValue(nil, forKey: "album")
      view.exchangeObject(at: 0, withObjectAt: 1)
      view.removeObject(at: 0)
      album.setValue(NSOrderedSet(array: [t[1]]), forKey: "tracks")
      #expect(recorder.seen == ["2[0]", "2[1]", "2[1]", "4[0]", "3[2]", "4[0, 1]", "3[0]", "1"])
      album.removeObserver(recorder, forKeyPath: "tracks")
    }
  }

  @Test func theWrongKindOfViewStopsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      try Music.coordinator().inContext { _ = $0.make("Album").mutableSetValue(forKey: "tracks") }
    }
    await #expect(processExitsWith: .failure) {
      try Music.coordinator().inContext { _ = $0.make("Track").mutableOrderedSetValue(forKey: "playlists") }
    }
    await #expect(processExitsWith: .failure) {
      try Music.coordinator().inContext { context in
        context.make("Album").mutableOrderedSetValue(forKey: "tracks").insert(context.make("Track"), at: 1)
      }
    }
  }
}
