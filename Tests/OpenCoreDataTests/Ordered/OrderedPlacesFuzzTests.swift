import CoreData
import Testing

/// Random insertions and moves among many members, in relationships with a table of their own and without one, and in files
/// whose sort keys are not what they should be, against arrays.
@Suite struct OrderedPlacesFuzzTests {
  private let owners = 4

  @Test(arguments: ["Album", "Playlist"], RandomSeeds.seeds(3))
  func placesAreThoseOfArrays(entity: String, seed: UInt64) throws {
    let url = try TestModel.temporaryFile()
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    print("places in \(entity): SEED=\(seed)")
    var generator = SeededGenerator(seed: seed)
    let coordinator = try Music.coordinator(url: url)
    var next = 0
    var isOutOfOrder = false
    var plan: [[Int]] = []
    try coordinator.inContext { context in
      for owner in 0..<owners {
        let tracks = (0..<Int.random(in: 0...80, using: &generator)).map {
          context.make("Track", ["number": next + $0])
        }
        context.make(entity, ["name": "o\(owner)"]).set(tracks, forKey: "tracks")
        plan.append(Array(next..<next + tracks.count))
        next += tracks.count
      }
      try context.save()
    }
    let file = File(raw: RawStore(url: url), isJoin: entity == "Playlist")
    for _ in 0..<6 {
      try coordinator.inContext { context in
        for _ in 0..<8 {
          for _ in 0..<Int.random(in: 1...4, using: &generator) {
            try change(context, entity, &plan, &next, &generator)
          }
          try context.save()
          try #require(try lists(context, entity) == plan, "here")
          try #require(try file.lists(owners) == plan, "in the file")
          if !isOutOfOrder { try #require(try file.doubles().isEmpty, "every member has a key of its own") }
          // Keys that no store should have, in the order that this context knows.
          if Int.random(in: 0..<3, using: &generator) == 0 { try file.damage(keepsOrder: true, &generator) }
        }
      }
      if Bool.random(using: &generator) {
        try file.damage(keepsOrder: false, &generator)
        isOutOfOrder = true
        plan = try file.lists(owners)
      }
      // A coordinator of its own knows nothing of rows from before.
      let other = try Music.coordinator(url: url)
      try other.inContext { try #require(try lists($0, entity) == plan, "another coordinator") }
    }
  }

  private func lists(_ context: NSManagedObjectContext, _ entity: String) throws -> [[Int]] {
    try context.all(entity, sortedBy: "name").map { $0.list("tracks").map { $0.number("number") ?? -1 } }
  }

  private func change(
    _ context: NSManagedObjectContext, _ entity: String, _ plan: inout [[Int]], _ next: inout Int,
    _ generator: inout SeededGenerator
  ) throws {
    let index = Int.random(in: 0..<owners, using: &generator)
    let owner = try context.all(entity, sortedBy: "name")[index]
    let view = owner.mutableOrderedSetValue(forKey: "tracks")
    let count = plan[index].count
    func new() -> NSManagedObject {
      next += 1
      return context.make("Track", ["number": next - 1])
    }
    switch Int.random(in: 0..<10, using: &generator) {
    case 0, 1:
      view.insert(new(), at: 0)
      plan[index].insert(next - 1, at: 0)
    case 2, 3:
      let place = Int.random(in: 0...count, using: &generator)
      for offset in 0..<Int.random(in: 1...3, using: &generator) {
        view.insert(new(), at: place + offset)
        plan[index].insert(next - 1, at: place + offset)
      }
    case 4:
      view.add(new())
      plan[index].append(next - 1)
    case 5:
      guard count > 3 else { return }
      let from = Int.random(in: 0..<count - 2, using: &generator)
      let to = Int.random(in: 0...count - 2, using: &generator)
      view.moveObjects(at: [from, from + 1], to: to)
      let moved = Array(plan[index][from...from + 1])
      plan[index].removeSubrange(from...from + 1)
      plan[index].insert(contentsOf: moved, at: to)
    case 6:
      guard count > 1 else { return }
      let first = Int.random(in: 0..<count, using: &generator), second = Int.random(in: 0..<count, using: &generator)
      view.exchangeObject(at: first, withObjectAt: second)
      plan[index].swapAt(first, second)
    case 7:
      guard count > 0 else { return }
      let place = Int.random(in: 0..<count, using: &generator)
      if Bool.random(using: &generator) {
        view.removeObject(at: place)
        plan[index].remove(at: place)
      } else {
        // It leaves, and comes back at the end.
        let track = view.object(at: place)
        view.remove(track)
        view.add(track)
        plan[index].append(plan[index].remove(at: place))
      }
    case 8:
      let order = Array(view.array.enumerated()).shuffled(using: &generator)
      owner.setValue(NSOrderedSet(array: order.map(\.element)), forKey: "tracks")
      plan[index] = order.map { plan[index][$0.offset] }
    default:
      // To another owner.
      let other = (index + 1) % owners
      guard count > 0 else { return }
      let place = Int.random(in: 0..<count, using: &generator)
      let target = Int.random(in: 0...plan[other].count, using: &generator)
      let track = view.object(at: place)
      let number = plan[index].remove(at: place)
      view.removeObject(at: place)
      try context.all(entity, sortedBy: "name")[other].mutableOrderedSetValue(forKey: "tracks").insert(
        track, at: target)
      plan[other].insert(number, at: target)
    }
  }

  /// The order as the file has it.
  private struct File {
    let raw: RawStore
    let isJoin: Bool

    private var rows: (table: String, owner: String, member: String, order: String) {
      isJoin
        ? ("Z_3TRACKS", "Z_3PLAYLISTS", "Z_4TRACKS", "Z_FOK_4TRACKS") : ("ZTRACK", "ZALBUM", "Z_PK", "Z_FOK_ALBUM")
    }

    func lists(_ count: Int) throws -> [[Int]] {
      let found = try raw.rows(
        "SELECT o.ZNAME, t.ZNUMBER FROM \(rows.table) m JOIN \(isJoin ? "ZPLAYLIST" : "ZALBUM") o ON o.Z_PK = m.\(rows.owner) "
          + "JOIN ZTRACK t ON t.Z_PK = m.\(rows.member) ORDER BY 1, m.\(rows.order), t.Z_PK"
      ).map { $0.split(separator: "|") }
      return (0..<count).map { owner in found.filter { $0[0] == "o\(owner)" }.compactMap { Int($0[1]) } }
    }

    func doubles() throws -> [String] {
      try raw.rows(
        "SELECT 1 FROM \(rows.table) WHERE \(rows.owner) NOTNULL GROUP BY \(rows.owner), \(rows.order) "
          + "HAVING COUNT(*) > 1 AND \(rows.order) BETWEEN 1 AND \(1 << 50)")
    }

    func damage(keepsOrder: Bool, _ generator: inout SeededGenerator) throws {
      let (table, owner, _, order) = rows
      func unlessHuge(_ value: String) -> String {
        "CASE WHEN (SELECT MAX(\(order)) FROM \(table)) < (1 << 58) THEN \(value) ELSE \(order) END"
      }
      let value: String
      switch Int.random(in: 0..<(keepsOrder ? 4 : 8), using: &generator) {
      case 0: value = "\(order) - 1000000"
      case 1: value = unlessHuge("\(order) + (1 << 60)")
      case 2: value = unlessHuge("\(order) * 3")
      case 3:
        // No room anywhere.
        let ids = try raw.rows("SELECT ROWID FROM \(table) WHERE \(owner) NOTNULL ORDER BY \(owner), \(order)")
        if ids.isEmpty { return }
        value = "CASE ROWID " + ids.enumerated().map { "WHEN \($1) THEN \($0 + 1)" }.joined(separator: " ") + " END"
      case 4: value = "NULL"
      case 5: value = "7"
      case 6: value = "-\(order)"
      default: value = "CASE WHEN ABS(RANDOM()) % 2 THEN NULL ELSE \(order) / 3000 END"
      }
      try raw.rows("UPDATE \(table) SET \(order) = \(value) WHERE \(rows.owner) NOTNULL")
    }
  }
}
