import Foundation

// The DELETE statements of a save: of the rows, and of what names them in tables of their own and in columns without an
// inverse.
extension SQLiteStore {
  /// The statements that delete the objects of an entity.
  private struct Deletion {
    let entity: SQLEntity
    let layout: EntityLayout
    let statement: SQLiteStatement
    /// Those that take a deleted object out of relationships, by its key.
    let ofMembers: [SQLiteStatement]
  }

  /// Deletes the rows of objects.
  /// - Throws: `SaveConflict` where a row is not the one that the object has read.
  func delete(_ objects: ContiguousArray<NSManagedObject>, _ connection: SQLiteConnection) throws {
    var last: Deletion?
    for object in objects {
      let deletion: Deletion
      if let last, last.layout === object.layout {
        deletion = last
      } else {
        deletion = try makeDeletion(object.layout, connection)
        last = deletion
      }
      deletion.statement.bind(object.key, at: 1)
      let version = object.rowReference.map { $0._withUnsafeGuaranteedRef { $0.version } }
      deletion.statement.bind(version ?? 0, at: 2)
      try deletion.statement.run()
      // A row that others have deleted, too, is what was wanted.
      if connection.changes == 0, version != nil, try hasRow(object, deletion.entity, connection) {
        throw conflict(object)
      }
      for statement in deletion.ofMembers {
        statement.bind(object.key, at: 1)
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

  private func hasRow(_ object: NSManagedObject, _ entity: SQLEntity, _ connection: SQLiteConnection) throws -> Bool {
    let statement = try connection.statement(for: .presence(entity.number)) {
      try SQLRows(entity: entity).presence.statement(schema.dialect)
    }
    statement.bind(object.key, at: 1)
    var isThere = false
    try collect(statement) { _ in isThere = true }
    return isThere
  }
}
