import CSQLite
import Foundation

// Reads rows for faults and relationships. The rows go to the row cache, with the commit of the read transaction.
extension SQLiteStore {
  /// The numbers of variables that the statements for batches of keys have. Unused variables are bound to NULL, which is no
  /// row's key.
  private static let batchSizes = [1, 2, 4, 8, 16, 32, 64, 256]

  /// Returns the rows of `keys`, in no particular order and without those that do not exist, and whether the row cache took
  /// them.
  func selectRows(
    withKeys keys: ContiguousArray<Int64>, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> (rows: ContiguousArray<Snapshot>, areCached: Bool) {
    let codec = codec(try entity(layout.entity))
    let rows = try readFiles(transaction, latest: false) { try readRows(keys, codec, $0, commit: $1, missing: &$2) }
    return (rows, transaction.keep(rows, in: self.rows, root: layout.rootNumber))
  }

  /// Returns the rows of `keys` as the connection sees them now, in the order of their keys. The connection has a transaction
  /// that writes, so that no file of a value can go meanwhile; one that is missing is reported.
  func readRows(
    _ keys: ContiguousArray<Int64>, _ codec: RowCodec, _ connection: SQLiteConnection, commit: UInt64
  ) throws -> ContiguousArray<Snapshot> {
    var missing: [String] = []
    defer { for name in missing { codec.external.reportMissing(name) } }
    return try readRows(keys, codec, connection, commit: commit, missing: &missing)
  }

  /// Returns the rows of `keys` as the connection sees them now, in the order of their keys.
  /// - Parameter missing: gets the names of files of external values that are missing.
  private func readRows(
    _ keys: ContiguousArray<Int64>, _ codec: RowCodec, _ connection: SQLiteConnection, commit: UInt64,
    missing: inout [String]
  ) throws -> ContiguousArray<Snapshot> {
    let keys = Self.ascending(keys)
    var rows: ContiguousArray<Snapshot> = []
    rows.reserveCapacity(keys.count)
    var scratch = SnapshotScratch(slots: codec.entity.entity.layout.slotCount)
    var start = 0
    while start < keys.count {
      let left = keys.count - start
      let size = Self.batchSizes.first { $0 >= left } ?? Self.batchSizes[Self.batchSizes.count - 1]
      let count = min(left, size)
      let statement = try connection.statement(
        plans.text(.rowsByKey(codec.entity.number, size)) {
          try SQLRowReading(entity: codec.entity).byKeys(size).statement(schema.dialect)
        })
      for place in 0..<count { statement.bind(keys[start + place], at: Int32(place + 1)) }
      for place in count..<size { statement.bindNull(at: Int32(place + 1)) }
      try collect(statement) { rows.append(codec.decode($0, commit: commit, scratch: &scratch)) }
      start += count
    }
    missing += scratch.missingFiles
    return rows
  }

  /// Returns the keys in ascending order, each once. A key that a statement has twice would give its row twice, and rows with
  /// neighbouring keys are on the same page of the file.
  private static func ascending(_ keys: ContiguousArray<Int64>) -> ContiguousArray<Int64> {
    var isAscending = true
    for place in 1..<max(1, keys.count) where keys[place - 1] >= keys[place] {
      isAscending = false
      break
    }
    if isAscending { return keys }
    var result: ContiguousArray<Int64> = []
    result.reserveCapacity(keys.count)
    for key in keys.sorted() where key != result.last { result.append(key) }
    return result
  }

  /// Steps through the rows of a statement and counts them.
  @inline(__always)
  func collect(_ statement: SQLiteStatement, _ body: (SQLiteStatement) throws -> Void) throws {
    statement.begin()
    var count = 0
    defer {
      statement.rowCount = count
      statement.reset()
    }
    while try statement.step() {
      count += 1
      try body(statement)
    }
    CoreDataInstruments.add(CoreDataInstruments.rows, count)
  }

  // MARK: To-many relationships

  /// Returns the keys of the members of one owner's relationship. If it is ordered, they are in the order of their sort keys,
  /// and members without a sort key come first.
  func readRelationKeys(_ owner: Int64, _ toMany: SQLToMany, id: RelationID, transaction: ReadTransaction) throws
    -> KeyArray
  {
    let sql = try relationSQL(toMany, id: id, many: false)
    return try transaction.read(latest: false) { connection, commit in
      let statement = try connection.statement(sql)
      statement.bind(owner, at: 1)
      var keys: ContiguousArray<Int64> = []
      var entities: ContiguousArray<Int32> = []
      let hasEntities = schema.destination(of: toMany).hasSubentities
      try collect(statement) {
        guard $0.int(1) > 0 else { return }
        keys.append($0.int(1))
        if hasEntities { entities.append(Int32(truncatingIfNeeded: $0.int(2))) }
      }
      let array = KeyArray(keys, isOrdered: toMany.relationship.isOrdered, entities: entities, commit: commit)
      transaction.keep(array, of: owner, in: rows, relation: id)
      return array
    }
  }

  /// Returns the keys of the members of many owners at once. Owners without members get an empty array.
  func readRelationKeys(
    _ owners: ContiguousArray<Int64>, _ toMany: SQLToMany, id: RelationID, transaction: ReadTransaction
  ) throws -> [Int64: KeyArray] {
    let sql = try relationSQL(toMany, id: id, many: true)
    return try transaction.read(latest: false) { connection, commit in
      let statement = try connection.statement(sql)
      if case .text(let list) = SQLValue(keys: owners) { statement.bind(list, at: 1) }
      var result: [Int64: KeyArray] = [:]
      result.reserveCapacity(owners.count)
      var group = RelationGroup(isOrdered: toMany.relationship.isOrdered)
      let hasEntities = schema.destination(of: toMany).hasSubentities
      try collect(statement) { row in
        let owner = row.int(0)
        if owner != group.owner { group.flush(into: &result, commit: commit, next: owner) }
        guard row.int(1) > 0 else { return }
        group.keys.append(row.int(1))
        if hasEntities { group.entities.append(Int32(truncatingIfNeeded: row.int(2))) }
      }
      group.flush(into: &result, commit: commit, next: 0)
      for owner in owners where result[owner] == nil {
        result[owner] = KeyArray(ascending: [], entities: [], commit: commit)
      }
      transaction.keep(result.map { ($0.key, $0.value) }, in: rows, relation: id)
      return result
    }
  }

  private struct RelationGroup {
    let isOrdered: Bool
    var owner: Int64 = 0
    var keys: ContiguousArray<Int64> = []
    var entities: ContiguousArray<Int32> = []

    mutating func flush(into result: inout [Int64: KeyArray], commit: UInt64, next: Int64) {
      if owner != 0 {
        result[owner] = KeyArray(keys, isOrdered: isOrdered, entities: entities, commit: commit)
      }
      owner = next
      let size = keys.count
      keys = []
      entities = []
      keys.reserveCapacity(size)
    }
  }

  private func relationSQL(_ toMany: SQLToMany, id: RelationID, many: Bool) throws -> String {
    try plans.text(.relation(id, many)) {
      try SQLMembers(toMany, in: schema).keys(ofMany: many).statement(schema.dialect)
    }
  }
}
