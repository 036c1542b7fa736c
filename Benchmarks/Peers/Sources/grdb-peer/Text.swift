import GRDB

extension Stores {
  /// Counts ASCII names by SQLite's LIKE, which does not regard case: the names of `TextNames` in the framework's workloads.
  func runText() throws {
    let queue = try new(["CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT)"], replacing: nil)
    try queue.write { database in
      let insert = try database.cachedStatement(sql: "INSERT INTO place (name) VALUES (?)")
      for name in asciiNames(10_000) { try insert.execute(arguments: [name]) }
    }
    let request = Table("place").filter(Column("name").like("%munster 1%"))
    try measure("text-contains-cd-ascii") { try queue.read { try request.fetchCount($0) } }
    try queue.close()
    try removeScratch()
  }

  /// Requests, and upserts.
  func runSaving() throws {
    try runRequests()
    try runUpserts()
  }
}

private func asciiNames(_ count: Int) -> [String] {
  let first = [
    "North", "South", "Old", "New", "Upper", "Lower", "Great", "Little", "East", "West", "Mount", "Lake", "Saint",
    "Fort", "Port", "Castle",
  ]
  let second = [
    "Munster", "Arden", "Barton", "Camden", "Dalton", "Easton", "Fulton", "Garden", "Hilton", "Irving", "Jordan",
    "Kelton", "Linden", "Morton", "Norton", "Overton",
  ]
  var numbers = XorShift(state: 485), order = Array(1...count), shuffling = XorShift(state: 486)
  for place in stride(from: count - 1, to: 0, by: -1) { order.swapAt(place, shuffling.next(below: UInt32(place + 1))) }
  return order.map { number in
    let name = "\(first[numbers.next(below: 16)]) \(second[numbers.next(below: 16)]) \(number)"
    return numbers.next(below: 4) == 0 ? name.uppercased() : name
  }
}

/// The same numbers as in `Baseline/random.c`.
private struct XorShift {
  var state: UInt64

  mutating func next(below limit: UInt32) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(UInt32(truncatingIfNeeded: state >> 11) % limit)
  }
}
