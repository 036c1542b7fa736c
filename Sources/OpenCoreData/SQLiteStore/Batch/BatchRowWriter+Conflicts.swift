import Foundation

// What a batch insert does with a row whose unique values another row has.
extension BatchRowWriter {
  /// - Returns: the existing row that was updated; nil if it was left as it is.
  func resolve(_ row: BatchRows) throws -> BatchedRow? {
    guard let (constraint, taken) = try takenBy(row) else {
      // The violated constraint is not one of the model's: SQLite's error says which it is.
      try insertAgain()
      return nil
    }
    switch policy {
    case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType:
      discardFiles()
      return nil
    case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
      // An object of another entity cannot become an object of this entity.
      guard entity.numbers.contains(taken.number), try update(taken, with: row) else {
        throw try conflict(row, constraint, taken)
      }
      return taken
    case .errorMergePolicyType: throw try conflict(row, constraint, taken)
    }
  }

  /// Returns a row that has the same unique values as `row`, and the constraint; nil if there is none.
  private func takenBy(_ row: BatchRows) throws -> (UniquenessConstraint, BatchedRow)? {
    for constraint in constraints {
      let values = constraint.slots.map { row.values[$0.index] }
      if values.contains(where: { UniqueValue($0) == nil }) { continue }
      let statement = try connection.statement(
        SQLRows(entity: entity).having(entity.columns(of: constraint)).statement(store.schema.dialect).text)
      for (index, value) in values.enumerated() {
        statement.bind(value, for: constraint.slots[index], at: Int32(index + 1))
      }
      var found: BatchedRow?
      try store.collect(statement) { found = BatchedRow(key: $0.int(0), number: Int(clamping: $0.int(1))) }
      if let found { return (constraint, found) }
    }
    return nil
  }

  /// Gives an existing row the values that `row` gives; all values if the policy is to overwrite. Returns false if other
  /// values must be unique, too, and are taken.
  private func update(_ taken: BatchedRow, with row: BatchRows) throws -> Bool {
    let isOverwriting = policy == .overwriteMergePolicyType
    let given = columns.filter { !$0.isDerived && (isOverwriting || row.isGiven($0.slot.index)) }
    // The derived attributes of the existing row's entity, which may have more of them than `entity`.
    let derived = store.derivedPlans[taken.number - 1].computed(from: given.map(\.position))
    let written =
      given.map { SQLAttributeColumn(entity.columns[$0.position].typedNames[0]) }
      + derived.compactMap { store.column($0, of: taken.number) }
    let statement = try connection.statement(
      SQLRows(entity: entity).overwriting(written).statement(store.schema.dialect).text)
    var variable: Int32 = 1
    for column in given {
      try bind(row.values[column.slot.index], column, statement, at: variable)
      variable += 1
    }
    for derived in derived {
      statement.bind(value(of: derived, row), for: derived.slot, at: variable)
      variable += 1
    }
    statement.bind(taken.key, at: variable)
    guard try statement.runIfUnique() else { return false }
    // Removes the files that were written for columns that keep their values.
    for (slot, file) in files where !given.contains(where: { $0.slot.index == slot }) {
      store.writer.external?.discard(file)
    }
    try noteUpdate(taken, given.map(\.slot.name))
    return true
  }

  private func conflict(
    _ row: BatchRows, _ constraint: UniquenessConstraint, _ taken: BatchedRow
  ) throws -> any Error {
    let codec = store.codec(store.schema.entity(number: taken.number) ?? entity)
    guard let old = try store.readRows([taken.key], codec, connection, commit: 0).first else {
      return SQLLoweringError.make("The row \(taken.key) of \(entity.name) cannot be read.")
    }
    return BatchConflict(
      constraint: constraint, row: old, isNew: taken.key >= firstKey, layout: entity.entity.layout, values: row.values)
  }
}

extension SQLiteStore {
  fileprivate func column(_ derived: ComputedColumn, of number: Int) -> SQLAttributeColumn? {
    schema.entity(number: number).map { SQLAttributeColumn($0.columns[derived.position].typedNames[0]) }
  }
}
