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
      "DELETE FROM \(entity.tableName) WHERE Z_PK = ? AND (?2 = 0 OR Z_OPT = ?2)"
    }
    var ofMembers: [SQLiteStatement] = []
    for slot in layout.slots where slot.kind == .toMany && !slot.isTransient {
      guard let toMany = entity.toManys[slot.name], slot.relationship.deleteRule != .noActionDeleteRule,
        let sql = Self.memberDeletion(toMany, slot)
      else { continue }
      ofMembers.append(try connection.statement(sql))
    }
    return Deletion(entity: entity, layout: layout, statement: statement, ofMembers: ofMembers)
  }

  /// Takes a deleted owner out of a relationship; nil where that is in the members' rows, which the save changes, too.
  private static func memberDeletion(_ toMany: SQLToMany, _ slot: PropertySlot) -> String? {
    switch toMany.storage {
    case .foreignKey(let table, let column, _, let order):
      if slot.inverse != nil { return nil }
      return "UPDATE \(table) SET \(column) = NULL\(order.map { ", \($0) = NULL" } ?? "") WHERE \(column) = ?"
    case .join(let table, let source, let member, _, _):
      // In a relationship that is its own inverse the object may be in either column.
      let isSymmetric = slot.relationship.inverseRelationship === slot.relationship
      return "DELETE FROM \(table) WHERE \(source) = ?1\(isSymmetric ? " OR \(member) = ?1" : "")"
    }
  }

  private func hasRow(_ object: NSManagedObject, _ entity: SQLEntity, _ connection: SQLiteConnection) throws -> Bool {
    let statement = try connection.statement("SELECT 1 FROM \(entity.tableName) WHERE Z_PK = ?")
    statement.bind(object.key, at: 1)
    var isThere = false
    try collect(statement) { _ in isThere = true }
    return isThere
  }
}
