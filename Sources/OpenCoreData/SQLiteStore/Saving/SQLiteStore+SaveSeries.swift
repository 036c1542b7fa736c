import Foundation
import OpenCocoaFoundation

/// Writes parts of a series of new rows, in the transaction that the series has.
struct SeriesWriter {
  /// The first of the keys that are reserved for the new objects, by the name of the root entity.
  let firstKeys: [String: Int64]
  /// Writes the rows of new objects, which have keys of these. What they refer to may be written later.
  let write: (SaveWork) throws -> Void
  /// Writes the order of members, all of which have been written.
  let arrange: (PlannedOrder) throws -> Void
}

// Many new rows in one transaction, batch by batch.
extension SQLiteStore {
  /// Writes new rows in one transaction. They do not come into the row cache, and nobody is told of them but readers of the
  /// history, where they are one transaction.
  /// - Parameters:
  ///   - counts: the number of new objects by the name of their root entity.
  ///   - leastForIndexes: how many objects it takes until empty tables get their indexes after their rows.
  ///   - body: hands over the objects. It runs in the transaction, and must neither read the store nor save.
  /// - Throws: the errors of `body`, SQLite's error for a violated uniqueness constraint, 513 if the store is read-only, 134090
  ///   if it stays locked, and the errors of `ExternalWriter.write`. Then the store is unchanged.
  func writeSeries(
    _ counts: [String: Int], _ source: HistorySource, leastForIndexes: Int, _ body: (SeriesWriter) throws -> Void
  ) throws {
    if isReadOnly { throw readOnlyError }
    defer { checkpointAfterBatch() }
    _ = try writer.transaction { connection in
      var changes = BatchChanges()
      changes.changesRelations = true
      var transaction: HistoryPlace?
      let isLong = counts.values.reduce(0, +) >= leastForIndexes
      let indexes = try SeriesIndexes(droppedFrom: isLong ? tables(of: counts.keys) : [], on: connection)
      try body(
        SeriesWriter(
          firstKeys: try reserveKeys(counts, connection),
          write: { work in
            for object in work.inserted { changes.roots.insert(object.layout.rootNumber) }
            try self.write(work, &transaction, source, connection)
          },
          arrange: {
            // It reads the members of an owner.
            try indexes.make()
            try self.writeOrder($0, SaveKeys(), connection)
          }))
      try indexes.make()
      return changes
    } publish: {
      publish($0)
    }
  }

  /// The tables of root entities, and all join tables.
  private func tables(of roots: some Collection<String>) -> [String] {
    let numbers = Set(roots.compactMap { schema.entity(named: $0)?.number })
    return schema.tables.filter { !numbers.isDisjoint(with: $0.entityNumbers) }.map(\.name)
      + schema.tables.flatMap(\.joinTables).map(\.name)
  }

  private func write(
    _ work: SaveWork, _ transaction: inout HistoryPlace?, _ source: HistorySource, _ connection: SQLiteConnection
  ) throws {
    let plan = try SavePlan(work, of: self)
    var keys = SaveKeys()
    keys.transaction = transaction
    try assignKeys(plan.inserted, &keys, connection)
    plan.adopt(keys)
    try writeHistory(plan, &keys, source, connection)
    transaction = keys.transaction
    try insert(plan, keys, connection)
    for members in plan.members { try writeMembers(members, &keys, connection) }
    // The rows that triggers have changed are of no use here: all that the cache has of these entities is forgotten.
    connection.touchedRows.removeAll()
  }

  /// Raises the last keys of root entities, and returns the first of the keys between.
  private func reserveKeys(_ counts: [String: Int], _ connection: SQLiteConnection) throws -> [String: Int64] {
    var first: [String: Int64] = [:]
    for (name, count) in counts {
      guard let root = schema.entity(named: name)?.number else { continue }
      let last = try lastKey(of: root, connection)
      try setLastKey(last + Int64(count), of: root, connection)
      connection.keyReserves[root] = nil
      first[name] = last + 1
    }
    return first
  }
}
