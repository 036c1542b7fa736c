import CSQLite
import Foundation

// The order of to-many relationships: once the rows and join tables are written, the members get their sort keys.
extension SQLiteStore {
  /// Gives sort keys to members that were added to an ordered relationship, and to members that were moved.
  ///
  /// The versions and all other columns of the members' rows stay.
  func writeOrder(_ order: PlannedOrder, _ keys: SaveKeys, _ connection: SQLiteConnection) throws {
    let toMany = try entity(order.layout.entity).toManys[order.slot.name]
    guard
      let members = orderedMembers(
        toMany, relationID(order.layout, order.slot), keys.permanent(order.owner), connection)
    else { return }
    switch order.change {
    case .append(let new): try members.append(ContiguousArray(new.lazy.map(keys.permanent)))
    case .arrange(let whole, let runs):
      if let runs, try members.place(runs, among: whole.count, member: { keys.permanent(whole[$0]) }) { return }
      try members.arrange(ContiguousArray(whole.lazy.map(keys.permanent)))
    }
  }

  private func orderedMembers(
    _ toMany: SQLToMany?, _ id: RelationID, _ owner: Int64, _ connection: SQLiteConnection
  ) -> OrderedMembers? {
    toMany.flatMap { SQLMemberOrder($0, fixed: schema.dialect.columns) }.map {
      OrderedMembers($0, id, owner: owner, schema.dialect, connection)
    }
  }

  /// Rows that a batch update gave to an owner come last there, in the order of their keys.
  func writePlaces(
    in entity: SQLEntity, _ toOne: SQLToOne, _ owner: Int64, _ connection: SQLiteConnection
  ) throws {
    guard let order = toOne.orderColumn, let inverse = toOne.relationship.inverseRelationship,
      let destination = schema.entity(number: toOne.destinationNumber)?.entity.layout,
      let slot = destination.slot(named: inverse.name)
    else { return }
    let statement = try connection.statement(
      SQLMemberOrder.withoutPlace(entity, owner: toOne.keyColumn, order: order).statement(schema.dialect).text)
    statement.bind(owner, at: 1)
    var new: ContiguousArray<Int64> = []
    try collect(statement) { new.append($0.int(0)) }
    let toMany = schema.destination(of: toOne).toManys[inverse.name]
    try orderedMembers(toMany, relationID(destination, slot), owner, connection)?.append(new)
  }
}
