import CSQLite
import Foundation

// The second half of a save: join tables, and the columns that say whose members rows are.
extension SQLiteStore {
  /// Writes what was added to and removed from the many-to-many relationships of which `object` is the naming side.
  func writeMembers(
    of object: NSManagedObject, _ key: Int64, _ keys: inout SaveKeys, _ connection: SQLiteConnection
  ) throws {
    guard let relations = object.relations else { return }
    let entity = try entity(object.layout.entity)
    for slot in object.layout.slots where slot.kind == .toMany && !slot.isTransient {
      guard let state = relations.states[slot.relationIndex] as? ToManyState, state.hasChanges,
        let toMany = entity.toManys[slot.name]
      else { continue }
      let members = SQLMembers(toMany, in: schema), id = relationID(object.layout, slot)
      func statement(_ use: PlanCache.MembersUse, _ make: () throws -> SQLStatement) throws -> SQLiteStatement {
        try connection.statement(for: .ofMembers(id, use), make)
      }
      if case .foreignKey(let table, let column, _, let order) = toMany.storage, slot.inverse == nil {
        let place = OwnerPlace(slot: slot, members: members, id: id, table: table, column: column, order: order)
        try writeOwner(object, key, state, place, &keys, connection)
        continue
      }
      guard case .join(let table, let source, let member, _, _) = toMany.storage, isWritingSide(slot, toMany, entity)
      else { continue }
      if !state.removed.isEmpty {
        let statement = try statement(.removal) {
          try SQLMembers.removal(table, source, member).statement(schema.dialect)
        }
        for gone in state.removed where gone.key > 0 {
          statement.bind(key, at: 1)
          statement.bind(gone.key, at: 2)
          try statement.run()
        }
      }
      if !state.added.isEmpty {
        var added = ContiguousArray(state.added.map { keys.permanent($0.key) })
        added.sort()
        let statement = try statement(.addition) {
          try SQLMembers.addition(table, source, member).statement(schema.dialect)
        }
        for member in added {
          statement.bind(key, at: 1)
          statement.bind(member, at: 2)
          try statement.run()
        }
      }
    }
  }

  private struct OwnerPlace {
    let slot: PropertySlot
    let members: SQLMembers
    let id: RelationID
    let table: String
    let column: String
    let order: String?
  }

  /// Writes whose members the rows of a relationship without inverse are: each has one owner, the one that is saved last.
  private func writeOwner(
    _ object: NSManagedObject, _ key: Int64, _ state: ToManyState, _ place: OwnerPlace, _ keys: inout SaveKeys,
    _ connection: SQLiteConnection
  ) throws {
    func statement(_ use: PlanCache.MembersUse, _ make: () throws -> SQLStatement) throws -> SQLiteStatement {
      try connection.statement(for: .ofMembers(place.id, use), make)
    }
    if !state.removed.isEmpty {
      let statement = try statement(.release) {
        try place.members.release(place.table, place.column, place.order).statement(schema.dialect)
      }
      for gone in state.removed where gone.key > 0 {
        statement.bind(gone.key, at: 1)
        statement.bind(key, at: 2)
        try statement.run()
      }
    }
    if state.added.isEmpty { return }
    var members = ContiguousArray(state.added.map { keys.permanent($0.key) })
    members.sort()
    let known = try statement(.owner) {
      try place.members.owner(place.table, place.column).statement(schema.dialect)
    }
    let adoption = try statement(.adoption) {
      try place.members.adoption(place.table, place.column, place.order).statement(schema.dialect)
    }
    for member in members {
      known.bind(member, at: 1)
      var owner: Int64?
      try collect(known) { owner = $0.isNull(0) ? nil : $0.int(0) }
      if owner == key { continue }
      if let owner {
        try noteOwner(of: member, owner, key, object, place)
        keys.formerOwners.append(FormerOwner(key: owner, layout: object.layout, slot: place.slot))
      }
      adoption.bind(key, at: 1)
      adoption.bind(member, at: 2)
      try adoption.run()
    }
  }

  /// A member had another owner.
  /// - Throws: 134110 in a migration, which must not lose one of the two.
  private func noteOwner(
    of member: Int64, _ old: Int64, _ new: Int64, _ object: NSManagedObject, _ place: OwnerPlace
  ) throws {
    let name = object.layout.name
    let destination = place.members.destination.name
    let text =
      "\(name).\(place.slot.name) has no inverse, so that a member has one owner: \(destination)/p\(member) belongs to "
      + "\(name)/p\(old) and \(name)/p\(new)"
    if keepsSeveralOwnersApart { throw NSError(coreData: NSMigrationError, text + "; nothing was migrated.") }
    FrameworkLog.write("warning: \(text); it is the latter's from now on.")
  }

  /// Both ends know the same pairs: the one writes whose column comes first in the table's key.
  private func isWritingSide(_ slot: PropertySlot, _ toMany: SQLToMany, _ entity: SQLEntity) -> Bool {
    guard let inverse = slot.inverse, slot.inverseIsToMany, let destination = slot.destination,
      let back = schema.entity(for: destination)?.toManys[inverse.name]
    else { return true }
    if back.relationship === toMany.relationship { return true }
    guard case .join(let table, let source, _, _, _) = toMany.storage else { return false }
    return schema.tables.contains { $0.joinTables.contains { $0.name == table && $0.sourceColumn == source } }
  }
}
