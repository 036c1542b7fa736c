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
      if order.isArranged, let whole = state.whole {
        try members.arrange(ContiguousArray(whole.lazy.map { keys.permanent($0.key) }))
      } else {
        try members.append(ContiguousArray(state.appended.lazy.map { keys.permanent($0.key) }))
      }
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

/// The stored members of one owner's ordered relationship, in a save's transaction.
private struct OrderedMembers {
  private let connection: SQLiteConnection
  private let owner: Int64
  private let table: String
  private let memberColumn: String
  private let orderColumn: String
  private let condition: String
  private let isJoin: Bool

  init?(_ toMany: SQLToMany, owner: Int64, _ connection: SQLiteConnection) {
    switch toMany.storage {
    case .foreignKey(let table, let column, _, let order?):
      (self.table, memberColumn, orderColumn, condition, isJoin) = (table, "Z_PK", order, "\(column) = ?", false)
    case .join(let table, let source, let member, let order?, _):
      (self.table, memberColumn, orderColumn, condition, isJoin) = (table, member, order, "\(source) = ?", true)
    case .foreignKey, .join: return nil
    }
    self.owner = owner
    self.connection = connection
  }

  /// Puts `new` behind all others.
  func append(_ new: ContiguousArray<Int64>) throws {
    if new.isEmpty { return }
    let statement = try connection.statement("SELECT MAX(\(orderColumn)) FROM \(table) WHERE \(condition)")
    statement.bind(owner, at: 1)
    statement.begin()
    var last = try statement.step() && !statement.isNull(0) ? statement.int(0) : nil
    statement.reset()
    guard SortKeys.hasRoom(for: new.count, after: last) else {
      let moved = Set(new)
      return try arrange(ContiguousArray(try stored().lazy.map(\.key).filter { !moved.contains($0) }) + new)
    }
    for key in new {
      let next = SortKeys.next(after: last)
      try write(next, for: key)
      last = next
    }
  }

  /// Gives members keys that ascend in this order; those that are stored and not among them keep theirs behind.
  func arrange(_ wanted: ContiguousArray<Int64>) throws {
    let stored = try stored()
    let known = Dictionary(stored.map { ($0.key, $0.sortKey) }, uniquingKeysWith: { first, _ in first })
    let named = Set(wanted)
    let members = wanted.filter { known[$0] != nil } + stored.lazy.map(\.key).filter { !named.contains($0) }
    let old = members.map { known[$0] ?? nil }
    for (key, (old, new)) in zip(members, zip(old, SortKeys.ascending(old))) where old != new {
      try write(new, for: key)
    }
  }

  private func stored() throws -> [(key: Int64, sortKey: Int64?)] {
    let statement = try connection.statement(
      "SELECT \(memberColumn), \(orderColumn) FROM \(table) WHERE \(condition) ORDER BY \(orderColumn), \(memberColumn)"
    )
    statement.bind(owner, at: 1)
    statement.begin()
    defer { statement.reset() }
    var result: [(key: Int64, sortKey: Int64?)] = []
    while try statement.step() { result.append((statement.int(0), statement.isNull(1) ? nil : statement.int(1))) }
    return result
  }

  private func write(_ sortKey: Int64, for member: Int64) throws {
    let owned = isJoin ? " AND \(condition)" : ""
    let statement = try connection.statement(
      "UPDATE \(table) SET \(orderColumn) = ? WHERE \(memberColumn) = ?\(owned)")
    statement.bind(sortKey, at: 1)
    statement.bind(member, at: 2)
    if isJoin { statement.bind(owner, at: 3) }
    try statement.run()
  }
}
