import CSQLite
import Foundation

// The order of to-many relationships: once the rows and join tables are written, the members get their sort keys.
extension SQLiteStore {
  /// Gives sort keys to what was added to the ordered relationships of the written objects, and to what was moved.
  ///
  /// Neither the versions of the members' rows nor any other of their columns change.
  func writeOrder(_ work: SaveWork, _ keys: SaveKeys, _ connection: SQLiteConnection) throws {
    guard hasOrderedRelationships else { return }
    for (object, key) in zip(work.inserted, keys.inserted) { try writeOrder(of: object, key, keys, connection) }
    for object in work.updated { try writeOrder(of: object, object.key, keys, connection) }
    for (object, key) in zip(work.inserted, keys.inserted) { try writePlaces(of: object, key, keys, connection) }
    for object in work.updated { try writePlaces(of: object, object.key, keys, connection) }
  }

  private func writeOrder(
    of object: NSManagedObject, _ key: Int64, _ keys: SaveKeys, _ connection: SQLiteConnection
  ) throws {
    guard !object.layout.orderedSlots.isEmpty, let relations = object.relations else { return }
    let entity = try entity(object.layout.entity)
    for slot in object.layout.orderedSlots {
      guard let state = relations.states[slot.relationIndex] as? ToManyState, let order = state.order,
        !state.added.isEmpty || order.isArranged,
        let members = orderedMembers(entity.toManys[slot.name], relationID(object.layout, slot), key, connection)
      else { continue }
      guard order.isArranged, let whole = state.whole else {
        try members.append(ContiguousArray(state.appended.lazy.map { keys.permanent($0.key) }))
        continue
      }
      if let runs = state.placedRuns(order, whole),
        try members.place(runs, among: whole.count, member: { keys.permanent(whole[$0].key) })
      {
        continue
      }
      try members.arrange(ContiguousArray(whole.lazy.map { keys.permanent($0.key) }))
    }
  }

  /// A to-one relationship that was set through its primitive value leads to an owner that does not know of it: the object
  /// comes last there.
  private func writePlaces(
    of object: NSManagedObject, _ key: Int64, _ keys: SaveKeys, _ connection: SQLiteConnection
  ) throws {
    for slot in object.layout.placedSlots {
      guard case .object(let owner)? = object.changedValue(slot, untracked: true), let inverse = slot.inverse,
        let back = owner.layout.slot(inverse)
      else { continue }
      let state = owner.relations?.states[back.relationIndex] as? ToManyState
      if let state, state.added.contains(object) || state.order?.returned.contains(object) == true { continue }
      let members = orderedMembers(
        try entity(owner.layout.entity).toManys[inverse.name], relationID(owner.layout, back),
        keys.permanent(owner.key), connection)
      try members?.append([key])
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
