import Foundation

// The UPDATE statements of a save. Objects that a program changes together mostly have changes in the same attributes, so one
// statement serves many of them, one after the other.
extension SQLiteStore {
  /// The columns that were changed in some rows of an entity, and the statement that writes them.
  private struct Update {
    let columns: ContiguousArray<WriteColumn>
    /// The columns that the save computes from the changed columns.
    let derived: ContiguousArray<ComputedColumn>
    let statement: SQLiteStatement
  }

  /// Writes the changed values of rows.
  /// - Throws: `RowConflict` if a row is not in the version that the object has read.
  func update(_ plan: SavePlan, _ keys: SaveKeys, _ connection: SQLiteConnection) throws {
    var last: (changes: Int32, update: Update)?
    try plan.updated.forEachUncounted { place, row in
      let changes = plan.changesOfUpdated[place]
      let update: Update
      if let last, last.changes == changes {
        update = last.update
      } else {
        update = try makeUpdate(plan.changes[Int(changes)], connection)
        last = (changes, update)
      }
      let statement = update.statement
      statement.beginRow()
      var index: Int32 = 1
      for place in update.columns.indices {
        try statement.bind(row, update.columns[place], writer.external, at: index)
        index += Int32(update.columns[place].width)
      }
      for derived in update.derived {
        statement.bind(derived.value(for: row, now: keys.now), for: derived.slot, at: index)
        index += 1
      }
      let version = row.version
      statement.bind(version, at: index)
      statement.bind(row.primaryKey, at: index + 1)
      statement.bind(version &- 1, at: index + 2)
      try statement.run()
      if connection.changes == 0 { throw RowConflict(key: row.primaryKey, layout: row.layout) }
    }
  }

  private func makeUpdate(_ changes: PlannedChanges, _ connection: SQLiteConnection) throws -> Update {
    let entity = try entity(changes.layout.entity)
    let columns = writeColumns(entity)
    let slots = Set(changes.places.lazy.map { changes.layout.slots[$0].index })
    let changed = columns.indices.filter { columns[$0].index >= 0 && slots.contains(columns[$0].index) }
    let derived = derivedPlans[entity.number - 1].computed(from: changed)
    let written = changed + derived.map(\.position)
    let make = { try SQLRows(entity: entity).update(written).statement(self.schema.dialect) }
    let mask = written.reduce(UInt64(0)) { $0 | 1 << UInt64($1 & 63) }
    let text = columns.count <= 64 ? try plans.text(.update(entity.number, mask), make) : try make().text
    return Update(
      columns: ContiguousArray(changed.lazy.map { columns[$0] }), derived: derived,
      statement: try connection.statement(text))
  }
}
