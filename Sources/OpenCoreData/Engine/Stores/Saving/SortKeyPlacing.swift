/// Finds keys for runs of members. The other members keep their keys, which are read only if they are next to a run.
///
/// A run gets keys between those of its neighbours. If there is no room, neighbours get new keys together with the run,
/// twice as many neighbours each time. The more neighbours there are, the more room must be left between the new keys, so
/// that each insertion writes only a few keys on average, wherever members are inserted.
package struct SortKeyPlacing {
  /// The new keys by the positions of members: of the runs, and of neighbours that get new keys.
  package private(set) var keys: [Int: Int64] = [:]
  private let count: Int
  private let runs: [Range<Int>]

  /// The distance of the keys of members that come to the front, if there is no more room than usual.
  private static let frontDistance: Int64 = 128

  /// - Parameters:
  ///   - count: how many members there are.
  ///   - runs: the positions of the members that need keys, ascending, with other members between the runs.
  package init(count: Int, runs: [Range<Int>]) {
    self.count = count
    self.runs = runs
  }

  /// Fills `keys`.
  /// - Parameters:
  ///   - last: returns a number that no stored key of these members exceeds; nil if they have no keys. It is called if
  ///     members come behind all others.
  ///   - stored: returns the key that a member has in the store; nil for none.
  /// - Returns: false if stored keys do not ascend, or are no sort keys, or are used up: all members need new keys then.
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
        // Runs that the neighbourhood has reached get their keys together with it.
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
          // The run comes behind all other members, some of which may be known only to the store.
          let last = try last()
          if SortKeys.hasRoom(for: high - low, after: last) {
            append(low, high, after: max(last ?? 0, SortKeys.step))
            break
          }
        } else if before <= SortKeys.limit - Int64(high - low + count) * SortKeys.step {
          // If all members get new keys, the same number of members can later be put in front of them.
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

  /// Returns the least distance that a neighbourhood of that width must have room for. It doubles with every second doubling
  /// of the width: few neighbours may be close together, but many must leave room, or all would soon need new keys.
  private static func leastDistance(among width: Int) -> Int64 {
    let doublings = width.bitWidth - width.leadingZeroBitCount
    return min(512, (doublings % 2 == 0 ? 4 : 6) << Int64(doublings / 2))
  }

  private mutating func append(_ low: Int, _ high: Int, after last: Int64) {
    for index in low..<high { keys[index] = last + SortKeys.step * Int64(index - low + 1) }
  }

  /// Gives new keys to the members from `low` up to `high`, between the keys around them; false if there is too little room.
  private mutating func spread(
    _ low: Int, _ high: Int, between before: Int64, _ after: Int64, _ width: Int
  ) -> Bool {
    let places = Int64(high - low)
    var distance = (after - before) / (places + 1)
    if width == 0 {
      if distance < 1 { return false }
      // More members will come to the front, so the remaining room there must not be halved each time.
      if low == 0, distance < SortKeys.step { distance = min(distance, Self.frontDistance) }
      if low == 0 { distance = min(distance, SortKeys.step) }
    } else if low == 0 {
      // The members get the upper half of the room; the rest is left to members that will come to the front.
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
