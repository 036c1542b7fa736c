/// Finds keys for runs of members among other members, which keep their keys. The others' keys are read only if they are
/// neighbours of a run.
///
/// A run gets keys between those of its neighbours. If there is no room, the neighbours get new keys together with it, twice
/// as many neighbours each time. The more of them there are, the more room has to be left between the keys. So each insertion
/// writes few keys, wherever members are inserted.
package struct SortKeyPlacing {
  /// The new keys by the positions of members: of the runs, and of neighbours that are numbered anew.
  package private(set) var keys: [Int: Int64] = [:]
  private let count: Int
  private let runs: [Range<Int>]

  /// The distance between members that are put at the front, if there is no more room than usual.
  private static let frontDistance: Int64 = 128

  /// - Parameters:
  ///   - count: the number of members.
  ///   - runs: the positions of those that need keys, ascending, with others between the runs.
  package init(count: Int, runs: [Range<Int>]) {
    self.count = count
    self.runs = runs
  }

  /// Fills `keys`.
  /// - Parameters:
  ///   - last: returns a number that no stored key of these members exceeds; nil if they have none. It is called if members
  ///     come behind all others.
  ///   - stored: returns the key that a member has in the store; nil for none.
  /// - Returns: false if stored keys do not ascend, are no sort keys, or are used up. All members need new keys then.
  package mutating func place(last: () throws -> Int64?, stored: (Int) throws -> Int64?) rethrows -> Bool {
    func key(_ index: Int) throws -> Int64? {
      guard let key = try keys[index] ?? stored(index), (1...SortKeys.limit).contains(key) else { return nil }
      return key
    }
    var next = 0
    while next < runs.count {
      var low = runs[next].lowerBound
      var high = runs[next].upperBound
      next += 1
      var width = 0
      while true {
        // Runs that lie in the neighbourhood get their keys together with it.
        while next < runs.count, runs[next].lowerBound <= high {
          high = max(high, runs[next].upperBound)
          next += 1
        }
        var before: Int64 = 0
        if low > 0, width > 0 || high < count {
          guard let known = try key(low - 1) else { return false }
          before = known
        }
        if high < count {
          guard let after = try key(high), before < after else { return false }
          if spread(low, high, between: before, after, width) { break }
        } else if width == 0 {
          // The members come behind all others, some of which may be known only to the store.
          let last = try last()
          if SortKeys.hasRoom(for: high - low, after: last) {
            append(low, high, after: max(last ?? 0, SortKeys.step))
            break
          }
        } else if before <= SortKeys.limit - Int64(high - low + count) * SortKeys.step {
          // All members get new keys. The room in front of them is enough for as many members again.
          append(low, high, after: low > 0 ? before : Int64(count) * SortKeys.step)
          break
        }
        if low == 0, high == count { return false }
        width = max(1, width * 2)
        low = max(0, low - width)
        high = min(count, high + width)
      }
    }
    return true
  }

  /// The least distance between the keys of a neighbourhood of that width. It grows by half with each doubling: a few
  /// neighbours may be close to each other, but many must leave room, or else all members would soon need new keys.
  private static func leastDistance(among width: Int) -> Int64 {
    let doublings = width.bitWidth - width.leadingZeroBitCount
    return min(512, (doublings % 2 == 0 ? 4 : 6) << Int64(doublings / 2))
  }

  private mutating func append(_ low: Int, _ high: Int, after last: Int64) {
    for index in low..<high { keys[index] = last + SortKeys.step * Int64(index - low + 1) }
  }

  /// Numbers the members from `low` to before `high`, between the keys around them; false if there is too little room.
  private mutating func spread(
    _ low: Int, _ high: Int, between before: Int64, _ after: Int64, _ width: Int
  ) -> Bool {
    let places = Int64(high - low)
    var distance = (after - before) / (places + 1)
    if width == 0 {
      if distance < 1 { return false }
      // More members will be put at the front later, so the room there is not halved each time.
      if low == 0, distance < SortKeys.step { distance = min(distance, Self.frontDistance) }
      if low == 0 { distance = min(distance, SortKeys.step) }
    } else if low == 0 {
      // The members keep the upper half, and leave the rest to those that will come to the front.
      if distance < 2 * Self.frontDistance { return false }
      distance = min(distance / 2, SortKeys.step)
    } else if distance < Self.leastDistance(among: width) {
      return false
    }
    let first = low == 0 ? after - distance * places : before + distance
    for index in low..<high { keys[index] = first + distance * Int64(index - low) }
    return true
  }
}
