import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// The statements of batch requests, which change rows without objects.
package struct SQLBatch {
  package let model: SQLModel
  package let entity: SQLEntity
  package var predicate: NSPredicate?
  package var includesSubentities = true
  /// A select of the keys of the rows that may be changed; nil for all rows.
  package var rows: SQLSelect?
  /// Whether the statement returns the key and the number of the entity of each changed row.
  package var returnsKeys = false

  package let derivations: SQLDerivations?

  /// - Parameter derivations: The derived attributes, which change with the rows.
  package init(model: SQLModel, entity: SQLEntity, derivations: SQLDerivations? = nil) {
    self.model = model
    self.entity = entity
    self.derivations = derivations
  }

  /// Returns an UPDATE of the rows that satisfy the predicate. It increments the version of each row.
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

  /// Returns a DELETE of the rows that satisfy the predicate.
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
      // An UPDATE or DELETE has one table only, so a nested select with the joins finds the rows. Its aliases hide
      // those of the change.
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
        // Both ends hold a key, and the key of the other end is in a row that this statement does not change.
        throw SQLLoweringError.make(
          "Unsupported one-to-one relationship in propertiesToUpdate: \(name) of \(entity.name)")
      }
      let assignments = try key(value, of: toOne, lowering)
      guard let order = toOne.orderColumn else { return assignments }
      // A member that gets a new owner has no place among the owner's members yet.
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

  /// Whether a value is nil, or the bytes of another attribute that has the same transformer as this one.
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

  /// Returns the value of an attribute as the row's column holds it.
  private func stored(_ value: Any?, _ attribute: NSAttributeDescription, _ name: String) throws -> SQLValue {
    var value = value
    if attribute.attributeType == .transformableAttributeType, let object = unwrapped(value), !isNull(object) {
      value = try attribute.transformedBytes(of: object)
    }
    guard let stored = SQLValue(value, for: attribute) else {
      throw unacceptable(value, kind: "attribute", name, wanted: attribute.attributeValueClassName ?? "an object")
    }
    // The data goes into the rows, however large it is, because a file belongs to one row.
    if case .blob(let data) = stored, attribute.allowsExternalBinaryDataStorage, model.dialect.marksData {
      return .blob(Data([1]) + data)
    }
    return stored
  }

  /// Sets every element of a composite attribute. Elements that the dictionary lacks become nil.
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

  /// Collects the values of nested dictionaries by key path.
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

  /// Returns the owners that an update assigns to rows, if they keep their members in an order.
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

  /// - Returns: the assignment of the key's column, then that of the entity's column, if there is one.
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

  /// A file belongs to one row and one attribute, so that a reference to it cannot be copied.
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
