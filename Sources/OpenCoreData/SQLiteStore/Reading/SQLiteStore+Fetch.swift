import CSQLite
import Foundation

extension SQLiteStore {
  /// Returns full rows. Rows that the cache has in the same version are not decoded again.
  func selectRows(_ target: FetchTarget, transaction: ReadTransaction) throws -> FetchedRows {
    let entity = try entity(target.layout.entity)
    let codec = codec(entity)
    let plan = try selectPlan(target, entity, .rows)
    let root = target.layout.rootNumber
    let shard = rows.shard(root)
    var decoded = 0
    let fetched = try readFiles(transaction, latest: !target.isContinued) { connection, commit, missing in
      var fetched = FetchedRows(store: self)
      fetched.reserve(plan.lastCount)
      let statement = try connection.statement(plan.statement.text)
      statement.bind(plan)
      var scratch = SnapshotScratch(slots: target.layout.slotCount)
      // Looked up once for the whole fetch: rows that other contexts read meanwhile may be decoded here again.
      let hasKnownRows = transaction.hasOwnRows || !shard.isEmpty
      try collect(statement, target.watch, connection) { row in
        let key = row.int(0)
        guard key > 0 else { throw noKey(key, entity) }
        fetched.keys.append(key)
        if hasKnownRows, let known = shard.get(key, at: commit) ?? transaction.ownRow(key, root: root),
          known.version == row.int(2)
        {
          fetched.rows.append(known)
        } else {
          fetched.rows.append(codec.decode(row, commit: commit, scratch: &scratch))
          decoded += 1
        }
      }
      missing += scratch.missingFiles
      return fetched
    }
    plan.lastCount = fetched.keys.count
    if decoded > 0 { transaction.keep(fetched.rows, in: rows, root: root) }
    return fetched
  }

  /// Returns the error for a row with an impossible key: keys begin at 1, and negative keys belong to objects that were never
  /// saved.
  private func noKey(_ key: Int64, _ entity: SQLEntity) -> NSError {
    NSError(
      coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
      "The store at \(path) is damaged: \(entity.tableName) has a row with the key \(key).", [NSFilePathErrorKey: path])
  }

  /// Returns the keys of the rows only.
  func selectKeys(_ target: FetchTarget, transaction: ReadTransaction) throws -> FetchedRows {
    let entity = try entity(target.layout.entity)
    let plan = try selectPlan(target, entity, .keys)
    return try readFiles(transaction, latest: !target.isContinued) { connection, _, _ in
      var fetched = FetchedRows(store: self)
      let statement = try connection.statement(plan.statement.text)
      statement.bind(plan)
      try collect(statement, target.watch, connection) { row in
        let key = row.int(0)
        guard key > 0 else { throw noKey(key, entity) }
        fetched.keys.append(key)
        if entity.hasSubentities { fetched.entities.append(Int32(truncatingIfNeeded: row.int(1))) }
      }
      return fetched
    }
  }

  /// Returns how many rows match, with offset and limit.
  func selectCount(_ target: FetchTarget, transaction: ReadTransaction) throws -> Int {
    let plan = try selectPlan(target, try entity(target.layout.entity), .count)
    return try readFiles(transaction, latest: !target.isContinued) { connection, _, _ in
      var count = 0
      let statement = try connection.statement(plan.statement.text)
      statement.bind(plan)
      try collect(statement, target.watch, connection) { count = Int($0.int(0)) }
      return count
    }
  }
}
