import Foundation

// The DELETE statements of a save: they delete rows, and the references to them in join tables and in columns of
// relationships without an inverse.
extension SQLiteStore {
  /// The statements that delete the rows of an entity.
  private struct Deletion {
    let entity: SQLEntity
    let layout: EntityLayout
    let statement: SQLiteStatement
    /// The statements that remove a deleted object from its relationships, by its key.
    let ofMembers: [SQLiteStatement]
  }

  /// Deletes rows.
  /// - Throws: `RowConflict` if a row is not in the version that the object has read.
  func delete(_ rows: ContiguousArray<PlannedRow>, _ connection: SQLiteConnection) throws {
    var last: Deletion?
    for row in rows {
      let deletion: Deletion
      if let last, last.layout === row.layout {
        deletion = last
      } else {
        deletion = try makeDeletion(row.layout, connection)
        last = deletion
      }
      deletion.statement.bind(row.key, at: 1)
      deletion.statement.bind(row.version ?? 0, at: 2)
      try deletion.statement.run()
      // It is no conflict if others have deleted the row, too.
      if connection.changes == 0, row.version != nil, try hasRow(row.key, deletion.entity, connection) {
        throw RowConflict(key: row.key, layout: row.layout)
      }
      for statement in deletion.ofMembers {
        statement.bind(row.key, at: 1)
        try statement.run()
      }
    }
  }

  private func makeDeletion(_ layout: EntityLayout, _ connection: SQLiteConnection) throws -> Deletion {
    let entity = try entity(layout.entity)
    let statement = try connection.statement(for: .delete(entity.number)) {
      try SQLRows(entity: entity).deletion.statement(schema.dialect)
    }
    var ofMembers: [SQLiteStatement] = []
    for slot in layout.slots where slot.kind == .toMany && !slot.isTransient {
      guard let toMany = entity.toManys[slot.name], slot.relationship.deleteRule != .noActionDeleteRule,
        let change = SQLMembers(toMany, in: schema).withoutOwner(
          hasInverse: slot.inverse != nil,
          isSymmetric: slot.relationship.inverseRelationship === slot.relationship)
      else { continue }
      ofMembers.append(
        try connection.statement(for: .ofMembers(relationID(layout, slot), .withoutOwner)) {
          try change.statement(schema.dialect)
        })
    }
    return Deletion(entity: entity, layout: layout, statement: statement, ofMembers: ofMembers)
  }

  private func hasRow(_ key: Int64, _ entity: SQLEntity, _ connection: SQLiteConnection) throws -> Bool {
    let statement = try connection.statement(for: .presence(entity.number)) {
      try SQLRows(entity: entity).presence.statement(schema.dialect)
    }
    statement.bind(key, at: 1)
    var isThere = false
    try collect(statement) { _ in isThere = true }
    return isThere
  }
}
