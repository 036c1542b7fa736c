import Foundation

/// The effect of one relationship's delete rule when rows with this relationship are deleted.
package struct DeletionStep {
  package let relationship: NSRelationshipDescription
  /// The entities whose rows have the relationship, all of one table.
  package private(set) var numbers: [Int]
  /// The root of those entities.
  package let owner: SQLEntity
  /// The entity that the relationship leads to.
  package let destination: SQLEntity
  private let storage: Storage

  /// The storage of the members.
  private enum Storage {
    case own(SQLToOne)
    case members(SQLToMany.Storage)
  }

  package var rule: NSDeleteRule { relationship.deleteRule }

  /// Returns the steps for rows of these entities, without relationships whose rules have no effect.
  package static func all(for numbers: [Int], in schema: SQLModel) -> [DeletionStep] {
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

  // MARK: Storage of the members

  /// The relationship by which members refer to the owner with a key of their own, which nullify clears.
  package var reference: SQLToOne? {
    guard let inverse = relationship.inverseRelationship, !inverse.isToMany else { return nil }
    return destination.toOne(named: inverse.name)
  }

  /// The table with the pairs of owners and members, and the columns in which the owner may be.
  package var pairs: (table: String, columns: [String])? {
    guard case .members(.join(let table, let source, let member, _, _)) = storage else { return nil }
    // In a relationship that is its own inverse the object may be in either column.
    return (table, relationship.inverseRelationship === relationship ? [source, member] : [source])
  }

  /// For a relationship without inverse: the table of the members, and its columns with the owner and with the member's
  /// place.
  package var owners: (table: String, key: String, order: String?)? {
    guard relationship.inverseRelationship == nil,
      case .members(.foreignKey(let table, let column, _, let order)) = storage
    else { return nil }
    return (table, column, order)
  }

  // The aliases in statements over a table of keys: of the table of keys, the owners' rows or the pairs, and the
  // members' rows.
  package static let keys = 0, between = 1, members = 2

  /// Returns a select over the owners in a table of keys and their members, joined in this order, because the owners
  /// are few or all.
  /// - Parameter fixed: the columns that the table of keys shares with the tables of rows.
  package func members(of table: String, _ results: [SQLExpression], fixed: SQLFixedColumns) -> SQLSelect {
    func column(_ alias: Int, _ name: String) -> SQLExpression { .column(alias: alias, name: name) }
    func join(_ table: String, _ alias: Int, _ name: String, is value: SQLExpression) -> SQLJoin {
      SQLJoin(kind: .inOrder, table: table, alias: alias, condition: .compare(.equal, column(alias, name), value))
    }
    let key = column(Self.keys, fixed.key), rows = destination.tableName
    var select = SQLSelect(results, from: table, alias: Self.keys)
    switch storage {
    case .own(let toOne):
      select.joins = [
        join(owner.tableName, Self.between, fixed.key, is: key),
        join(rows, Self.members, fixed.key, is: column(Self.between, toOne.keyColumn)),
      ]
    case .members(.foreignKey(let table, let owner, _, _)):
      select.joins = [join(table, Self.members, owner, is: key)]
    case .members(.join(let table, let source, let member, _, _)):
      select.joins = [
        join(table, Self.between, source, is: key),
        join(rows, Self.members, fixed.key, is: column(Self.between, member)),
      ]
    }
    return select
  }

  /// The condition that a row's entity is one of the owners; nil if the table has no other rows.
  package func isOwner(_ entity: SQLExpression) -> SQLExpression? {
    numbers.count == owner.numbers.count ? nil : .inIntegers(entity, numbers)
  }
}
