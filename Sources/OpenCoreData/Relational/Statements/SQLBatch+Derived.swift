import Foundation

extension SQLBatch {
  /// Whether only the store sets the attribute.
  package func isDerived(_ name: String) -> Bool {
    entity.attribute(named: name)?.attribute is NSDerivedAttributeDescription
  }

  /// Returns the assignments that an update of rows needs besides the requested ones: those of attributes that derive
  /// from changed attributes, and of the time of the change.
  package func derivedAssignments(
    _ assignments: [SQLAssignment], _ scope: SQLScope
  ) -> [SQLAssignment] {
    guard let derivations else { return [] }
    return derivations.all.compactMap { derivation in
      let numbers = derivation.entity.numbers
      let isOfAll = numbers.contains(entity.number)
      guard isOfAll || (includesSubentities && entity.numbers.contains(derivation.entity.number)),
        let value = value(of: derivation, assignments)
      else { return nil }
      let column = derivation.attribute.columnName
      if isOfAll { return SQLAssignment(column, value, derivation.attribute.type) }
      // The attribute belongs to a subentity; other rows of the table do not have it.
      let isOfEntity = SQLExpression.inIntegers(.column(alias: scope.alias, name: entity.fixed.entity), numbers)
      let otherwise = SQLExpression.column(alias: scope.alias, name: column)
      return SQLAssignment(column, .choice(condition: isOfEntity, then: value, otherwise: otherwise))
    }
  }

  private func value(
    of derivation: SQLDerivation, _ assignments: [SQLAssignment]
  ) -> SQLExpression? {
    switch derivation.kind {
    case .now: .value(.real(Date().timeIntervalSinceReferenceDate))
    case .row(let function, let source):
      assignments.first { $0.column == source.columnName }.map { function.expression(of: $0.value) }
    case .path, .count, .sum: nil
    }
  }
}
