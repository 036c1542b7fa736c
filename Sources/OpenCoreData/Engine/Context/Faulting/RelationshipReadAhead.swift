/// Chooses the owners of a fault batch for which one statement reads the members' keys of a relationship.
///
/// At first a statement reads for one owner only: a program that looks at the members of one object needs no others. As
/// long as the owners are walked in the order of their fault batch, each statement reads twice as many as the one before
/// it, so that no more keys are read in vain than were used. Belongs to the context's queue.
final class RelationshipReadAhead {
  /// The place in the fault batch after the last owner that was read; nil before the first.
  private var next: Int?
  private var size = 1
  /// The number of owners that together have a reasonable number of members.
  private var mostOwners = Int.max
  /// The owners that the last statement read the keys for, and the place among them that was asked for last.
  private var owners: ContiguousArray<Int64> = []
  private var lastAsked = 0
  /// The members of these owners, which fire together.
  private var members: FaultBatch?
  /// How many more times the whole fault batch may be searched for an owner that is not near the last one. Reading ahead
  /// does not help a walk without any order, which must not pay for the search each time.
  private var searches = 8
  /// The distance from the last owner within which the next one is searched, once `searches` is used up.
  private static let reach = 1024

  /// The owner with that key, and those after it whose keys are wanted with it.
  func owners(
    with key: Int64, of keys: ContiguousArray<Int64>, limit: Int, isAtHand: (Int64) -> Bool
  ) -> ContiguousArray<Int64> {
    owners = [key]
    (members, lastAsked) = (nil, 0)
    guard let place = place(of: key, in: keys) else {
      size = 1
      return owners
    }
    let isWalk = next.map { place >= $0 && place - $0 <= size } ?? false
    size = isWalk ? max(1, min(size * 2, limit, mostOwners)) : 1
    // Where most owners have been read already, the search for unread owners ends soon.
    let end = min(keys.count, place + 4 * size)
    var candidate = place + 1
    while candidate < end, owners.count < size {
      if keys[candidate] > 0, !isAtHand(keys[candidate]) { owners.append(keys[candidate]) }
      candidate += 1
    }
    next = candidate
    return owners
  }

  /// Searches outwards from the last place: most walks continue next to it.
  private func place(of key: Int64, in keys: ContiguousArray<Int64>) -> Int? {
    let start = min(next ?? 0, keys.count)
    let reach = searches > 0 ? keys.count : Self.reach
    var distance = 0
    while distance <= reach, start - distance > 0 || start + distance < keys.count {
      if start + distance < keys.count, keys[start + distance] == key { break }
      if start - distance > 0, keys[start - distance - 1] == key { break }
      distance += 1
    }
    if distance > Self.reach { searches -= 1 }
    if start + distance < keys.count, keys[start + distance] == key { return start + distance }
    if start - distance > 0, keys[start - distance - 1] == key { return start - distance - 1 }
    return nil
  }

  /// The keys that the last statement read, with the moment of its transaction. They are kept here because the row
  /// cache does not take keys that are older than another context's save.
  private var found: (moment: UInt64, keys: [Int64: KeyArray]) = (0, [:])

  /// Whether the program reads the members' values, too: then the next statement reads their rows with their keys.
  var readsRows: Bool {
    if owners.count == 1 { wantsRows = false } else if members?.hasFired == true { wantsRows = true }
    return wantsRows
  }
  private var wantsRows = false

  /// The keys of an owner's members, if they were read with those of others at that moment.
  func keys(of owner: Int64, at moment: UInt64) -> KeyArray? {
    // A store without transactions shows another state after each save, always at the same moment.
    found.moment == moment && moment != .max ? found.keys[owner] : nil
  }

  /// Notes what was read for `owners`. Where owners have many members, the next statement reads those of fewer.
  func note(
    _ found: [Int64: KeyArray], at moment: UInt64, layout: EntityLayout, origin: NSPropertyDescription?, keyLimit: Int
  ) {
    self.found = (moment, found)
    var keys: ContiguousArray<Int64> = []
    for owner in owners { keys += found[owner]?.keys ?? [] }
    members = FaultBatch(keys, layout: layout, origin: origin)
    mostOwners = max(1, keyLimit / max(1, keys.count / owners.count))
  }

  /// The members of all objects of the fault batch, if they were prefetched.
  private var prefetched: FaultBatch?

  /// Notes that the members' rows were prefetched for all objects of the fault batch.
  func notePrefetch(of members: FaultBatch) { prefetched = members }

  /// Takes the members' fault batches out of this object.
  func takeMembers() -> [FaultBatch] {
    defer { (members, prefetched) = (nil, nil) }
    return [members, prefetched].compactMap { $0 }
  }

  /// The fault batch that an owner's members belong to, if its keys were read with those of others.
  func memberBatch(of owner: Int64) -> FaultBatch? {
    if let prefetched { return prefetched }
    guard let members else { return nil }
    for place in lastAsked..<owners.count where owners[place] == owner {
      lastAsked = place
      return members
    }
    return nil
  }
}
