/// Finds keys for runs of members among others that keep theirs, whose keys are read only where they are neighbours.
///
/// A run gets keys between its neighbours'. Where there is no room, the neighbours are numbered anew with it, twice as many
/// of them each time. The more of them there are, the more room has to be left, so that what is written comes to few
/// keys for each insertion, wherever members are inserted.
package struct SortKeyPlacing {
  /// The new keys by the positions of members: of the runs, and of neighbours that are numbered anew.
  package private(set) var keys: [Int: Int64] = [:]
  private let count: Int
  private let runs: [Range<Int>]

  /// The distance of members that come to the front, where the room there is no more than usual.
  private static let frontDistance: Int64 = 128

  /// - Parameters:
  ///   - count: how many members there are.
  ///   - runs: the positions of those that need keys, ascending, with others between the runs.
  package init(count: Int, runs: [Range<Int>]) {
    self.count = count
    self.runs = runs
  }

  /// Fills `keys`.
  /// - Parameters:
  ///   - last: a number that no stored key of these members exceeds; nil if they have none. It is asked for where members
  ///     come behind all others.
  ///   - stored: the key that a member has in the store; nil for none.
  /// - Returns: false where stored keys do not ascend, or are no sort keys, or are used up: then all must be numbered anew.
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
        // Runs that the neighbourhood has reached get their keys with it.
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
          // Behind all others, some of which may be known to the store alone.
          let last = try last()
          if SortKeys.hasRoom(for: high - low, after: last) {
            append(low, high, after: max(last ?? 0, SortKeys.step))
            break
          }
        } else if before <= SortKeys.limit - Int64(high - low + count) * SortKeys.step {
          // Where all are numbered anew, as many again can be put in front of them.
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

  /// The least distance that a neighbourhood of that width must have room for: half as much again with each doubling. Few
  /// neighbours may come close to each other, many must leave room, or all would soon be numbered anew.
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
      // Others will come to the front, too: what is left of the room there is not halved each time.
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
