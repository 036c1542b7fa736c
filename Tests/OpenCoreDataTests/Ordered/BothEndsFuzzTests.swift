import CoreData
import Testing

/// Random changes of relationships of tracks with tracks: both ends ordered, and one that is its own inverse.
@Suite struct BothEndsFuzzTests {
  private let count = 7

  /// By the number of a track: the numbers of its members. `ends` are the names of the two ends.
  private struct Plan: Equatable {
    let ends: [String]
    var lists: [[[Int]]]

    init(_ ends: [String], _ count: Int) {
      self.ends = ends
      lists = Array(repeating: Array(repeating: [], count: count), count: ends.count)
    }

    var isOwnInverse: Bool { ends.count == 1 }

    mutating func add(_ end: Int, _ owner: Int, _ member: Int, at index: Int) {
      if lists[end][owner].contains(member) { return }
      lists[end][owner].insert(member, at: index)
      let back = isOwnInverse ? 0 : 1 - end
      if !lists[back][member].contains(owner) { lists[back][member].append(owner) }
    }

    mutating func remove(_ end: Int, _ owner: Int, _ member: Int) {
      lists[end][owner].removeAll { $0 == member }
      lists[isOwnInverse ? 0 : 1 - end][member].removeAll { $0 == owner }
    }
  }

  @Test(arguments: RandomSeeds.seeds(2), TestStore.all) func bothEndsOrdered(seed: UInt64, _ store: TestStore) throws {
    try check(store, ["followers", "leaders"], seed)
  }

  @Test(arguments: RandomSeeds.seeds(2), TestStore.all) func ownInverse(seed: UInt64, _ store: TestStore) throws {
    try check(store, ["similar"], seed)
  }

  private func check(_ store: TestStore, _ ends: [String], _ seed: UInt64) throws {
    print("\(ends): SEED=\(seed), \(store.name)")
    var generator = SeededGenerator(seed: seed)
    let coordinator = try Music.coordinator(store)
    try coordinator.inContext { context in
      _ = Music.tracks(count, context, entity: "Song")
      try context.save()
    }
    var saved = Plan(ends, count)
    for _ in 0..<10 {
      try coordinator.inContext { context in
        for _ in 0..<4 {
          var plan = saved
          for _ in 0..<Int.random(in: 1...10, using: &generator) { try change(context, &plan, &generator) }
          if Int.random(in: 0..<4, using: &generator) == 0 {
            context.rollback()
            plan = saved
          } else {
            try context.save()
          }
          try compare(context, plan)
          saved = plan
          if Bool.random(using: &generator) { context.refreshAllObjects() }
        }
      }
      try coordinator.inContext { try compare($0, saved) }
    }
  }

  private func change(_ context: NSManagedObjectContext, _ plan: inout Plan, _ generator: inout SeededGenerator) throws
  {
    let tracks = try context.all("Track", sortedBy: "number")
    let end = Int.random(in: 0..<plan.ends.count, using: &generator)
    let owner = Int.random(in: 0..<count, using: &generator), member = Int.random(in: 0..<count, using: &generator)
    let view = tracks[owner].mutableOrderedSetValue(forKey: plan.ends[end])
    let list = plan.lists[end][owner]
    switch Int.random(in: 0..<4, using: &generator) {
    case 0:
      view.add(tracks[member])
      plan.add(end, owner, member, at: list.count)
    case 1:
      let index = Int.random(in: 0...list.count, using: &generator)
      view.insert(tracks[member], at: index)
      plan.add(end, owner, member, at: index)
    case 2:
      view.remove(tracks[member])
      plan.remove(end, owner, member)
    default:
      guard !list.isEmpty else { return }
      let from = Int.random(in: 0..<list.count, using: &generator)
      let to = Int.random(in: 0..<list.count, using: &generator)
      view.moveObjects(at: [from], to: to)
      plan.lists[end][owner].insert(plan.lists[end][owner].remove(at: from), at: to)
    }
  }

  private func compare(_ context: NSManagedObjectContext, _ plan: Plan) throws {
    let tracks = try context.all("Track", sortedBy: "number")
    for (end, name) in plan.ends.enumerated() {
      let found = tracks.map { $0.list(name).map { $0.number("number") ?? -1 } }
      try #require(found == plan.lists[end], "\(name)")
    }
  }
}
