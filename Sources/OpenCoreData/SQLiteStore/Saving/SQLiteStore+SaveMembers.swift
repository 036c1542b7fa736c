import CSQLite
import Foundation

// The second half of a save: join tables, and the columns that name the owners of rows.
extension SQLiteStore {
  /// Writes the members that were added to a relationship and removed from it. Does so only for the side of a relationship
  /// that writes its join table, and for a relationship without inverse.
  func writeMembers(_ members: PlannedMembers, _ keys: inout SaveKeys, _ connection: SQLiteConnection) throws {
    let entity = try entity(members.layout.entity), slot = members.slot
    guard let toMany = entity.toManys[slot.name] else { return }
    let relation = PlacedRelation(
      statements: SQLMembers(toMany, in: schema), id: relationID(members.layout, slot), connection: connection)
    switch toMany.storage {
    case .foreignKey(let table, let column, _, let order):
      if slot.inverse != nil { return }
      try writeOwner(members, relation, (table, column, order), &keys)
    case .join(let table, let source, let member, _, _):
      if !isWritingSide(slot, toMany, entity) { return }
      try writePairs(members, relation, (table, source, member), keys)
    }
  }

  /// A relationship with its statements.
  private struct PlacedRelation {
    let statements: SQLMembers
    let id: RelationID
    let connection: SQLiteConnection

    func statement(
      _ use: PlanCache.MembersUse, _ make: () throws -> SQLStatement
    ) throws -> SQLiteStatement { try connection.statement(for: .ofMembers(id, use), make) }
  }

  private func writePairs(
    _ members: PlannedMembers, _ relation: PlacedRelation, _ place: (table: String, owner: String, member: String),
    _ keys: SaveKeys
  ) throws {
    let owner = keys.permanent(members.owner)
    if !members.removed.isEmpty {
      let statement = try relation.statement(.removal) {
        try SQLMembers.removal(place.table, place.owner, place.member).statement(schema.dialect)
      }
      for gone in members.removed where gone > 0 {
        statement.bind(owner, at: 1)
        statement.bind(gone, at: 2)
        try statement.run()
      }
    }
    if members.added.isEmpty { return }
    let statement = try relation.statement(.addition) {
      try SQLMembers.addition(place.table, place.owner, place.member).statement(schema.dialect)
    }
    for member in members.added.map(keys.permanent).sorted() {
      statement.bind(owner, at: 1)
      statement.bind(member, at: 2)
      try statement.run()
    }
  }

  /// Writes the owners of the members of a relationship without inverse. A member has one owner, the last one that is saved.
  private func writeOwner(
    _ members: PlannedMembers, _ relation: PlacedRelation, _ place: (table: String, column: String, order: String?),
    _ keys: inout SaveKeys
  ) throws {
    let owner = keys.permanent(members.owner), dialect = schema.dialect, statements = relation.statements
    if !members.removed.isEmpty {
      let statement = try relation.statement(.release) {
        try statements.release(place.table, place.column, place.order).statement(dialect)
      }
      for gone in members.removed where gone > 0 {
        statement.bind(gone, at: 1)
        statement.bind(owner, at: 2)
        try statement.run()
      }
    }
    if members.added.isEmpty { return }
    let known = try relation.statement(.owner) { try statements.owner(place.table, place.column).statement(dialect) }
    let adoption = try relation.statement(.adoption) {
      try statements.adoption(place.table, place.column, place.order).statement(dialect)
    }
    for member in members.added.map(keys.permanent).sorted() {
      known.bind(member, at: 1)
      var old: Int64?
      try collect(known) { old = $0.isNull(0) ? nil : $0.int(0) }
      if old == owner { continue }
      if let old {
        try noteOwner(of: member, old, owner, members, statements.destination)
        keys.formerOwners.append(FormerOwner(key: old, layout: members.layout, slot: members.slot))
      }
      adoption.bind(owner, at: 1)
      adoption.bind(member, at: 2)
      try adoption.run()
    }
  }

  /// Reports that a member had another owner.
  /// - Throws: 134110 in a migration, which must not lose one of the two owners.
  private func noteOwner(
    of member: Int64, _ old: Int64, _ new: Int64, _ members: PlannedMembers, _ destination: SQLEntity
  ) throws {
    let name = members.layout.name, destination = destination.name
    let text =
      "\(name).\(members.slot.name) has no inverse, so that a member has one owner: \(destination)/p\(member) belongs to "
      + "\(name)/p\(old) and \(name)/p\(new)"
    if keepsSeveralOwnersApart { throw NSError(coreData: NSMigrationError, text + "; nothing was migrated.") }
    FrameworkLog.write("warning: \(text); it is the latter's from now on.")
  }
}
