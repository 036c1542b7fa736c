#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Finds the error for a row whose unique values are taken.
  extension BatchInsertion {
    /// - Parameter number: the number of the row in the private table.
    func conflict(_ number: Int64, _ batch: BatchTransaction) throws -> any Error {
      var given = ServerValues()
      given.append(number)
      let table = quoted(entity.tableName), key = quoted(entity.fixed.key)
      var taken: (constraint: UniquenessConstraint, row: BatchedRow, isNew: Bool)?
      for constraint in constraints {
        // Rows that come later in the batch were not inserted yet.
        batch.add(
          "SELECT t.\(key), t.\(quoted(entity.fixed.entity)), x.n IS NOT NULL FROM \(Self.staged) s "
            + "JOIN \(table) t ON \(isTaken(constraint)) LEFT JOIN \(Self.staged) x ON x.k = t.\(key) "
            + "WHERE s.n = $1 AND t.\(key) <> s.k AND (x.n IS NULL OR x.n < s.n) LIMIT 1",
          types: [ServerType.int64], given
        ) { result in
          guard taken == nil, result.rowCount > 0 else { return }
          let row = BatchedRow(key: result.int64(0, 0), number: Int(result.int32(0, 1)))
          taken = (constraint, row, result.bool(0, 2))
        }
      }
      var values = reader.rows.defaults
      let names = columns.all.indices.map { "c\($0)" }.joined(separator: ", ")
      batch.add("SELECT \(names) FROM \(Self.staged) WHERE n = $1", types: [ServerType.int64], given) {
        [columns] result in
        guard result.rowCount > 0 else { return }
        for (place, column) in columns.all.enumerated() where column.ofSubentities.isEmpty {
          values[column.slot.index] = result.storedValue(0, place, column.slot.kind)
        }
      }
      try batch.send()
      guard let taken, let holder = store.schema.entity(number: taken.row.number) else {
        // The violated index does not belong to the model, or the conflicting row is gone.
        return NSError(
          coreData: NSManagedObjectConstraintMergeError,
          "A constraint of the store at \(store.place) was violated by the row number \(number) of \(entity.name).",
          [NSFilePathErrorKey: store.place])
      }
      var old: Snapshot?
      let reading = RowReading(store.decoders[holder])
      batch.add(try store.rowsByKey(holder), store.keyValues([taken.row.key])) { result in
        try reading.check(result)
        if result.rowCount > 0 { old = reading.decode(result, 0, commit: 0) }
      }
      try batch.send()
      guard let old else { return SQLLoweringError.make("The row \(taken.row.key) of \(entity.name) cannot be read.") }
      return BatchConflict(
        constraint: taken.constraint, row: old, isNew: taken.isNew, layout: entity.entity.layout, values: values)
    }
  }

  extension BatchTransaction {
    /// Adds a statement that exists already.
    func add(_ statement: ServerStatement, _ values: ServerValues, _ onResult: @escaping Flight.Handler) {
      pending.add(statement, values, onResult)
    }
  }

  extension ServerResult {
    /// Returns a value in the form that a batch insert uses; for a transformable attribute, its bytes.
    fileprivate borrowing func storedValue(_ row: Int, _ column: Int, _ kind: ValueKind) -> StoredValue {
      if isNull(row, column) { return .null }
      return switch kind {
      case .int16: .int(Int64(int16(row, column)))
      case .int32: .int(Int64(int32(row, column)))
      case .int64, .toOne: .int(int64(row, column))
      case .bool: .int(bool(row, column) ? 1 : 0)
      case .double, .date: .double(double(row, column))
      case .float: .double(Double(float(row, column)))
      case .string, .uri: .string(string(row, column))
      case .data, .transformable: .data(data(row, column))
      case .uuid: .uuid(uuid(row, column))
      case .decimal: .decimal(decimal(row, column))
      case .anything, .toMany, .composite: .null
      }
    }
  }
#endif
