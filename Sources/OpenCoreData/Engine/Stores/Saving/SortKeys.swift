/// The sparse numbers by which Apple's files order the members of a relationship.
///
/// They start at 2048 and go up by 1024, so that a member can be put between two others without changing their keys. If a
/// gap is used up, the members around it get new keys: twice as many each time until there is room (`SortKeyPlacing`).
package enum SortKeys {
  package static let step: Int64 = 1024
  /// Keys above this limit, or below 1, count as missing, so that no key in a file can cause an overflow.
  package static let limit: Int64 = 1 << 53

  /// Returns the key for a member that follows the one with the key `last`.
  package static func next(after last: Int64?) -> Int64 { max(last ?? step, step) + step }

  /// Returns whether that many members can follow the one with the key `last`.
  package static func hasRoom(for count: Int, after last: Int64?) -> Bool { (last ?? 0) <= limit - Int64(count) * step }

  /// Returns ascending keys for members, with few changes. `keys` are the members' present keys, nil for none.
  package static func ascending(_ keys: [Int64?]) -> [Int64] {
    let kept = kept(keys)
    var runs: [Range<Int>] = []
    for index in kept.indices where kept[index] == nil {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    var placing = SortKeyPlacing(count: keys.count, runs: runs)
    // The keys that are kept ascend, so that a wide enough neighbourhood always has room.
    _ = placing.place(last: { kept.last { $0 != nil } ?? nil }) { kept[$0] }
    var result = kept.map { $0 ?? 0 }
    for (index, key) in placing.keys { result[index] = key }
    return result
  }

  /// Returns the keys of a longest subsequence that ascends already, and nil for the others.
  private static func kept(_ keys: [Int64?]) -> [Int64?] {
    // Patience sorting: `ends[n]` is the index of the least key that ends a subsequence of n + 1 keys.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: keys.count)
    for index in keys.indices {
      guard let key = keys[index], (1...limit).contains(key) else { continue }
      var low = 0, high = ends.count
      // In most cases a key belongs after all others.
      if let last = ends.last, isBelow(keys[last], key) { low = high }
      while low < high {
        let middle = (low + high) >> 1
        if isBelow(keys[ends[middle]], key) { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? ends[low - 1] : -1
      if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var result = [Int64?](repeating: nil, count: keys.count)
    var index = ends.last ?? -1
    while index >= 0 {
      result[index] = keys[index]
      index = previous[index]
    }
    return result
  }

  private static func isBelow(_ left: Int64?, _ right: Int64) -> Bool { left.map { $0 < right } ?? true }
}
