/// The primary keys of one root entity that this connection may assign.
///
/// Z_MAX in Z_PRIMARYKEY is the last key that is taken. Increasing it changes a page of the file, which is half of what a
/// save of one object writes. So a program that saves a few objects again and again takes keys for later saves, too. Keys
/// that are left when the store is closed are given back. After a crash they are lost, as after a save that has failed.
struct KeyReserve {
  /// The key that was given out last.
  private(set) var last: Int64
  /// Z_MAX in the file, if no other program has changed it.
  private(set) var end: Int64
  /// The number of times in a row that it was increased here and by no other program.
  private var turns = 0

  /// - Parameter last: Z_MAX, of which nothing is reserved.
  init(last: Int64) {
    self.last = last
    end = last
  }

  /// The number of times in a row after which keys are taken for later saves.
  static let turnsBefore = 8
  /// The number of keys that are taken at once then.
  static let ahead: Int64 = 64

  var hasRest: Bool { end > last }

  /// The first of `count` keys, if that many are left.
  mutating func take(_ count: Int64) -> Int64? {
    guard end - last >= count else { return nil }
    defer { last += count }
    return last + 1
  }

  /// The value to which Z_MAX must be set for `count` keys.
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
    // The timeout is 0, because this clean-up must not wait for another process's lock.
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
