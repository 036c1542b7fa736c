/// The rows that are cached in a model of a store: a value with the rules of `RowShard`, so that a state can be copied
/// and compared. `ModelRowCacheTests` holds it against that class.
struct ModelRowCache: Hashable {
  struct Row: Hashable {
    /// Which commit of the model's database has written the row.
    var content: Int
    /// The commit that it is dated with.
    var date: UInt64
  }

  private(set) var floor: UInt64 = 1
  private(set) var rows: [Row?]

  init(keys: Int) { rows = Array(repeating: nil, count: keys) }

  func get(_ key: Int, at date: UInt64) -> Row? {
    guard let row = rows[key], row.date <= date else { return nil }
    return row
  }

  /// - Returns: whether the row is in the cache now.
  @discardableResult
  mutating func put(_ row: Row, _ key: Int) -> Bool {
    guard row.date >= floor else { return false }
    if let known = rows[key], known.date > row.date { return false }
    rows[key] = row
    return true
  }

  mutating func remove(_ key: Int) { rows[key] = nil }

  mutating func raiseFloor(to date: UInt64) { floor = max(floor, date) }

  mutating func removeAll() { for key in rows.indices { rows[key] = nil } }
}
