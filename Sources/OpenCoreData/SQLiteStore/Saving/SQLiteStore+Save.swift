import CSQLite
import Foundation
import OpenCocoaFoundation

// A save: one transaction on the writer, then the new rows in the cache. Objects are read here and not changed.
extension SQLiteStore {
  /// Writes the work; on failure the file is as it was.
  /// - Throws: `SaveConflict` where a row was changed or deleted since it was read, and for a violated uniqueness
  ///   constraint; 134090 when the store stays locked; 513 for a store that is read-only; what `ExternalWriter.write`
  ///   throws.
  func save(_ work: SaveWork, _ source: HistorySource) throws -> SaveResult {
    if isReadOnly { throw readOnlyError }
    defer { checkpointIfLong() }
    do {
      return try write(work, source, vacates: false)
    } catch  where SQLiteError.isNotUnique(error) {
      guard exchangesUniqueValues(work) else { throw SaveConflict(reason: error as NSError) }
    }
    do {
      return try write(work, source, vacates: true)
    } catch  where SQLiteError.isNotUnique(error) {
      throw SaveConflict(reason: error as NSError)
    }
  }

  /// - Parameter vacates: whether updated rows first lose the unique values that others among them may get.
  private func write(_ work: SaveWork, _ source: HistorySource, vacates: Bool) throws -> SaveResult {
    var keys = SaveKeys()
    return try writer.transaction { connection in
      if !work.locked.isEmpty { try checkLocked(work.locked, connection) }
      try assignKeys(work.inserted, &keys, connection, isReferredTo: work.mayHaveRelationships)
      try writeHistory(work, &keys, source, connection)
      // In this order: what a row gives up that must be unique, another may take.
      try delete(work.deleted, connection)
      if vacates { try vacateUniqueValues(work, connection) }
      try update(work.updated, keys, connection)
      try insert(work.inserted, keys, connection)
      if work.mayHaveRelationships {
        for (object, key) in zip(work.inserted, keys.inserted) { try writeMembers(of: object, key, &keys, connection) }
        for object in work.updated { try writeMembers(of: object, object.key, &keys, connection) }
      }
      try writeOrder(work, keys, connection)
      try readDerived(work, &keys, connection)
      try writePendingMetadata(connection)
    } publish: {
      publishMetadata()
      return publish(work, keys)
    }
  }

  // MARK: Rows

  /// Objects mostly come entity by entity: what an entity has is looked up when it is another than the last one's.
  private func insert(
    _ objects: ContiguousArray<NSManagedObject>, _ keys: SaveKeys, _ connection: SQLiteConnection
  ) throws {
    var position = 0
    while position < objects.count {
      let layout = objects[position].layout
      let entity = try entity(layout.entity)
      let statement = try connection.statement(for: .insert(entity.number)) {
        try SQLRows(entity: entity).insertion.statement(schema.dialect)
      }
      let columns = writeColumns(entity)
      // These stay bound, whatever row comes.
      statement.bind(Int64(entity.number), at: 2)
      statement.bind(Int64(1), at: 3)
      var version: Int64 = 1
      repeat {
        let object = objects[position]
        if object.nextVersion != version {
          version = object.nextVersion
          statement.bind(version, at: 3)
        }
        try insert(object, keys.inserted[position], entity, columns, keys, statement)
        position += 1
      } while position < objects.count && objects[position].layout === layout
    }
  }

  private func insert(
    _ object: NSManagedObject, _ key: Int64, _ entity: SQLEntity, _ columns: ContiguousArray<WriteColumn>,
    _ keys: SaveKeys, _ statement: SQLiteStatement
  ) throws {
    statement.beginRow()
    statement.bind(key, at: 1)
    var index: Int32 = 4
    // A new object's own values are all that it has.
    let new = object.rowReference == nil && object.state.contains(.hasNoRow) ? object.changesReference : nil
    for place in columns.indices {
      if let new, columns[place].plainIndex >= 0 {
        statement.bind(plain: new._withUnsafeGuaranteedRef { $0[columns[place].plainIndex] }, at: index)
        index += 1
      } else {
        try bind(object, columns[place], keys, statement, &index)
      }
    }
    for derived in derivedPlans[entity.number - 1].computed {
      statement.bind(derived.value(for: object, now: keys.now), for: derived.slot, at: 4 + derived.offset)
    }
    try statement.run()
  }

  // MARK: Values

  /// A column with the slot that its value is in.
  func writeColumns(_ entity: SQLEntity) -> ContiguousArray<WriteColumn> { writePlans[entity.number - 1] }

  func bind(
    _ object: NSManagedObject, _ column: WriteColumn, _ keys: SaveKeys, _ statement: SQLiteStatement,
    _ index: inout Int32
  ) throws {
    defer { index += Int32(column.width) }
    guard let slot = column.slot else {
      for offset in 0..<column.width { statement.bindNull(at: index + Int32(offset)) }
      return
    }
    let value = object.currentValue(slot).written
    if slot.kind == .toOne, case .object(let member) = value {
      statement.bind(keys.permanent(member.key), at: index)
      if column.width > 1 { statement.bind(Int64(number(of: member)), at: index + 1) }
      return
    }
    if column.isExternal, case .data(let data) = value, data.count > ExternalReference.threshold,
      let external = writer.external
    {
      return statement.bind(try external.write(data, of: object, slot: slot.index), at: index)
    }
    // An object whose row is to be made anew, with a value that nobody can read.
    if value.isNull, column.isExternal, let error = object.readingError(slot) { throw error }
    statement.bind(value, for: slot, at: index)
    if column.width > 1 {
      if let row = object.snapshot, !row.isNull(slot.entityIndex), !value.isNull {
        statement.bind(row.int(slot.entityIndex), at: index + 1)
      } else {
        statement.bindNull(at: index + 1)
      }
    }
  }
}

/// A column of an entity's row with the slot that its value is in.
struct WriteColumn {
  let slot: PropertySlot?
  /// Where an object has the value; -1 where it has none.
  let valueIndex: Int
  /// The same where a value is written as it is; else -1.
  let plainIndex: Int
  /// 2 for a to-one key that is followed by the member's entity.
  let width: Int
  /// A large value goes to a file of its own.
  let isExternal: Bool
}
