import CSQLite
import Foundation

// Writes the order of to-many relationships: when the rows and join tables have been written, the members get their sort
// keys.
extension SQLiteStore {
  /// Gives sort keys to the members that were added to an ordered relationship or moved in it.
  ///
  /// Neither the versions of the members' rows nor their other columns are changed.
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

  /// Puts the rows that a batch update has given to an owner behind its other members, in the order of their keys.
  func writePlaces(
    in entity: SQLEntity, _ toOne: SQLToOne, _ owner: Int64, _ connection: SQLiteConnection
  ) throws {
    guard let order = toOne.orderColumn, let inverse = toOne.relationship.orderedList,
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
