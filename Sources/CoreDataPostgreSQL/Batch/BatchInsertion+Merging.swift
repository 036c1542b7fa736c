#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Merges rows whose values must be unique: they go from the private table to the entity's table according to the
  // merge policy. The outcome is the same as if the rows were written one after the other.
  extension BatchInsertion {
    func merge(_ batch: BatchTransaction) throws {
      let isMerging = [.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType].contains(policy)
      batch.changes.roots = []
      if isMerging, !derived.isEmpty {
        derived.prepare(batch, makesWritten: true)
        batch.notesWritten = true
      }
      if isMerging, indexCount > 1 || reader.givenSets.count > 1 {
        try mergeOneByOne(batch)
      } else {
        batch.add("ANALYZE \(Self.staged)")
        let root = entity.entity.layout.rootNumber
        insert(where: nil, in: batch) { count, rows in
          batch.changes.count += count
          batch.changes.inserted += rows
        }
        try batch.send()
        let left = reader.count - batch.changes.count
        if left > 0 {
          switch policy {
          case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: break
          case .errorMergePolicyType: throw try conflict(try firstLeft(batch), batch)
          case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
            try updateAll(left, root, batch)
          }
        }
      }
      // The rows that other rows lead to or count have the same keys before and after the merge, so the second noting
      // is here.
      derived.touch(batch)
      derived.compute(batch)
    }

    /// The number of indexes that keep values of the entity's rows unique.
    private var indexCount: Int {
      let numbers = Set(entity.numbers)
      return store.uniqueIndexes.values.count { !numbers.isDisjoint(with: $0.entity.numbers) }
    }

    /// Inserts rows except those whose values are taken, by existing rows or by earlier rows of the batch.
    func insert(
      where condition: String?, _ types: [UInt32] = [], _ values: ServerValues = ServerValues(),
      isPrepared: Bool = false,
      in batch: BatchTransaction, _ note: @escaping BatchTransaction.Note
    ) {
      let names = entity.fixed.all + columns.inserted.map(\.name)
      let places = columns.all.indices.filter { columns.all[$0].ofSubentities.isEmpty }.map { ", c\($0)" }.joined()
      let key = quoted(entity.fixed.key), number = quoted(entity.fixed.entity)
      batch.add(
        changing: "INSERT INTO \(quoted(entity.tableName))(\(names.map(quoted).joined(separator: ", "))) "
          + "SELECT k, \(entity.number), 1\(places) FROM \(Self.staged)\(condition.map { " WHERE \($0)" } ?? "") "
          + "ORDER BY n ON CONFLICT DO NOTHING RETURNING \(key), \(number)", types: types, values,
        kind: SaveFlight.ChangeKind.insert, wantsRows: batch.options.rows, isPrepared: isPrepared, note)
    }

    /// Returns the number of the first row that was not inserted.
    private func firstLeft(_ batch: BatchTransaction) throws -> Int64 {
      var number: Int64 = 0
      batch.add(
        "SELECT min(n) FROM \(Self.staged) s WHERE NOT EXISTS (SELECT 1 FROM \(quoted(entity.tableName)) t "
          + "WHERE t.\(quoted(entity.fixed.key)) = s.k)"
      ) { number = $0.isNull(0, 0) ? 0 : $0.int64(0, 0) }
      try batch.send()
      return number
    }

    /// Updates the existing rows with the unique values of the rows that were not inserted. If several rows have the
    /// values of one existing row, the last one is used, because all give the same attributes.
    private func updateAll(_ left: Int, _ root: Int, _ batch: BatchTransaction) throws {
      guard let constraint = constraints.first else { return }
      let key = quoted(entity.fixed.key), number = quoted(entity.fixed.entity), version = quoted(entity.fixed.version)
      let table = quoted(entity.tableName)
      batch.add(
        "CREATE TEMP TABLE \"_taken\" ON COMMIT DROP AS SELECT s.n, t.\(key) AS pk, t.\(number) AS ent, "
          + "row_number() OVER (PARTITION BY t.\(key) ORDER BY s.n DESC) AS place, "
          + "count(*) OVER (PARTITION BY t.\(key)) AS times "
          + "FROM \(Self.staged) s JOIN \(table) t ON \(isTaken(constraint)) WHERE t.\(key) <> s.k")
      let numbers = entity.numbers.map(String.init).joined(separator: ", ")
      var found = 0, foreign: Int64?
      batch.add("SELECT count(*), min(n) FILTER (WHERE ent NOT IN (\(numbers))) FROM \"_taken\"") { result in
        found = Int(result.int64(0, 0))
        foreign = result.isNull(0, 1) ? nil : result.int64(0, 1)
      }
      try batch.send()
      // An object of another entity cannot become one of this entity.
      if let foreign { throw try conflict(foreign, batch) }
      if found < left { throw try conflict(try firstLeft(batch), batch) }
      let given = reader.givenSets.first
      let assignments = self.assignments(given) + ["\(version) = t.\(version) + l.times"]
      batch.add(
        changing:
          "UPDATE \(table) t SET \(assignments.joined(separator: ", ")) FROM \(Self.staged) s JOIN \"_taken\" l "
          + "ON l.n = s.n WHERE l.place = 1 AND t.\(key) = l.pk RETURNING t.\(key), t.\(number)",
        kind: SaveFlight.ChangeKind.update, remark(given, batch), wantsRows: batch.options.rows
      ) { count, rows in
        batch.changes.count += left
        batch.changes.updated += rows
        batch.changes.roots.insert(root)
      }
    }

    /// Returns the assignments with which an update of a row `t` takes values from a row `s` of the private table.
    func assignments(_ given: Set<Int>?) -> [String] {
      columns.updated(given).map { place, column in
        let name = quoted(column.name)
        if column.ofSubentities.isEmpty { return "\(name) = s.c\(place)" }
        let numbers = column.ofSubentities.map(String.init).joined(separator: ", ")
        return
          "\(name) = CASE WHEN t.\(quoted(entity.fixed.entity)) IN (\(numbers)) THEN s.c\(place) ELSE t.\(name) END"
      }
    }

    /// Returns the properties that history records for such an update.
    func remark(_ given: Set<Int>?, _ batch: BatchTransaction) -> BatchTransaction.Remark {
      let names = columns.updated(given).compactMap { _, column in
        if case .attribute = column.content { column.slot.name } else { nil }
      }
      return batch.remark(names, of: entity.numbers)
    }

    /// Returns the condition that a row `t` has the unique values of a row `s` of the private table.
    func isTaken(_ constraint: UniquenessConstraint, row: String = "t") -> String {
      constraint.slots.map { slot in
        guard let place = columns.all.firstIndex(where: { $0.slot.index == slot.index && $0.ofSubentities.isEmpty })
        else {
          // The slot is a relationship. It is NULL in new rows, and NULL equals no value.
          return "FALSE"
        }
        return "\(row).\(quoted(columns.all[place].name)) = s.c\(place)"
      }.joined(separator: " AND ")
    }
  }
#endif
