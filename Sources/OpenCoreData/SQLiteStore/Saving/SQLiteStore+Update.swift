import Foundation

// The UPDATE statements of a save. Objects that a program changes together mostly have the same changed values, so that one
// statement serves many of them, one after the other.
extension SQLiteStore {
  /// The columns that some objects of an entity have changed, and the statement that writes them.
  private struct Update {
    let layout: EntityLayout
    let columns: ContiguousArray<WriteColumn>
    /// The positions of the changed columns.
    let changed: ContiguousArray<Int>
    /// The columns that the save computes from these.
    let derived: ContiguousArray<ComputedColumn>
    let statement: SQLiteStatement
  }

  /// Writes the changed values of objects.
  /// - Throws: `SaveConflict` where a row is not the one that the object has read.
  func update(
    _ objects: ContiguousArray<NSManagedObject>, _ keys: SaveKeys, _ connection: SQLiteConnection
  ) throws {
    var last: Update?
    for object in objects {
      guard let row = object.snapshot else { throw conflict(object) }
      let update: Update
      if let last, last.layout === object.layout, hasChanged(last.changed, of: last.columns, object) {
        update = last
      } else {
        update = try makeUpdate(of: object, connection)
        last = update
      }
      let statement = update.statement
      statement.beginRow()
      var index: Int32 = 1
      for position in update.changed {
        let plain = update.columns[position].plainIndex
        if plain >= 0, let changes = object.changesReference {
          statement.bind(plain: changes._withUnsafeGuaranteedRef { $0[plain] }, at: index)
          index += 1
        } else {
          try bind(object, update.columns[position], keys, statement, &index)
        }
      }
      for derived in update.derived {
        statement.bind(derived.value(for: object, now: keys.now), for: derived.slot, at: index)
        index += 1
      }
      statement.bind(row.version &+ 1, at: index)
      statement.bind(object.key, at: index + 1)
      statement.bind(row.version, at: index + 2)
      try statement.run()
      if connection.changes == 0 { throw conflict(object) }
    }
  }

  /// Whether the columns at these positions, and no others, differ from the object's row.
  private func hasChanged(
    _ positions: ContiguousArray<Int>, of columns: ContiguousArray<WriteColumn>, _ object: NSManagedObject
  ) -> Bool {
    guard let changes = object.changesReference else { return positions.isEmpty }
    var next = 0
    for position in columns.indices {
      let index = columns[position].valueIndex
      guard index >= 0, !changes._withUnsafeGuaranteedRef({ $0.isUnset(at: index) }),
        let slot = columns[position].slot, object.changedValue(slot, untracked: true) != nil
      else { continue }
      guard next < positions.count, positions[next] == position else { return false }
      next += 1
    }
    return next == positions.count
  }

  private func makeUpdate(of object: NSManagedObject, _ connection: SQLiteConnection) throws -> Update {
    let entity = try entity(object.layout.entity)
    let columns = writeColumns(entity)
    var changed: ContiguousArray<Int> = []
    for (position, column) in columns.enumerated() {
      if let slot = column.slot, object.changedValue(slot, untracked: true) != nil { changed.append(position) }
    }
    let derived = derivedPlans[entity.number - 1].computed(from: Array(changed))
    let written = changed + derived.map(\.position)
    let make = { try SQLRows(entity: entity).update(written).statement(self.schema.dialect) }
    let mask = written.reduce(UInt64(0)) { $0 | 1 << UInt64($1 & 63) }
    let text = columns.count <= 64 ? try plans.text(.update(entity.number, mask), make) : try make().text
    return Update(
      layout: object.layout, columns: columns, changed: changed, derived: derived,
      statement: try connection.statement(text))
  }
}
