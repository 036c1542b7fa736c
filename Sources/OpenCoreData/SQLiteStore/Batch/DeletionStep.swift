import Foundation

/// What the delete rule of one relationship does when rows that have it are deleted.
struct DeletionStep {
  let relationship: NSRelationshipDescription
  /// The entities whose rows have the relationship, all of one table.
  private(set) var numbers: [Int]
  /// The root of those entities.
  let owner: SQLEntity
  /// The entity that the relationship leads to.
  let destination: SQLEntity
  private let storage: Storage

  /// Where the members are.
  private enum Storage {
    case own(SQLToOne)
    case members(SQLToMany.Storage)
  }

  var rule: NSDeleteRule { relationship.deleteRule }

  /// The steps for rows of those entities; relationships that nothing has to be done for are left out.
  static func all(for numbers: [Int], in schema: SQLModel) -> [DeletionStep] {
    var steps: [DeletionStep] = []
    var places: [ObjectIdentifier: Int] = [:]
    for entity in numbers.compactMap(schema.entity(number:)) {
      for slot in entity.entity.layout.slots where slot.kind.isRelationship && !slot.isTransient {
        if let place = places[ObjectIdentifier(slot.property)] {
          steps[place].numbers.append(entity.number)
        } else if let step = DeletionStep(slot, of: entity, in: schema), step.hasEffect {
          places[ObjectIdentifier(slot.property)] = steps.count
          steps.append(step)
        }
      }
    }
    return steps
  }

  private init?(_ slot: PropertySlot, of entity: SQLEntity, in schema: SQLModel) {
    if let toOne = entity.toOne(named: slot.name) {
      storage = .own(toOne)
      destination = schema.destination(of: toOne)
    } else if let toMany = entity.toManys[slot.name] {
      storage = .members(toMany.storage)
      destination = schema.destination(of: toMany)
    } else {
      return nil
    }
    relationship = slot.relationship
    owner = entity.root
    numbers = [entity.number]
  }

  private var hasEffect: Bool {
    switch rule {
    case .noActionDeleteRule: false
    case .cascadeDeleteRule, .denyDeleteRule: true
    case .nullifyDeleteRule: reference != nil || pairs != nil || owners != nil
    }
  }

  // MARK: SQL

  /// Where members refer to the owner by a key of their own, which nullify takes away.
  var reference: SQLToOne? {
    guard let inverse = relationship.inverseRelationship, !inverse.isToMany else { return nil }
    return destination.toOne(named: inverse.name)
  }

  /// The table with the pairs of owners and members, and the columns in which the owner may be.
  var pairs: (table: String, columns: [String])? {
    guard case .members(.join(let table, let source, let member, _, _)) = storage else { return nil }
    // In a relationship that is its own inverse the object may be in either column.
    return (table, relationship.inverseRelationship === relationship ? [source, member] : [source])
  }

  /// The table of the members, and its columns that say whose they are and in which place, of a relationship without inverse.
  var owners: (table: String, key: String, order: String?)? {
    guard relationship.inverseRelationship == nil,
      case .members(.foreignKey(let table, let column, _, let order)) = storage
    else { return nil }
    return (table, column, order)
  }

  /// The owners `d` of a table of keys with their members `m`; in this order, since the former are few, or all.
  func members(of keys: String) -> String {
    let rows = destination.tableName
    switch storage {
    case .own(let toOne):
      return "FROM \(keys) d CROSS JOIN \(owner.tableName) o ON o.Z_PK = d.Z_PK "
        + "CROSS JOIN \(rows) m ON m.Z_PK = o.\(toOne.keyColumn)"
    case .members(.foreignKey(let table, let column, _, _)):
      return "FROM \(keys) d CROSS JOIN \(table) m ON m.\(column) = d.Z_PK"
    case .members(.join(let table, let source, let member, _, _)):
      return "FROM \(keys) d CROSS JOIN \(table) j ON j.\(source) = d.Z_PK CROSS JOIN \(rows) m ON m.Z_PK = j.\(member)"
    }
  }

  /// The condition on Z_ENT of owners, where the table has other rows, too.
  func isOwner(_ alias: String) -> String? {
    numbers.count == owner.numbers.count
      ? nil : "\(alias)Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))"
  }
}
