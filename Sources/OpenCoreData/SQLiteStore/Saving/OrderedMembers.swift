import CSQLite

/// The stored members of one owner's ordered relationship, in the transaction of a save.
struct OrderedMembers {
  private let statements: SQLMemberOrder
  private let id: RelationID
  private let owner: Int64
  private let dialect: any SQLDialect
  private let connection: SQLiteConnection

  init(
    _ statements: SQLMemberOrder, _ id: RelationID, owner: Int64, _ dialect: any SQLDialect,
    _ connection: SQLiteConnection
  ) {
    (self.statements, self.id, self.owner, self.dialect) = (statements, id, owner, dialect)
    self.connection = connection
  }

  /// Puts `new` behind all other members.
  func append(_ new: ContiguousArray<Int64>) throws {
    if new.isEmpty { return }
    var last = try last()
    guard SortKeys.hasRoom(for: new.count, after: last) else {
      let moved = Set(new)
      return try arrange(ContiguousArray(try stored().lazy.map(\.key).filter { !moved.contains($0) }) + new)
    }
    let statement = try writing()
    for key in new {
      let next = SortKeys.next(after: last)
      try write(next, for: key, statement)
      last = next
    }
    note(last)
  }

  /// Gives new sort keys to the members in `runs` of positions, and to as many of their neighbours as needed. The other
  /// members are known to be in order already.
  /// - Parameter member: returns the key of the row at a position among `count`.
  /// - Returns: false if the members in the store are not those that the context knows; then nothing is written.
  func place(_ runs: [Range<Int>], among count: Int, member: (Int) -> Int64) throws -> Bool {
    var placing = SortKeyPlacing(count: count, runs: runs)
    let reading = try reading()
    guard try placing.place(last: last, stored: { try sortKey(of: member($0), reading) }) else { return false }
    let statement = try writing()
    for (index, key) in placing.keys { try write(key, for: member(index), statement) }
    if let known = connection.lastSortKeys[place], let highest = placing.keys.values.max() { note(max(known, highest)) }
    return true
  }

  /// Gives the wanted members sort keys that ascend in this order. Other stored members are put behind them.
  func arrange(_ wanted: ContiguousArray<Int64>) throws {
    let stored = try stored()
    let known = Dictionary(stored.map { ($0.key, $0.sortKey) }, uniquingKeysWith: { first, _ in first })
    let named = Set(wanted)
    let members = wanted.filter { known[$0] != nil } + stored.lazy.map(\.key).filter { !named.contains($0) }
    let old = members.map { known[$0] ?? nil }
    let new = SortKeys.ascending(old)
    let statement = try writing()
    for (key, (old, new)) in zip(members, zip(old, new)) where old != new { try write(new, for: key, statement) }
    note(new.last)
  }

  // MARK: The highest key

  private var place: SortKeyPlace { SortKeyPlace(relation: id, owner: owner) }

  /// Returns a number that no sort key of the members exceeds; nil if there are no sort keys. An earlier save may have found
  /// it. Otherwise it is read now, which looks at all members.
  private func last() throws -> Int64? {
    if let known = connection.lastSortKeys[place] { return known }
    let statement = try statement(.highest) { try statements.highest.statement(dialect) }
    statement.bind(owner, at: 1)
    statement.begin()
    defer { statement.reset() }
    let last = try statement.step() && !statement.isNull(0) ? statement.int(0) : nil
    note(last)
    return last
  }

  private func note(_ last: Int64?) {
    if connection.lastSortKeys.count >= 1024 { connection.lastSortKeys.removeAll(keepingCapacity: true) }
    connection.lastSortKeys[place] = last
  }

  // MARK: Rows

  private func stored() throws -> [(key: Int64, sortKey: Int64?)] {
    let statement = try statement(.members) { try statements.members.statement(dialect) }
    statement.bind(owner, at: 1)
    statement.begin()
    defer { statement.reset() }
    var result: [(key: Int64, sortKey: Int64?)] = []
    while try statement.step() { result.append((statement.int(0), statement.isNull(1) ? nil : statement.int(1))) }
    return result
  }

  private func reading() throws -> SQLiteStatement {
    try statement(.sortKey) { try statements.sortKey.statement(dialect) }
  }

  /// Returns the sort key of a member; nil if the member has none, or if the row is not a member of the owner.
  private func sortKey(of member: Int64, _ statement: SQLiteStatement) throws -> Int64? {
    statement.bind(member, at: 1)
    statement.bind(owner, at: 2)
    statement.begin()
    defer { statement.reset() }
    return try statement.step() && !statement.isNull(0) ? statement.int(0) : nil
  }

  private func writing() throws -> SQLiteStatement {
    try statement(.placing) { try statements.placing.statement(dialect) }
  }

  private func write(_ sortKey: Int64, for member: Int64, _ statement: SQLiteStatement) throws {
    statement.bind(sortKey, at: 1)
    statement.bind(member, at: 2)
    statement.bind(owner, at: 3)
    try statement.run()
  }

  private func statement(
    _ use: PlanCache.OrderUse, _ make: () throws -> SQLStatement
  ) throws -> SQLiteStatement {
    try connection.statement(for: .ofOrder(id, use), make)
  }
}

/// The owner and the relationship for which a connection knows the highest sort key.
struct SortKeyPlace: Hashable {
  let relation: RelationID
  let owner: Int64
}
