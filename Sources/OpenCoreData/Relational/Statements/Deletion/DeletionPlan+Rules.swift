// The statements for delete rules, which use the tables of keys.
extension DeletionPlan {
  /// Finds a member that is not deleted.
  package func denial(_ step: DeletionStep) -> SQLSelect {
    let fixed = step.owner.fixed
    func owner(_ name: String) -> SQLExpression { .column(alias: DeletionStep.keys, name: name) }
    var select = step.members(of: Self.keys(of: step.owner), [owner(fixed.key)], fixed: fixed)
    let conditions = [
      step.isOwner(owner(fixed.entity)), stays(step, .column(alias: DeletionStep.members, name: fixed.key)),
    ].compactMap { $0 }
    if !conditions.isEmpty { select.condition = .all(conditions) }
    select.isFirstOnly = true
    return select
  }

  /// Finds a row that must keep a value that nullify would remove.
  package func obstacle(_ step: DeletionStep, _ reference: SQLToOne) -> SQLSelect {
    var select = SQLSelect(
      [.name(step.destination.fixed.key)], from: step.destination.tableName, where: refers(step, reference))
    select.isFirstOnly = true
    return select
  }

  /// Removes the keys of deleted rows from the rows that stay.
  /// - Parameter returnsRows: whether the statement returns the key and entity of each changed row.
  package func nullification(_ step: DeletionStep, _ reference: SQLToOne, returnsRows: Bool) -> SQLChange {
    let fixed = step.destination.fixed
    let columns = [reference.keyColumn, reference.entityColumn, reference.orderColumn].compactMap { $0 }
    let version = SQLAssignment(fixed.version, .arithmetic(.plus, .name(fixed.version), .integer(1)))
    return SQLChange(
      table: step.destination.tableName, assignments: columns.map { SQLAssignment($0, .null) } + [version],
      condition: refers(step, reference), returning: returnsRows ? [fixed.key, fixed.entity] : [])
  }

  /// Removes the pairs of deleted owners from a table of pairs.
  package func separation(_ step: DeletionStep, _ table: String, _ column: String) -> SQLChange {
    SQLChange(table: table, condition: .inSelect(.name(column), owners(step)))
  }

  /// Removes deleted owners from their members, in a relationship without inverse.
  package func release(_ step: DeletionStep, _ owners: (table: String, key: String, order: String?)) -> SQLChange {
    SQLChange(
      table: owners.table,
      assignments: [SQLAssignment(owners.key, .null)] + SQLMembers.withoutPlace(owners.order),
      condition: .inSelect(.name(owners.key), self.owners(step)))
  }

  /// The keys of the owners that are deleted.
  private func owners(_ step: DeletionStep) -> SQLSelect {
    let fixed = step.owner.fixed
    return SQLSelect(
      [.name(fixed.key)], from: Self.keys(of: step.owner), where: step.isOwner(.name(fixed.entity)))
  }

  /// The condition that a row stays and refers to a deleted row.
  private func refers(_ step: DeletionStep, _ reference: SQLToOne) -> SQLExpression {
    .all(
      [
        .inSelect(.name(reference.keyColumn), owners(step)), stays(step, .name(step.destination.fixed.key)),
      ].compactMap { $0 })
  }

  /// The condition that a row stays; nil if all rows of its table stay.
  private func stays(_ step: DeletionStep, _ key: SQLExpression) -> SQLExpression? {
    let root = step.destination.root
    guard roots.contains(where: { $0 === root }) else { return nil }
    return .notInSelect(key, SQLSelect([.name(root.fixed.key)], from: Self.keys(of: root)))
  }
}
