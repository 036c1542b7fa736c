import CoreData
import Testing

/// Random changes of ordered relationships against plain arrays of numbers.
@Suite struct OrderedFuzzTests {
  /// What the relationships should be, by track number.
  private struct Plan: Equatable {
    var albums: [[Int]]
    var playlists: [[Int]]
  }

  private let trackCount = 24

  @Test(arguments: RandomSeeds.seeds(3), TestStore.all)
  func ordersAreThoseOfArrays(seed: UInt64, _ store: TestStore) throws {
    let url = try store.place()
    defer { store.remove(url) }
    print("ordered relationships: SEED=\(seed), \(store.name)")
    var generator = SeededGenerator(seed: seed)
    var coordinator = try Music.coordinator(store, url: url)
    try coordinator.inContext { context in
      _ = Music.tracks(trackCount, context)
      for index in 0..<3 {
        _ = context.make("Album", ["name": "a\(index)"])
        _ = context.make("Playlist", ["name": "p\(index)"])
      }
      try context.save()
    }
    var saved = Plan(albums: [[], [], []], playlists: [[], [], []])
    for round in 0..<12 {
      if round == 6, url != nil { coordinator = try Music.coordinator(store, url: url) }
      let context = TestModel.context(coordinator)
      try context.performAndWait {
        for _ in 0..<4 {
          var plan = saved
          let reads = Bool.random(using: &generator)
          for _ in 0..<Int.random(in: 1...12, using: &generator) {
            try change(context, &plan, &generator)
            if reads { try compare(context, plan, "unsaved") }
          }
          switch Int.random(in: 0..<6, using: &generator) {
          case 0:
            context.rollback()
            plan = saved
          case 1:
            for object in context.registeredObjects { context.refresh(object, mergeChanges: true) }
            try compare(context, plan, "merged")
            fallthrough
          default: try context.save()
          }
          try compare(context, plan, "afterwards")
          saved = plan
          if store.type == NSSQLiteStoreType, let url { try compareFile(url, saved) }
          if Bool.random(using: &generator) { context.refreshAllObjects() }
        }
      }
      do {
        let other = TestModel.context(coordinator)
        try other.performAndWait { try compare(other, saved, "another context") }
      }
    }
  }

  // MARK: Changes

  private func change(_ context: NSManagedObjectContext, _ plan: inout Plan, _ generator: inout SeededGenerator) throws
  {
    let tracks = try context.all("Track", sortedBy: "number")
    let isAlbum = Bool.random(using: &generator)
    let owners = try context.all(isAlbum ? "Album" : "Playlist", sortedBy: "name")
    let index = Int.random(in: 0..<owners.count, using: &generator)
    let number = Int.random(in: 0..<trackCount, using: &generator)
    let track = tracks[number], owner = owners[index]
    var list = isAlbum ? plan.albums[index] : plan.playlists[index]
    let view = { owner.mutableOrderedSetValue(forKey: "tracks") }
    let isMember = list.contains(number)
    switch Int.random(in: 0..<12, using: &generator) {
    case 0, 1:
      view().add(track)
      if !isMember { list.append(number) }
    case 2, 3:
      let place = Int.random(in: 0...list.count, using: &generator)
      view().insert(track, at: place)
      if !isMember { list.insert(number, at: place) }
    case 4:
      view().remove(track)
      list.removeAll { $0 == number }
    case 5:
      guard !list.isEmpty else { return }
      let place = Int.random(in: 0..<list.count, using: &generator)
      view().replaceObject(at: place, with: track)
      if !isMember { list[place] = number }
    case 6:
      guard list.count > 1 else { return }
      let from = Int.random(in: 0..<list.count, using: &generator)
      let to = Int.random(in: 0..<list.count, using: &generator)
      view().moveObjects(at: [from], to: to)
      list.insert(list.remove(at: from), at: to)
    case 7:
      guard list.count > 1 else { return }
      let from = Int.random(in: 0..<list.count, using: &generator)
      let to = Int.random(in: 0..<list.count, using: &generator)
      view().exchangeObject(at: from, withObjectAt: to)
      list.swapAt(from, to)
    case 8:
      list = Array((0..<trackCount).shuffled(using: &generator).prefix(Int.random(in: 0...8, using: &generator)))
      owner.setValue(NSOrderedSet(array: list.map { tracks[$0] }), forKey: "tracks")
    case 9 where isAlbum:
      let isSet = Bool.random(using: &generator)
      track.setValue(isSet ? owner : nil, forKey: "album")
      if isSet, !isMember { list.append(number) }
      if !isSet {
        for index in plan.albums.indices { plan.albums[index].removeAll { $0 == number } }
        return
      }
    case 9:
      let set = track.mutableSetValue(forKey: "playlists")
      if isMember {
        set.remove(owner)
        list.removeAll { $0 == number }
      } else {
        set.add(owner)
        list.append(number)
      }
    case 10:
      // Another one takes its number.
      context.delete(track)
      context.processPendingChanges()
      let new = context.make("Track", ["number": number])
      if Bool.random(using: &generator) { try context.obtainPermanentIDs(for: [new]) }
      plan.albums = plan.albums.map { $0.filter { $0 != number } }
      plan.playlists = plan.playlists.map { $0.filter { $0 != number } }
      return
    default:
      view().sort(using: [NSSortDescriptor(key: "number", ascending: false)])
      list.sort(by: >)
    }
    if isAlbum {
      // A track is on one album alone.
      for other in plan.albums.indices where other != index { plan.albums[other].removeAll(where: list.contains) }
      plan.albums[index] = list
    } else {
      plan.playlists[index] = list
    }
  }

  // MARK: Comparing

  private func compare(_ context: NSManagedObjectContext, _ plan: Plan, _ when: String) throws {
    func lists(_ entity: String) throws -> [[Int]] {
      try context.all(entity, sortedBy: "name").map { $0.list("tracks").map { $0.number("number") ?? -1 } }
    }
    let found = Plan(albums: try lists("Album"), playlists: try lists("Playlist"))
    try #require(found == plan, "\(when)")
    for track in try context.all("Track") {
      let number = track.number("number") ?? -1
      let album = plan.albums.firstIndex { $0.contains(number) }.map { "a\($0)" }
      try #require(track.one("album")?.text("name") == album, "\(when)")
      let playlists = Set(plan.playlists.indices.filter { plan.playlists[$0].contains(number) }.map { "p\($0)" })
      try #require(Set(track.many("playlists").compactMap { $0.text("name") }) == playlists, "\(when)")
    }
  }

  private func compareFile(_ url: URL, _ plan: Plan) throws {
    let raw = RawStore(url: url)
    func lists(_ sql: String, _ prefix: String) throws -> [[Int]] {
      let rows = try raw.rows(sql).map { $0.split(separator: "|").map(String.init) }
      return (0..<3).map { index in rows.filter { $0[0] == "\(prefix)\(index)" }.compactMap { Int($0[1]) } }
    }
    let albums = try lists(
      "SELECT o.ZNAME, t.ZNUMBER FROM ZTRACK t JOIN ZALBUM o ON o.Z_PK = t.ZALBUM ORDER BY 1, t.Z_FOK_ALBUM", "a")
    let playlists = try lists(
      "SELECT o.ZNAME, t.ZNUMBER FROM Z_3TRACKS j JOIN ZPLAYLIST o ON o.Z_PK = j.Z_3PLAYLISTS "
        + "JOIN ZTRACK t ON t.Z_PK = j.Z_4TRACKS ORDER BY 1, j.Z_FOK_4TRACKS", "p")
    try #require(Plan(albums: albums, playlists: playlists) == plan, "in the file")
    let doubles = try raw.rows(
      "SELECT 1 FROM ZTRACK WHERE ZALBUM NOTNULL GROUP BY ZALBUM, Z_FOK_ALBUM HAVING COUNT(*) > 1 OR Z_FOK_ALBUM ISNULL "
        + "UNION ALL SELECT 2 FROM Z_3TRACKS GROUP BY Z_3PLAYLISTS, Z_FOK_4TRACKS HAVING COUNT(*) > 1 "
        + "OR Z_FOK_4TRACKS ISNULL UNION ALL SELECT 3 FROM ZTRACK WHERE ZALBUM ISNULL AND Z_FOK_ALBUM NOTNULL")
    try #require(doubles.isEmpty, "every member has a sort key of its own, and nothing else has one")
  }
}
