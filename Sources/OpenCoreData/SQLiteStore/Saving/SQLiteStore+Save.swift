import CSQLite
import Foundation
import OpenCocoaFoundation

// A save: its plan, one transaction on the writer, and then the new rows in the cache. Objects are read here and not changed,
// and the transaction uses no objects.
extension SQLiteStore {
  /// Writes the work. After a failure the file is unchanged.
  /// - Throws: `SaveConflict` if a row was changed or deleted since it was read, and for a violated uniqueness constraint;
  ///   134090 if the store stays locked; 513 if the store is read-only; the errors of `ExternalWriter.write`.
  func save(_ work: SaveWork, _ source: HistorySource) throws -> SaveResult {
    if isReadOnly { throw readOnlyError }
    defer { checkpointIfLong() }
    do {
      return try write(work, source, vacated: [])
    } catch let lost as RowConflict {
      throw conflict(work, lost)
    } catch  where SQLiteError.isNotUnique(error) {
      guard exchangesUniqueValues(work) else { throw SaveConflict(reason: error as NSError) }
    } catch  where SQLiteError.isKeyInUse(error) && work.inserted.contains(where: { $0.key > 0 }) {
      // Others may have inserted an object again that has come back here, too.
      throw SaveConflict(reason: error as NSError)
    }
    do {
      return try write(work, source, vacated: vacatedValues(work))
    } catch let lost as RowConflict {
      throw conflict(work, lost)
    } catch  where SQLiteError.isNotUnique(error) {
      throw SaveConflict(reason: error as NSError)
    }
  }

  private func conflict(_ work: SaveWork, _ lost: RowConflict) -> any Error {
    work.object(lost).map { conflict($0) } ?? lost
  }

  /// - Parameter vacated: the unique values that updated rows give up first, since others among them may get these values.
  private func write(_ work: SaveWork, _ source: HistorySource, vacated: [VacatedValues]) throws -> SaveResult {
    let plan = try SavePlan(work, of: self, history: historyBits)
    var keys = SaveKeys()
    let isReferredTo = work.mayHaveRelationships
    return try writer.transaction { connection in
      if !plan.locked.isEmpty { try checkLocked(plan.locked, connection) }
      try assignKeys(plan.inserted, &keys, connection, isReferredTo: isReferredTo)
      plan.adopt(keys)
      try writeHistory(plan, &keys, source, connection)
      // The order matters: a row may take a unique value that another row gives up.
      try delete(plan.deleted, connection)
      for values in vacated { try vacate(values, connection) }
      try update(plan, keys, connection)
      try insert(plan, keys, connection)
      for members in plan.members { try writeMembers(members, &keys, connection) }
      for order in plan.order { try writeOrder(order, keys, connection) }
      try readDerived(plan, &keys, connection)
      try writePendingMetadata(connection)
    } publish: {
      publishMetadata()
      return publish(work, keys, plan.inserted, plan.updated)
    }
  }

  // MARK: Rows

  /// Most rows come entity by entity, so an entity's statement is looked up only if the entity differs from the last one's.
  func insert(_ plan: SavePlan, _ keys: SaveKeys, _ connection: SQLiteConnection) throws {
    let rows = plan.inserted
    var position = 0
    while position < rows.count {
      let layout = rows[position].layout
      let entity = try entity(layout.entity)
      let statement = try connection.statement(for: .insert(entity.number)) {
        try SQLRows(entity: entity).insertion.statement(schema.dialect)
      }
      let columns = writeColumns(entity), derived = derivedPlans[entity.number - 1].computed
      // These stay bound, whatever row comes.
      statement.bind(Int64(entity.number), at: 2)
      statement.bind(Int64(1), at: 3)
      var version: Int64 = 1
      repeat {
        try Borrowed(rows)[position].read { row in
          if row.version != version {
            version = row.version
            statement.bind(version, at: 3)
          }
          try insert(row, columns, derived, keys, statement)
        }
        position += 1
      } while position < rows.count && rows[position].layout === layout
    }
  }

  private func insert(
    _ row: Snapshot, _ columns: ContiguousArray<WriteColumn>, _ derived: ContiguousArray<ComputedColumn>,
    _ keys: SaveKeys, _ statement: SQLiteStatement
  ) throws {
    statement.beginRow()
    statement.bind(row.primaryKey, at: 1)
    var index: Int32 = 4
    for place in columns.indices {
      try statement.bind(row, columns[place], writer.external, at: index)
      index += Int32(columns[place].width)
    }
    for derived in derived {
      statement.bind(derived.value(for: row, now: keys.now), for: derived.slot, at: 4 + derived.offset)
    }
    try statement.run()
  }

  /// The columns of an entity's rows with where planned rows have their values.
  func writeColumns(_ entity: SQLEntity) -> ContiguousArray<WriteColumn> { writePlans[entity.number - 1] }
}
