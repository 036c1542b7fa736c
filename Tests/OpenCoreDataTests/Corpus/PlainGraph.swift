import CoreData
import Foundation
import Testing

/// A row of a store: the root entity's table and the primary key.
struct PlainKey: Hashable, CustomStringConvertible {
  let table: String
  let key: Int64
  var description: String { "\(table)/p\(key)" }
}

/// What a store holds, read by SQL, with names made by the rules of Apple's files, written down here a second time.
struct PlainGraph {
  let database: PlainDatabase
  /// Z_ENT by the entity's name: roots by name without regard to case, each followed by its subentities, sorted alike.
  let numbers: [String: Int64]
  /// The rows of each table of a root entity.
  let tables: [String: [Int64: [String: PlainValue]]]

  init(_ file: URL, _ entities: [NSEntityDescription]) throws {
    database = try PlainDatabase(file)
    numbers = Self.numbers(entities)
    // A migration leaves the old names of renamed entities there.
    for row in try database.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY") {
      if let number = numbers[row[0].text ?? ""] { #expect(row[1].integer == number, "\(row)") }
    }
    var tables: [String: [Int64: [String: PlainValue]]] = [:]
    for entity in entities where entity.superentity == nil {
      tables[Self.table(entity)] = try database.rowsByKey(Self.table(entity))
    }
    self.tables = tables
  }

  private static func numbers(_ entities: [NSEntityDescription]) -> [String: Int64] {
    var numbers: [String: Int64] = [:]
    func number(_ entities: [NSEntityDescription]) {
      for entity in entities.sorted(by: { $0.name!.lowercased() < $1.name!.lowercased() }) {
        numbers[entity.name!] = Int64(numbers.count + 1)
        number(entity.subentities)
      }
    }
    number(entities.filter { $0.superentity == nil })
    return numbers
  }

  static func table(_ entity: NSEntityDescription) -> String {
    var root = entity
    while let parent = root.superentity { root = parent }
    return "Z" + root.name!.uppercased()
  }

  /// The entity that declares a property.
  static func declaring(_ name: String, _ entity: NSEntityDescription) -> NSEntityDescription {
    var entity = entity
    while let parent = entity.superentity, parent.propertiesByName[name] != nil { entity = parent }
    return entity
  }

  /// The rows of exactly that entity.
  func rows(of entity: NSEntityDescription) -> [Int64: [String: PlainValue]] {
    let number = numbers[entity.name!]
    return (tables[Self.table(entity)] ?? [:]).filter { $0.value["Z_ENT"]?.integer == number }
  }

  /// The column of an attribute or of a to-one relationship.
  func column(_ name: String, in entity: NSEntityDescription) -> String { "Z" + name.uppercased() }

  /// The members of one relationship by the owner's key; of an ordered one in their order.
  func members(_ relationship: NSRelationshipDescription, of entity: NSEntityDescription) throws -> [Int64: [PlainKey]]
  {
    let destination = try #require(relationship.destinationEntity)
    let there = Self.table(destination)
    var result: [Int64: [PlainKey]] = [:]
    if !relationship.isToMany {
      let column = column(relationship.name, in: entity)
      for (key, row) in rows(of: entity) {
        if let member = try #require(row[column], "\(column)").integer {
          result[key] = [PlainKey(table: there, key: member)]
        }
      }
      return result
    }
    if let inverse = relationship.inverseRelationship, !inverse.isToMany {
      let column = column(inverse.name, in: destination), order = "Z_FOK_" + inverse.name.uppercased()
      for (key, row) in (tables[there] ?? [:]).sorted(by: {
        ($0.value[order]?.integer ?? 0, $0.key) < ($1.value[order]?.integer ?? 0, $1.key)
      }) {
        if let owner = row[column]?.integer { result[owner, default: []].append(PlainKey(table: there, key: key)) }
      }
      return result
    }
    for pair in try pairs(relationship, entity) {
      result[pair.owner, default: []].append(PlainKey(table: there, key: pair.member))
    }
    return result
  }

  /// The rows of a many-to-many relationship's table, which either side may name, in the order of the owner's members.
  private func pairs(
    _ relationship: NSRelationshipDescription, _ entity: NSEntityDescription
  ) throws -> [(owner: Int64, member: Int64)] {
    let (table, own, other) = try joinTable(relationship, entity)
    let columns = try database.columns(table)
    let order = columns.contains("Z_FOK_" + other.dropFirst(2)) ? "Z_FOK_" + other.dropFirst(2) : other
    return try database.rows("SELECT \(own), \(other) FROM \(table) ORDER BY \(own), \(order), \(other)").map {
      ($0[0].integer ?? 0, $0[1].integer ?? 0)
    }
  }

  /// Table, the owner's column and the member's column.
  func joinTable(
    _ relationship: NSRelationshipDescription, _ entity: NSEntityDescription
  ) throws -> (table: String, own: String, other: String) {
    let destination = try #require(relationship.destinationEntity)
    let here = numbers[Self.declaring(relationship.name, entity).name!] ?? 0
    let name = relationship.name.uppercased()
    let inverse = try #require(relationship.inverseRelationship?.name, "no inverse: \(name)")
    let there = numbers[Self.declaring(inverse, destination).name!] ?? 0
    let tables = try database.tables()
    let candidates = ["Z_\(here)\(name)", "Z_\(there)\(inverse.uppercased())"]
    let table = try #require(candidates.first(where: tables.contains), "\(candidates)")
    return (table, "Z_\(here)\(inverse.uppercased())", "Z_\(there)\(name)")
  }
}
