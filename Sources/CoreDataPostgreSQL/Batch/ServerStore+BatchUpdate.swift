#if PostgreSQL
  import Foundation
  import OpenCocoaFoundation
  @_spi(Store) import OpenCoreData

  import class OpenCocoaFoundation.NSExpression

  extension ServerStore {
    /// Changes rows with one statement, which also notes them as changed. The request takes one round trip, including
    /// COMMIT.
    /// - Throws: an error of `SQLLoweringError` for an expression that cannot be expressed in SQL; 133021 if values
    ///   that must be unique are taken; 134030 for a string with U+0000; the errors of `runBatch`.
    func updateBatch(
      _ request: NSBatchUpdateRequest, _ description: NSEntityDescription, _ values: [String: Any?],
      _ options: BatchOptions, _ source: HistorySource
    ) throws -> BatchChanges {
      try checkWriting()
      try checkTexts(values, description)
      let entity = try entity(description)
      let written = BatchDerivations.written
      let derived = BatchDerivations(
        self, of: request.includesSubentities ? entity.numbers : [entity.number],
        columns: Set(values.keys.flatMap { columns(of: $0, in: entity) }), in: [entity.root.number: written])
      var batch = SQLBatch(model: schema, entity: entity, derivations: derivations)
      batch.predicate = request.predicate
      batch.includesSubentities = request.includesSubentities
      batch.returnsKeys = true
      let locking = derived.isEmpty ? nil : try lockingStatement(batch)
      if !derived.isEmpty {
        // The update changes only the rows that were locked.
        batch.predicate = nil
        batch.rows = SQLSelect([.name(entity.fixed.key)], from: BatchDerivations.writtenName)
      }
      let plan = try batch.update(values)
      let owners = try batch.orderedOwners(values)
      // Other programs must not add strings between the look-up of strings and the statement that uses them.
      let seesOneState = [plan, locking].contains { $0?.resolutions.isEmpty == false }
      return try runBatch(options, source, seesOneState: seesOneState, repeats: true) { transaction in
        derived.prepare(transaction, makesWritten: true)
        if let locking { try transaction.add(locking) }
        derived.touch(transaction)
        transaction.changes.changesRelations = values.keys.contains { description.relationshipsByName[$0] != nil }
        try transaction.add(
          changing: plan, kind: SaveFlight.ChangeKind.update, transaction.remark(values.keys, of: entity.numbers),
          wantsRows: options.rows
        ) { count, rows in
          transaction.changes.count = count
          transaction.changes.updated = rows
          if count > 0 { transaction.changes.roots.insert(description.layout.rootNumber) }
        }
        for (toOne, owner) in owners { writePlaces(in: entity, toOne, owner, transaction) }
        derived.touch(transaction)
        derived.compute(transaction)
      }
    }

    /// Returns the statement that finds the rows, locks them in the order of their keys, and notes them. The rows'
    /// relationships must not change before the rows do.
    private func lockingStatement(_ batch: SQLBatch) throws -> SQLStatement {
      var fetch = SQLFetch(model: schema, entity: batch.entity)
      fetch.predicate = batch.predicate
      fetch.includesSubentities = batch.includesSubentities
      fetch.result = .keys
      var statement = try fetch.statement().statement
      let dialect = schema.dialect
      let key = dialect.quoted(batch.entity.fixed.key), number = dialect.quoted(batch.entity.fixed.entity)
      statement.text =
        "INSERT INTO \(BatchDerivations.written) SELECT t.\(key), t.\(number) FROM \(dialect.quoted(batch.entity.tableName)) "
        + "t WHERE t.\(key) IN (SELECT k FROM (\(statement.text)) AS found(k, e)) ORDER BY t.\(key) FOR UPDATE"
      return statement
    }

    private func columns(of name: String, in entity: SQLEntity) -> [String] {
      switch entity.property(named: name) {
      case .attribute(let attribute): [attribute.columnName]
      case .toOne(let toOne): [toOne.keyColumn]
      case .toMany: []
      case nil: entity.elements(ofComposite: name).map(\.columnName)
      }
    }

    /// Gives positions to the members of an ordered relationship that have none: after all others, in the order of
    /// their keys.
    private func writePlaces(in entity: SQLEntity, _ toOne: SQLToOne, _ owner: Int64, _ batch: BatchTransaction) {
      guard let column = toOne.orderColumn else { return }
      let dialect = schema.dialect
      let table = dialect.quoted(entity.tableName), key = dialect.quoted(entity.fixed.key)
      let order = dialect.quoted(column), isOwners = "\(dialect.quoted(toOne.keyColumn)) = $1"
      var values = ServerValues()
      values.append(owner)
      batch.add(
        "UPDATE \(table) t SET \(order) = b.last + \(SortKeys.step) * v.n FROM "
          + "(SELECT \(key) AS m, row_number() OVER (ORDER BY \(key)) AS n FROM \(table) "
          + "WHERE \(isOwners) AND \(order) IS NULL) AS v, "
          + "(SELECT COALESCE(max(\(order)), \(SortKeys.step)) AS last FROM \(table) WHERE \(isOwners)) AS b "
          + "WHERE t.\(key) = v.m", types: [ServerType.int64], values)
    }

    /// Checks the strings among the new values.
    /// - Throws: 134030 with the key for a string with U+0000.
    private func checkTexts(_ values: [String: Any?], _ entity: NSEntityDescription) throws {
      for (name, value) in values.sorted(by: { $0.key < $1.key }) where Self.hasNUL(value) {
        throw NSError(
          coreData: NSPersistentStoreSaveError,
          "\(name) of \(entity.name ?? "") would get the character U+0000, which no text of a PostgreSQL server can have. "
            + "Nothing was written.", [NSValidationKeyErrorKey: name, NSFilePathErrorKey: place])
      }
    }

    private static func hasNUL(_ value: Any?) -> Bool {
      switch value {
      case let text as String: text.utf8.contains(0)
      case let elements as [String: Any]: elements.values.contains { hasNUL($0) }
      case let expression as NSExpression where expression.expressionType == .constantValue:
        hasNUL(expression.constantValue)
      default: false
      }
    }
  }
#endif
