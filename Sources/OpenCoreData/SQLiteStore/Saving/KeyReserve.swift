/// The primary keys of one root entity that this connection may give out.
///
/// Z_MAX in Z_PRIMARYKEY is the last key that is taken. Raising it changes a page of the file, which is half of the data that
/// a save of one object writes. So a connection that saves a few objects again and again raises Z_MAX for its later saves,
/// too. When the store is closed, the connection gives back the keys that are left. After a crash they remain a gap, like
/// that of a failed save.
struct KeyReserve {
  /// The key that was given out last.
  private(set) var last: Int64
  /// The value of Z_MAX in the file, if nobody else has changed it.
  private(set) var end: Int64
  /// How many times in a row this connection has raised Z_MAX without anybody else having done so in between.
  private var turns = 0

  /// - Parameter last: the value of Z_MAX; no keys are reserved yet.
  init(last: Int64) {
    self.last = last
    end = last
  }

  /// The number of turns in a row from which Z_MAX is raised for later saves, too.
  static let turnsBefore = 8
  /// How many keys are then reserved at once.
  static let ahead: Int64 = 64

  var hasRest: Bool { end > last }

  /// Returns the first of `count` keys, if so many are left.
  mutating func take(_ count: Int64) -> Int64? {
    guard end - last >= count else { return nil }
    defer { last += count }
    return last + 1
  }

  /// Returns the value to which Z_MAX must be raised so that there are `count` keys.
  func nextEnd(for count: Int64) -> Int64 { last + (turns < Self.turnsBefore ? count : max(count, Self.ahead)) }

  /// Returns the first of `count` keys after Z_MAX has been raised from `end` to `newEnd`.
  mutating func take(_ count: Int64, movingTo newEnd: Int64) -> Int64 {
    end = newEnd
    turns += 1
    defer { last += count }
    return last + 1
  }
}

extension SQLiteConnection {
  /// Lowers Z_MAX to the last key that was given out, unless others have given out later keys. If that fails, a gap remains.
  func returnKeys() {
    guard !isInTransaction, keyReserves.values.contains(where: \.hasRest) else { return }
    // The timeout is 0 because this must not wait for another process's lock.
    waitForLocks(0)
    for (root, reserve) in keyReserves where reserve.hasRest {
      _ = try? moveLastKey(of: root, from: reserve.end, to: reserve.last)
    }
    keyReserves.removeAll()
  }

  /// Sets Z_MAX to `new`.
  /// - Returns: false, and nothing is changed, if Z_MAX was not `last`.
  func moveLastKey(of root: Int, from last: Int64, to new: Int64) throws -> Bool {
    let statement = try statement(.moveLastKey)
    statement.bind(new, at: 1)
    statement.bind(Int64(root), at: 2)
    statement.bind(last, at: 3)
    try statement.run()
    return changes > 0
  }
}
