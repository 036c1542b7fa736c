/// The primary keys of one root entity that this connection may give out.
///
/// Z_MAX in Z_PRIMARYKEY says up to where keys are taken. Counting it up changes a page of the file, which is half of what
/// a save of one object writes; so whoever saves a few objects again and again counts it up for later saves, too. What is
/// left of that is given back when the store is closed. After a crash it is a gap, as a save that failed leaves one.
struct KeyReserve {
  /// The key that was given out last.
  private(set) var last: Int64
  /// Z_MAX in the file, if nobody else has changed it.
  private(set) var end: Int64
  /// How many times in a row it was counted up here and by nobody else.
  private var turns = 0

  /// - Parameter last: Z_MAX, of which nothing is reserved.
  init(last: Int64) {
    self.last = last
    end = last
  }

  /// How many turns in a row make it worth it to count up for later saves.
  static let turnsBefore = 8
  /// How many keys are taken at once then.
  static let ahead: Int64 = 64

  var hasRest: Bool { end > last }

  /// The first of `count` keys, if so many are left.
  mutating func take(_ count: Int64) -> Int64? {
    guard end - last >= count else { return nil }
    defer { last += count }
    return last + 1
  }

  /// Where Z_MAX is to be moved to, so that `count` keys are there.
  func nextEnd(for count: Int64) -> Int64 { last + (turns < Self.turnsBefore ? count : max(count, Self.ahead)) }

  /// The first of `count` keys, now that Z_MAX was moved from `end` to `newEnd`.
  mutating func take(_ count: Int64, movingTo newEnd: Int64) -> Int64 {
    end = newEnd
    turns += 1
    defer { last += count }
    return last + 1
  }
}

extension SQLiteConnection {
  /// Counts Z_MAX back to the keys that were given out, unless others have given out more. What fails stays a gap.
  func returnKeys() {
    guard !isInTransaction, keyReserves.values.contains(where: \.hasRest) else { return }
    // With a timeout of 0: this is housekeeping that must not wait for another process's lock.
    waitForLocks(0)
    for (root, reserve) in keyReserves where reserve.hasRest {
      _ = try? moveLastKey(of: root, from: reserve.end, to: reserve.last)
    }
    keyReserves.removeAll()
  }

  /// - Returns: false, with nothing changed, if `last` was not the last key.
  func moveLastKey(of root: Int, from last: Int64, to new: Int64) throws -> Bool {
    let statement = try statement(.moveLastKey)
    statement.bind(new, at: 1)
    statement.bind(Int64(root), at: 2)
    statement.bind(last, at: 3)
    try statement.run()
    return changes > 0
  }
}
