import CSQLite
import Foundation

// Prefetches a to-many relationship whose members' rows name their owner: one statement reads keys and rows.
extension SQLiteStore {
  /// Returns the keys of the members of many owners, in the order of the owners. The rows of the members go to the row cache.
  /// - Parameters:
  ///   - isEveryOwner: whether the owners are all objects of their entity. Then reading the whole table of the members takes
  ///     less than half the time of a search for the members of each owner.
  ///   - readsRowsAgain: whether rows that are in the row cache may be read again.
  /// - Returns: nil if the members are in a join table or have an order, or if many rows of their entity are in the row cache
  ///   already and must not be read again.
  func selectMembersWithRows(
    of owners: ContiguousArray<Int64>, _ toMany: SQLToMany, id: RelationID, isEveryOwner: Bool,
    readsRowsAgain: Bool, transaction: ReadTransaction
  ) throws -> ContiguousArray<KeyArray>? {
    guard case .foreignKey(_, let column, _, nil) = toMany.storage,
      let inverse = toMany.relationship.inverseRelationship
    else { return nil }
    let destination = schema.destination(of: toMany)
    let layout = destination.entity.layout
    guard let slot = layout.slot(named: inverse.name), slot.kind == .toOne,
      readsRowsAgain || self.rows.shard(layout.rootNumber).rowCount <= owners.count
    else { return nil }
    let codec = codec(destination)
    let (members, commit) = try readFiles(transaction, latest: false) { connection, commit, missing in
      var members = OwnedRows(of: owners, slot: slot, hasEntities: destination.hasSubentities)
      if isEveryOwner, try readEvery(&members, codec, connection, commit, &missing) { return (members, commit) }
      members.removeAll()
      missing = []
      let statement = try connection.statement(
        plans.text(.ownedRows(id)) {
          try SQLRowReading(entity: destination).ofOwners(column).statement(schema.dialect)
        })
      if case .text(let list) = SQLValue(keys: owners) { statement.bind(list, at: 1) }
      try collect(statement, codec, commit, &missing) { members.add($0, entity: $1) }
      return (members, commit)
    }
    let keys = members.keys(commit: commit)
    transaction.keep(members.rows, in: self.rows, root: layout.rootNumber)
    transaction.keep(zip(owners, keys).map { ($0, $1) }, in: self.rows, relation: id)
    return keys
  }

  /// Reads all rows of the members' entity.
  /// - Returns: false if this was given up because so many of them belong to other owners, or to none.
  private func readEvery(
    _ members: inout OwnedRows, _ codec: RowCodec, _ connection: SQLiteConnection, _ commit: UInt64,
    _ missing: inout [String]
  ) throws -> Bool {
    var strangersLeft = 1000 + 4 * members.ownerCount
    let sql = try plans.text(.everyRow(codec.entity.number)) {
      try SQLRowReading(entity: codec.entity).all.statement(schema.dialect)
    }
    try collect(try connection.statement(sql), codec, commit, &missing, while: { strangersLeft > 0 }) {
      if !members.add($0, entity: $1) { strangersLeft -= 1 }
    }
    return strangersLeft > 0
  }

  /// Steps through the rows of a statement and counts them. `body` gets each row with its Z_ENT.
  @inline(__always)
  private func collect(
    _ statement: SQLiteStatement, _ codec: RowCodec, _ commit: UInt64, _ missing: inout [String],
    while goesOn: () -> Bool = { true }, _ body: (consuming Snapshot, Int64) -> Void
  ) throws {
    var scratch = SnapshotScratch(slots: codec.entity.entity.layout.slotCount)
    statement.begin()
    var count = 0
    defer {
      statement.rowCount = count
      statement.reset()
      CoreDataInstruments.add(CoreDataInstruments.rows, count)
    }
    while goesOn(), try statement.step() {
      count += 1
      body(codec.decode(statement, commit: commit, scratch: &scratch), statement.int(1))
    }
    missing += scratch.missingFiles
  }
}
