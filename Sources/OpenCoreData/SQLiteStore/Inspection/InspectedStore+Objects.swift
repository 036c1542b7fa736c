import Foundation
import OpenCocoaFoundation

/// An object with the values of its row and of the rows that belong to it.
package struct InspectedObject {
  package let reference: InspectedReference
  /// The attributes' values by key path, sorted. The key path of an element of a composite attribute has a dot.
  package let attributes: [(keyPath: String, value: InspectedValue)]
  /// The to-one relationships by name, sorted; nil for a relationship without a destination.
  package let toOnes: [(name: String, destination: InspectedReference?)]
  /// The to-many relationships by name, sorted. The members are in their order if the relationship is ordered, otherwise by
  /// key.
  package let toManys: [(name: String, members: [InspectedReference])]
}

extension InspectedStore {
  /// Returns the entities that may have rows of their own, in the order of their numbers. If `name` is given, only that
  /// entity and the entities that inherit from it.
  /// - Throws: 134060 for an unknown entity.
  package func concreteEntities(of name: String? = nil) throws -> [String] {
    let schema = try requiredSchema()
    let wanted = try name.map { try entity(named: $0).numbers }
    return schema.entities.filter { !$0.entity.isAbstract && wanted?.contains($0.number) ?? true }.map(\.name)
  }

  /// Returns the number of objects of exactly this entity.
  package func objectCount(of name: String) throws -> Int {
    let entity = try entity(named: name)
    let condition = entity.sharesTable ? " WHERE Z_ENT = \(entity.number)" : ""
    return Int(try connection.integer("SELECT COUNT(*) FROM \(entity.tableName.quotedName)\(condition)") ?? 0)
  }

  /// Calls `body` with each object of exactly this entity, in the order of their keys. Only one object is in memory at a
  /// time.
  package func objects(of name: String, _ body: (InspectedObject) throws -> Void) throws {
    let cursor = try ObjectCursor(entity: name, in: self)
    while let object = try cursor.next() { try body(object) }
  }
}

/// Reads the objects of exactly one entity, in the order of their keys, one after the other.
///
/// Another statement for each to-many relationship reads the members in the order of their owners, at the same pace.
final class ObjectCursor {
  private let store: InspectedStore
  private let schema: SQLModel
  private let entity: SQLEntity
  private let attributes: [(index: Int, attribute: SQLAttribute)]
  private let toOnes: [(index: Int, toOne: SQLToOne)]
  /// The position of each column's first value in a row.
  private let places: [Int32]
  private let members: [(name: String, cursor: MemberCursor)]
  private let statement: SQLiteStatement
  private var isAtEnd = false

  /// - Throws: 134060 for an unknown entity.
  init(entity name: String, in store: InspectedStore) throws {
    let entity = try store.entity(named: name)
    let schema = try store.requiredSchema()
    (self.store, self.entity, self.schema) = (store, entity, schema)
    attributes = entity.columns.enumerated().compactMap { index, column -> (Int, SQLAttribute)? in
      if case .attribute(let attribute) = column { (index, attribute) } else { nil }
    }.sorted { $0.1.keyPath < $1.1.keyPath }
    toOnes = entity.columns.enumerated().compactMap { index, column -> (Int, SQLToOne)? in
      if case .toOne(let toOne) = column { (index, toOne) } else { nil }
    }.sorted { $0.1.relationship.name < $1.1.relationship.name }
    places = entity.columns.reduce(into: [Int32(1)]) { $0.append(($0.last ?? 1) + Int32($1.names.count)) }
    members = try entity.toManys.keys.sorted().compactMap { name in
      try entity.toManys[name].map { (name, try MemberCursor($0, in: store, schema)) }
    }
    let names = (["Z_PK"] + entity.columns.flatMap(\.names)).map { "t.\($0.quotedName)" }
    let condition = entity.sharesTable ? " WHERE t.Z_ENT = \(entity.number)" : ""
    // The statement is not one that the connection keeps, because a caller may already be reading rows of the same statement.
    statement = try SQLiteStatement(
      "SELECT \(names.joined(separator: ", ")) FROM \(entity.tableName.quotedName) t\(condition) ORDER BY t.Z_PK",
      on: store.connection)
    statement.begin()
  }

  /// Returns the next object; nil after the last one.
  func next() throws -> InspectedObject? {
    // After the end, SQLite would begin the statement anew.
    guard !isAtEnd, try statement.step() else {
      isAtEnd = true
      return nil
    }
    let key = statement.int(0)
    return InspectedObject(
      reference: InspectedReference(entity: entity.name, key: key),
      attributes: try attributes.map { ($1.keyPath, try store.value(of: $1.attribute, statement, places[$0])) },
      toOnes: toOnes.map { index, toOne in
        let number = toOne.entityColumn == nil ? nil : places[index] + 1
        let value = store.reference(
          statement, key: places[index], entity: number, fallback: schema.destination(of: toOne))
        if case .object(let reference) = value { return (toOne.relationship.name, reference) }
        return (toOne.relationship.name, nil)
      },
      toManys: try members.map { ($0, try $1.members(of: key)) })
  }
}

/// Reads the members of a to-many relationship in the order of their owners.
private final class MemberCursor {
  private let statement: SQLiteStatement
  private let schema: SQLModel
  private let destination: SQLEntity
  private var owner: Int64?

  init(_ toMany: SQLToMany, in store: InspectedStore, _ schema: SQLModel) throws {
    self.schema = schema
    destination = schema.destination(of: toMany)
    let sql: String
    switch toMany.storage {
    case .foreignKey(let table, let column, _, let order):
      let order = order.map { store.hasColumn($0, in: table) ? "d.\($0.quotedName), " : "" } ?? ""
      let key = "d.\(column.quotedName)"
      sql =
        "SELECT \(key), d.Z_PK, d.Z_ENT FROM \(table.quotedName) d WHERE \(key) IS NOT NULL "
        + "ORDER BY \(key), \(order)d.Z_PK"
    case .join(let table, let source, let member, let order, _):
      let order = order.map { store.hasColumn($0, in: table) ? "j.\($0.quotedName), " : "" } ?? ""
      sql =
        "SELECT j.\(source.quotedName), d.Z_PK, d.Z_ENT FROM \(table.quotedName) j "
        + "JOIN \(destination.tableName.quotedName) d ON d.Z_PK = j.\(member.quotedName) "
        + "ORDER BY j.\(source.quotedName), \(order)d.Z_PK"
    }
    statement = try SQLiteStatement(sql, on: store.connection)
    statement.begin()
    try advance()
  }

  private func advance() throws { owner = try statement.step() ? statement.int(0) : nil }

  /// Returns the members of an owner. The owners must be asked for in the order of their keys.
  func members(of key: Int64) throws -> [InspectedReference] {
    while let owner, owner < key { try advance() }
    var result: [InspectedReference] = []
    while owner == key {
      let name = schema.entity(number: Int(statement.int(2)))?.name ?? destination.name
      result.append(InspectedReference(entity: name, key: statement.int(1)))
      try advance()
    }
    return result
  }
}
