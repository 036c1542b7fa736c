#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Batch inserts whose result depends on the order of the rows: those with several constraints, since an update may free
  // some values and take others, and those whose rows give different attributes. For each row there are two statements: one
  // inserts it, and the other updates the row that has the same unique values. The statements of many rows are sent in one
  // flight.
  extension BatchInsertion {
    /// The number of rows whose statements are sent in one flight.
    private static let lotCount: Int64 = 500

    /// A row could be neither inserted nor merged.
    private struct Refusal: Error { let number: Int64 }

    func mergeOneByOne(_ batch: BatchTransaction) throws {
      batch.add("CREATE UNIQUE INDEX ON \(Self.staged)(n)")
      batch.add("ANALYZE \(Self.staged)")
      try batch.send()
      var first: Int64 = 1
      let count = Int64(reader.count)
      while first <= count {
        let end = min(first + Self.lotCount, count + 1)
        try merge(first..<end, batch)
        first = end
      }
    }

    private func merge(_ numbers: Range<Int64>, _ batch: BatchTransaction) throws {
      batch.add("SAVEPOINT lot")
      try batch.send()
      let changes = batch.changes
      for number in numbers { merge(number, batch) }
      do {
        try batch.send()
        batch.add("RELEASE SAVEPOINT lot")
      } catch {
        let refused: Int64
        switch error {
        case let refusal as Refusal: refused = refusal.number
        // Each row has two statements.
        case let error as ServerError where error.sqlState == "23505":
          refused = numbers.lowerBound + Int64((error.statement ?? 0) / 2)
        default: throw error
        }
        // Goes back to the state before this lot of rows.
        batch.changes = changes
        batch.add("ROLLBACK TO SAVEPOINT lot")
        for number in numbers.lowerBound..<refused { merge(number, batch) }
        try batch.send()
        throw try conflict(refused, batch)
      }
    }

    private func merge(_ number: Int64, _ batch: BatchTransaction) {
      var values = ServerValues()
      values.append(number)
      var isInserted = false
      insert(where: "n = $1", [ServerType.int64], values, isPrepared: true, in: batch) { count, rows in
        isInserted = count > 0
        batch.changes.count += count
        batch.changes.inserted += rows
      }
      let given = reader.givenBy.isEmpty ? nil : reader.givenSets[Int(reader.givenBy[Int(number) - 1])]
      let table = quoted(entity.tableName), key = quoted(entity.fixed.key), version = quoted(entity.fixed.version)
      let kind = quoted(entity.fixed.entity)
      let taken = constraints.map { "(SELECT x.\(key) FROM \(table) x WHERE \(isTaken($0, row: "x")) LIMIT 1)" }
      let assignments = self.assignments(given) + ["\(version) = t.\(version) + 1"]
      let root = entity.entity.layout.rootNumber
      batch.add(
        changing: "UPDATE \(table) t SET \(assignments.joined(separator: ", ")) FROM \(Self.staged) s WHERE s.n = $1 "
          + "AND NOT EXISTS (SELECT 1 FROM \(table) x WHERE x.\(key) = s.k) "
          + "AND t.\(key) = COALESCE(\(taken.joined(separator: ", "))) "
          + "AND t.\(kind) IN (\(entity.numbers.map(String.init).joined(separator: ", "))) "
          + "RETURNING t.\(key), t.\(kind)", types: [ServerType.int64], values,
        kind: SaveFlight.ChangeKind.update, remark(given, batch), wantsRows: batch.options.rows, isPrepared: true
      ) { count, rows in
        if count > 0 {
          batch.changes.count += 1
          batch.changes.updated += rows
          batch.changes.roots.insert(root)
        } else if !isInserted {
          throw Refusal(number: number)
        }
      }
    }
  }
#endif
