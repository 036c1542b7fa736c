/// The sparse numbers by which Apple's files order the members of a relationship.
///
/// They start at 2048 and go up by 1024, so that a member can be put between two others without touching those. Where a
/// gap is used up, its neighbourhood is numbered anew: twice as wide each time until there is room.
enum SortKeys {
  static let step: Int64 = 1024
  /// Keys beyond it, or below 1, are taken for none: nothing that a file says may overflow.
  static let limit: Int64 = 1 << 53
  /// The least distance that numbering anew leaves between members.
  private static let leastDistance: Int64 = 128

  /// The key for a member that follows the one with the key `last`.
  static func next(after last: Int64?) -> Int64 { max(last ?? step, step) + step }

  /// Whether that many members can follow the one with the key `last`.
  static func hasRoom(for count: Int, after last: Int64?) -> Bool { (last ?? 0) <= limit - Int64(count) * step }

  /// Makes the keys of members ascend, with few changes. `keys` are those that the members have, nil for none.
  static func ascending(_ keys: [Int64?]) -> [Int64] {
    var result = kept(keys)
    var start = 0
    while let first = result[start...].firstIndex(where: { $0 == nil }) {
      var low = first
      var high = end(of: first, in: result)
      var width = 1
      while !spread(&result, low, high, least: width == 1 ? 1 : leastDistance) {
        low = max(0, low - width)
        high = end(of: min(result.count, high + width), in: result)
        width *= 2
      }
      start = high
    }
    return result.map { $0 ?? 0 }
  }

  /// The first index from `index` on that has a key, or the end.
  private static func end(of index: Int, in keys: [Int64?]) -> Int {
    keys[index...].firstIndex { $0 != nil } ?? keys.count
  }

  /// Numbers the members from `low` to before `high`, between the keys around them; false if there is too little room.
  private static func spread(_ keys: inout [Int64?], _ low: Int, _ high: Int, least: Int64) -> Bool {
    let count = Int64(high - low)
    let before = low > 0 ? keys[low - 1] : nil
    guard high < keys.count, let after = keys[high] else {
      let base = before ?? step
      guard low == 0 || base <= limit - count * step else { return false }
      for index in low..<high { keys[index] = base + step * Int64(index - low + 1) }
      return true
    }
    let distance = (after - (before ?? 0)) / (count + 1)
    if distance < least { return false }
    for index in low..<high { keys[index] = (before ?? 0) + distance * Int64(index - low + 1) }
    return true
  }

  /// The longest run of keys that ascend already; nil for the others.
  private static func kept(_ keys: [Int64?]) -> [Int64?] {
    // Patience sorting: `ends[n]` is the index of the least key that ends a run of n + 1.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: keys.count)
    for index in keys.indices {
      guard let key = keys[index], (1...limit).contains(key) else { continue }
      var low = 0, high = ends.count
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
