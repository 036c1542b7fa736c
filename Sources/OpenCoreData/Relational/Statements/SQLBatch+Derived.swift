import Foundation

extension SQLBatch {
  /// Whether only the store sets the attribute.
  func isDerived(_ name: String) -> Bool { entity.attribute(named: name)?.attribute is NSDerivedAttributeDescription }

  /// The assignments that an update of rows needs besides those asked for: attributes derived from the changed ones,
  /// and the time of the change.
  func derivedAssignments(
    _ assignments: [(column: String, value: SQLExpression)], _ scope: SQLScope
  ) -> [(column: String, value: SQLExpression)] {
    guard let derivations else { return [] }
    return derivations.all.compactMap { derivation in
      let numbers = derivation.entity.numbers
      let isOfAll = numbers.contains(entity.number)
      guard isOfAll || (includesSubentities && entity.numbers.contains(derivation.entity.number)),
        let value = value(of: derivation, assignments)
      else { return nil }
      let column = derivation.attribute.columnName
      if isOfAll { return (column, value) }
      // A subentity's attribute: other rows of the table have none.
      let isOfEntity = SQLExpression.inIntegers(.column(alias: scope.alias, name: entity.fixed.entity), numbers)
      return (column, .choice(condition: isOfEntity, then: value, otherwise: .column(alias: scope.alias, name: column)))
    }
  }

  private func value(
    of derivation: SQLDerivation, _ assignments: [(column: String, value: SQLExpression)]
  ) -> SQLExpression? {
    switch derivation.kind {
    case .now: .value(.real(Date().timeIntervalSinceReferenceDate))
    case .row(let function, let source):
      assignments.first { $0.column == source.columnName }.map { function.expression(of: $0.value) }
    case .path, .count, .sum: nil
    }
  }
}
