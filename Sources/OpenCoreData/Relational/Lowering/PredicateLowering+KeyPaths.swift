import Foundation
import OpenCocoaFoundation

extension PredicateLowering {
  /// The operand for a key path that starts at a row.
  package func resolve(_ keyPath: String, from start: SQLRow) throws -> SQLOperand {
    try resolve(keyPath.keysOfPath[...], of: keyPath, from: start, in: nil)
  }

  /// The operand for a key path that starts at the members of a collection.
  package func resolve(_ keyPath: String, from element: SQLElement, in scope: SQLScope) throws -> SQLOperand {
    guard case .key = element.value.kind else { throw SQLLoweringError.keyPathNotFound(keyPath, in: row.entity) }
    return try resolve(
      keyPath.keysOfPath[...], of: keyPath, from: element.row,
      in: (scope, element.keepsNil))
  }

  /// The largest number of steps in a path. SQLite joins 64 tables at most, so that no statement could lead through as
  /// many relationships. The SQL of a path is nested as deeply as the path is long.
  private static let mostSteps = 300

  private typealias Members = (scope: SQLScope, keepsNil: Bool)

  private func resolve(
    _ keys: ArraySlice<String>, of keyPath: String, from start: SQLRow, in members: Members?
  ) throws -> SQLOperand {
    var row = start
    var members = members
    var isMember = members != nil
    var keys = keys
    guard keys.count <= Self.mostSteps else {
      throw SQLLoweringError.make(
        "keypath \(keyPath.prefix(200))… has \(keys.count) steps, and \(Self.mostSteps) are possible")
    }
    while let key = keys.popFirst() {
      if key.hasPrefix("@") {
        guard let members else { throw SQLLoweringError.keyPathNotFound(keyPath, in: row.entity) }
        let value = try aggregate(key, keys, of: keyPath, row: row, scope: members.scope)
        return .scalar(Self.missing(value, withOwnerOf: members.scope))
      }
      switch row.entity.property(named: key) {
      case .toOne(let toOne):
        row = row.destination(of: toOne, in: model)
        isMember = false
      case .toMany(let toMany):
        let isOrdered = toMany.relationship.isOrdered
        (row, members) = join(toMany, of: row, in: members?.scope, isOrdered: isOrdered)
        isMember = true
      case .attribute(let attribute):
        let value = try value(of: attribute, keys, of: keyPath, row: row)
        return operand(value, row: row, members, isMember: false)
      case nil:
        if let value = try composite(key, keys, of: keyPath, row: row) {
          return operand(value, row: row, members, isMember: false)
        }
        guard let value = try special(key, &keys, of: keyPath, row: row) else { continue }
        return operand(value, row: row, members, isMember: false)
      }
    }
    let kind = SQLKind.key(root: row.entity.root.number)
    return operand(SQLScalar(expression: row.key, kind: kind, row: row), row: row, members, isMember: isMember)
  }

  private func operand(
    _ value: SQLScalar, row: SQLRow, _ members: Members?, isMember: Bool
  ) -> SQLOperand {
    guard let members else { return .scalar(value) }
    return .collection(
      members.scope, SQLElement(value: value, row: row, isMember: isMember, keepsNil: members.keepsNil))
  }

  /// Continues at the members of a to-many relationship: in a select of their own, or by a join in the given one.
  private func join(
    _ toMany: SQLToMany, of row: SQLRow, in scope: SQLScope?, isOrdered: Bool
  ) -> (SQLRow, Members) {
    let table: String
    let ownerColumn: String
    let memberColumn: String
    let isEntityTable: Bool
    switch toMany.storage {
    case .foreignKey(let name, let column, _, _):
      (table, ownerColumn, memberColumn, isEntityTable) = (name, column, model.dialect.columns.key, true)
    case .join(let name, let source, let destination, _, _):
      (table, ownerColumn, memberColumn, isEntityTable) = (name, source, destination, false)
    }
    let alias: Int
    let owner = row.key
    let members: SQLScope
    if let scope {
      members = scope
      alias = scope.join(table, isOuter: false) { .compare(.equal, .column(alias: $0, name: ownerColumn), owner) }
    } else {
      members = row.scope.nested(table: table) { (.column(alias: $0, name: ownerColumn), owner) }
      members.isOwnerOptional = row.isOptional
      alias = members.alias
    }
    let member = SQLRow(
      entity: model.destination(of: toMany), key: .column(alias: alias, name: memberColumn), scope: members,
      alias: isEntityTable ? alias : nil)
    return (member, (members, isOrdered))
  }

  /// Returns the value of an attribute, or of a key that the attribute's strings, numbers or dates answer.
  private func value(
    of attribute: SQLAttribute, _ keys: ArraySlice<String>, of keyPath: String, row: SQLRow
  ) throws -> SQLScalar {
    guard let kind = SQLKind(attribute.attribute) else {
      throw SQLLoweringError.keyPathNotFound(keyPath, in: row.entity)
    }
    let column = row.column(attribute.columnName, attribute.type)
    guard let key = keys.first else { return SQLScalar(expression: column, kind: kind, row: row) }
    guard keys.count == 1, let function = SQLFunctionName.property(key, of: kind) else {
      throw SQLLoweringError.keyPathNotFound(keyPath, in: row.entity)
    }
    return SQLScalar(expression: .function(function.name, [column]), kind: function.kind, row: row)
  }

  /// Returns the element of a composite attribute that the keys lead to, or a value that is missing if the composite
  /// attribute itself is nil. Returns nil for any other key.
  private func composite(
    _ key: String, _ keys: ArraySlice<String>, of keyPath: String, row: SQLRow
  ) throws -> SQLScalar? {
    var name = key
    var keys = keys
    while let next = keys.popFirst() {
      name += "." + next
      if let element = row.entity.attribute(named: name) { return try value(of: element, keys, of: keyPath, row: row) }
    }
    let columns = row.entity.elements(ofComposite: name).map { row.column($0.columnName, $0.type) }
    guard let first = columns.first else { return nil }
    // A composite attribute is nil if none of its elements has a value.
    let expression = columns.count == 1 ? first : SQLExpression.function(.coalesce, columns)
    return SQLScalar(expression: expression, kind: .composite, row: row)
  }

  /// Returns the value of a key that every object answers, such as its entity. Nil stands for the object itself, from
  /// which the key path continues.
  private func special(
    _ key: String, _ keys: inout ArraySlice<String>, of keyPath: String, row: SQLRow
  ) throws -> SQLScalar? {
    switch key {
    case "self", "SELF", "#self", "objectID": return nil
    // Every row of the store has a permanent object ID.
    case "isTemporaryID" where keys.isEmpty && keyPath.hasSuffix("objectID.isTemporaryID"):
      let isTemporary = SQLExpression.integer(0)
      guard row.isOptional else { return SQLScalar(expression: isTemporary, kind: .number) }
      return SQLScalar(
        expression: .choice(condition: .isNotNull(row.key), then: isTemporary, otherwise: .null), kind: .number)
    case "entity" where keys.isEmpty: return entity(of: row)
    case "entity" where keys == ["name"]: return entityName(of: row)
    default: throw SQLLoweringError.keyPathNotFound(keyPath, in: row.entity)
    }
  }
}
