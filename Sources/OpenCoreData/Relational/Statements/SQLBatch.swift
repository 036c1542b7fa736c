import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// The statements of batch requests, which change rows without objects.
package struct SQLBatch {
  package let model: SQLModel
  package let entity: SQLEntity
  package var predicate: NSPredicate?
  package var includesSubentities = true
  /// The rows that come into question, by a select of their keys; nil for all.
  package var rows: SQLSelect?
  /// Whether the statement gives back the key and the number of the entity of each changed row.
  package var returnsKeys = false

  package let derivations: SQLDerivations?

  /// - Parameter derivations: What else changes in a row that changes.
  package init(model: SQLModel, entity: SQLEntity, derivations: SQLDerivations? = nil) {
    self.model = model
    self.entity = entity
    self.derivations = derivations
  }

  /// An UPDATE of the rows that satisfy the predicate; the version counts the change.
  ///
  /// - Parameter values: Constants or expressions by the names of attributes and to-one relationships.
  /// - Throws: An error of `SQLLoweringError`, which names the part that SQL cannot express.
  package func update(_ values: [String: Any?]) throws -> SQLStatement {
    let scope = SQLScope(table: entity.tableName)
    let lowering = PredicateLowering(model: model, row: SQLRow(entity: entity, scope: scope))
    var assignments: [SQLAssignment] = []
    for (name, value) in values.sorted(by: { $0.key < $1.key }) where !isDerived(name) {
      assignments += try self.assignments(of: unwrapped(value), to: name, lowering)
      guard scope.joins.isEmpty else {
        throw SQLLoweringError.make(
          "Unsupported key path through a relationship in propertiesToUpdate: the value of \(name) of \(entity.name)")
      }
    }
    assignments += derivedAssignments(assignments, scope)
    let version = SQLExpression.column(alias: scope.alias, name: entity.fixed.version)
    assignments.append(SQLAssignment(entity.fixed.version, .arithmetic(.plus, version, .integer(1))))
    return try change(assignments, lowering, scope)
  }

  /// A DELETE of the rows that satisfy the predicate.
  package func delete() throws -> SQLStatement {
    let scope = SQLScope(table: entity.tableName)
    return try change([], PredicateLowering(model: model, row: SQLRow(entity: entity, scope: scope)), scope)
  }

  private func change(
    _ assignments: [SQLAssignment], _ lowering: PredicateLowering, _ scope: SQLScope
  ) throws -> SQLStatement {
    if let predicate { scope.conditions.append(try lowering.condition(predicate)) }
    if let filter = SQLFetch.entityFilter(entity, alias: scope.alias, includesSubentities) {
      scope.conditions.append(filter)
    }
    if let rows { scope.conditions.append(.inSelect(.column(alias: scope.alias, name: entity.fixed.key), rows)) }
    var condition = scope.conditions.isEmpty ? nil : SQLExpression.all(scope.conditions)
    if !scope.joins.isEmpty {
      // A statement that changes rows has one table. The rows are found by a nested select, whose names hide those of the
      // outer statement.
      let key = SQLExpression.column(alias: scope.alias, name: entity.fixed.key)
      condition = .inSelect(key, scope.select([key]))
    }
    let change = SQLChange(
      table: entity.tableName, alias: scope.alias, assignments: assignments,
      condition: condition, returning: returnsKeys ? [entity.fixed.key, entity.fixed.entity] : [])
    return try change.statement(model.dialect)
  }

  private func assignments(
    of value: Any?, to name: String, _ lowering: PredicateLowering
  ) throws -> [SQLAssignment] {
    switch entity.property(named: name) {
    case .attribute(let attribute):
      if let expression = value as? NSExpression, case .scalar(let scalar) = try lowering.operand(expression) {
        if scalar.kind == .binary(isPrefixed: true) || scalar.kind == .transformable(isPrefixed: true) {
          throw unsupportedData(name)
        }
        if attribute.attribute.attributeType == .transformableAttributeType, !isTransformed(scalar, like: attribute) {
          throw unacceptable(expression, kind: "attribute", name, wanted: "a constant")
        }
        if attribute.attribute.allowsExternalBinaryDataStorage { throw unsupportedData(name) }
        return [SQLAssignment(attribute.columnName, scalar.expression, attribute.type)]
      }
      var constant = value
      if let expression = value as? NSExpression { constant = try lowering.value(of: expression) }
      return [
        SQLAssignment(attribute.columnName, .value(try stored(constant, attribute.attribute, name)), attribute.type)
      ]
    case .toOne(let toOne):
      if toOne.relationship.inverseRelationship?.isToMany == false {
        // Both ends have a key, and the other key is in a row that this statement does not change.
        throw SQLLoweringError.make(
          "Unsupported one-to-one relationship in propertiesToUpdate: \(name) of \(entity.name)")
      }
      let assignments = try key(value, of: toOne, lowering)
      guard let order = toOne.orderColumn else { return assignments }
      // A member that changes its owner has no place among the members yet.
      let alias = lowering.row.scope.alias
      let isSame = SQLExpression.compare(.equal, .column(alias: alias, name: toOne.keyColumn), assignments[0].value)
      let place = SQLExpression.column(alias: alias, name: order)
      return assignments + [SQLAssignment(order, .choice(condition: isSame, then: place, otherwise: .null))]
    case .toMany: throw SQLLoweringError.toMany(name)
    case nil:
      let elements = entity.elements(ofComposite: name)
      if elements.isEmpty { throw SQLLoweringError.keyPathNotFound(name, in: entity) }
      guard let expression = value as? NSExpression else { return try composite(value, name, elements) }
      guard case .constant(let constant) = try lowering.operand(expression) else {
        throw unacceptable(expression, kind: "composite attribute", name, wanted: "a constant")
      }
      return try composite(constant, name, elements)
    }
  }

  /// Whether a value is nil, or bytes that another attribute's transformer made, as an attribute's own would.
  private func isTransformed(_ scalar: SQLScalar, like attribute: SQLAttribute) -> Bool {
    if case .null = scalar.expression { return true }
    guard case .column(_, let name, _) = scalar.expression, scalar.kind == SQLKind(attribute.attribute) else {
      return false
    }
    return entity.columns.contains { column in
      guard case .attribute(let source) = column, source.columnName == name else { return false }
      return source.attribute.valueTransformerName == attribute.attribute.valueTransformerName
    }
  }

  /// The value of an attribute as the row's column holds it.
  private func stored(_ value: Any?, _ attribute: NSAttributeDescription, _ name: String) throws -> SQLValue {
    var value = value
    if attribute.attributeType == .transformableAttributeType, let object = unwrapped(value), !isNull(object) {
      value = try attribute.transformedBytes(of: object)
    }
    guard let stored = SQLValue(value, for: attribute) else {
      throw unacceptable(value, kind: "attribute", name, wanted: attribute.attributeValueClassName ?? "an object")
    }
    // The data are written into the rows, whatever their size, because a file belongs to one row.
    if case .blob(let data) = stored, attribute.allowsExternalBinaryDataStorage, model.dialect.marksData {
      return .blob(Data([1]) + data)
    }
    return stored
  }

  /// Sets every element of a composite attribute: those that the dictionary leaves out to nil.
  private func composite(
    _ value: Any?, _ name: String, _ elements: [SQLAttribute]
  ) throws -> [SQLAssignment] {
    var values: [String: Any] = [:]
    try flatten(value, name, into: &values)
    if let unknown = values.keys.first(where: { path in !elements.contains { $0.keyPath == path } }) {
      throw SQLLoweringError.keyPathNotFound(unknown, in: entity)
    }
    return try elements.map {
      SQLAssignment($0.columnName, .value(try stored(values[$0.keyPath], $0.attribute, $0.keyPath)), $0.type)
    }
  }

  /// The values of nested dictionaries by key path.
  private func flatten(_ value: Any?, _ path: String, into values: inout [String: Any]) throws {
    if Operand(value).isNull { return }
    guard let dictionary = value as? [String: Any] else {
      throw unacceptable(value, kind: "composite attribute", path, wanted: "a dictionary")
    }
    for (key, value) in dictionary {
      let path = "\(path).\(key)"
      if entity.elements(ofComposite: path).isEmpty {
        values[path] = value
      } else {
        try flatten(value, path, into: &values)
      }
    }
  }

  /// The owners that an update gives rows to and that keep their members in an order.
  package func orderedOwners(_ values: [String: Any?]) throws -> [(toOne: SQLToOne, key: Int64)] {
    let lowering = PredicateLowering(
      model: model, row: SQLRow(entity: entity, scope: SQLScope(table: entity.tableName)))
    return try values.compactMap { name, value in
      guard let toOne = entity.toOne(named: name), toOne.orderColumn != nil,
        case .value(.integer(let key))? = try key(unwrapped(value), of: toOne, lowering).first?.value
      else { return nil }
      return (toOne, key)
    }
  }

  /// - Returns: the key's column first.
  private func key(
    _ value: Any?, of toOne: SQLToOne, _ lowering: PredicateLowering
  ) throws -> [SQLAssignment] {
    var value = value
    if let expression = value as? NSExpression { value = try lowering.value(of: expression) }
    var key = SQLExpression.null
    var number = SQLExpression.null
    if !Operand(value).isNull {
      guard let reference = (value as? any SQLObjectReference)?.sqlReference, !reference.isTemporary,
        let entity = model.entity(for: reference.entity),
        model.destination(of: toOne).numbers.contains(entity.number)
      else {
        throw unacceptable(
          value, kind: "to-one relationship", toOne.relationship.name,
          wanted: "a saved \(toOne.relationship.destinationEntity?.name ?? "object") of this store")
      }
      key = .value(.integer(reference.primaryKey))
      number = .value(.integer(Int64(entity.number)))
    }
    return [SQLAssignment(toOne.keyColumn, key)] + (toOne.entityColumn.map { [SQLAssignment($0, number)] } ?? [])
  }

  /// The error for a reference to a file: a file belongs to one row and one attribute, so a reference to it cannot be copied.
  private func unsupportedData(_ name: String) -> NSError {
    SQLLoweringError.make(
      "Unsupported expression in propertiesToUpdate with data that may be stored externally: the value of \(name) of "
        + entity.name)
  }

  private func unacceptable(_ value: Any?, kind: String, _ name: String, wanted: String) -> NSError {
    let isSecret = name.split(separator: ".").first.map { entity.entity.attributesByName[String($0)]?.isSecret == true }
    let given =
      value.map { "\(type(of: $0)); value = \(isSecret == true ? SecretAttributes.redacted : ValueText.of($0))" }
      ?? "nil"
    return SQLLoweringError.make(
      "Unacceptable type of value for \(kind): property = \"\(name)\"; desired type = \(wanted); given type = \(given); "
        + "entity = \(entity.name).")
  }
}
