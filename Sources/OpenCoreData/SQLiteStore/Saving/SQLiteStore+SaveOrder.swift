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
        let members = entity.toManys[slot.name].flatMap({ OrderedMembers($0, owner: key, connection) })
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
      let toMany = try entity(owner.layout.entity).toManys[inverse.name]
      let members = toMany.flatMap { OrderedMembers($0, owner: keys.permanent(owner.key), connection) }
      try members?.append([key])
    }
  }

  /// Rows that a batch update gave to an owner come last there, in the order of their keys.
  func writePlaces(
    in entity: SQLEntity, _ toOne: SQLToOne, _ owner: Int64, _ connection: SQLiteConnection
  ) throws {
    guard let order = toOne.orderColumn, let inverse = toOne.relationship.inverseRelationship,
      let toMany = schema.entity(number: toOne.destinationNumber)?.toManys[inverse.name]
    else { return }
    let statement = try connection.statement(
      "SELECT Z_PK FROM \(entity.tableName) WHERE \(toOne.keyColumn) = ? AND \(order) IS NULL ORDER BY Z_PK")
    statement.bind(owner, at: 1)
    var new: ContiguousArray<Int64> = []
    try collect(statement) { new.append($0.int(0)) }
    try OrderedMembers(toMany, owner: owner, connection)?.append(new)
  }
}
