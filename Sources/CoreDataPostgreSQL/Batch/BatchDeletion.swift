#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// A batch delete that follows the delete rules. The keys are collected in private tables on the server, which are
  /// dropped at the end of the transaction. Without cascades the delete takes two round trips; the second one commits.
  struct BatchDeletion {
    private let store: ServerStore
    private let plan: DeletionPlan
    private let derived: BatchDerivations
    private let batch: BatchTransaction

    init(_ store: ServerStore, _ plan: DeletionPlan, _ derived: BatchDerivations, _ batch: BatchTransaction) {
      (self.store, self.plan, self.derived, self.batch) = (store, plan, derived, batch)
    }

    private var dialect: any SQLDialect { store.schema.dialect }

    /// Deletes the rows.
    /// - Parameter selection: selects the rows' keys and the numbers of their entities.
    func run(_ root: SQLEntity, _ selection: SQLStatement) throws {
      for command in plan.preparation {
        var statement = try command.statement(dialect)
        if case .alteration(.create) = command { statement.text += " ON COMMIT DROP" }
        try batch.add(statement)
      }
      derived.prepare(batch, makesWritten: false)
      try batch.add(DeletionPlan.seeding(root, selection).statement(dialect))
      if plan.hasCascades { try cascade() }
      // The server has no statistics of these tables, and its estimate would be far off.
      for root in plan.roots { batch.add("ANALYZE \(dialect.quoted(DeletionPlan.keys(of: root)))") }
      for step in plan.steps where step.rule == .denyDeleteRule { try checkDenial(step) }
      if !derived.isEmpty { for root in plan.roots { lock(root) } }
      derived.touch(batch)
      for step in plan.steps where step.rule == .nullifyDeleteRule { try nullify(step) }
      for step in plan.steps {
        if let owners = step.owners { try batch.add(plan.release(step, owners).statement(dialect)) }
        guard let (table, columns) = step.pairs else { continue }
        for column in columns { try batch.add(plan.separation(step, table, column).statement(dialect)) }
      }
      for root in plan.roots { delete(root) }
      derived.compute(batch)
      // The answers show now whether a delete rule forbids the deletion.
      try batch.send()
      batch.changes.others.subtract(batch.changes.deleted)
    }

    /// Locks the rows: their relationships must not change between the noting of the owners and the deletion.
    private func lock(_ root: SQLEntity) {
      let key = dialect.quoted(root.fixed.key)
      batch.add(
        "SELECT count(*) FROM (SELECT 1 FROM \(dialect.quoted(root.tableName)) WHERE \(key) IN "
          + "(SELECT \(key) FROM \(dialect.quoted(DeletionPlan.keys(of: root)))) ORDER BY \(key) FOR UPDATE) AS locked")
    }

    /// Adds the members of cascading relationships level by level, until all of them are among the rows.
    private func cascade() throws {
      let steps = plan.steps.filter { $0.rule == .cascadeDeleteRule }
      var level: Int64 = 0
      var found = true
      while found {
        found = false
        for step in steps {
          let statement = try plan.cascade(step).statement(dialect)
          var values = ServerValues()
          values.append(level + 1)
          values.append(level)
          batch.add(statement.text, types: try statement.types.map(ServerType.named), values) { result in
            if result.affectedRows > 0 { found = true }
          }
        }
        try batch.send()
        level += 1
      }
    }

    private func checkDenial(_ step: DeletionStep) throws {
      let (entity, name) = (step.relationship.entity.name ?? "", step.relationship.name)
      try batch.add(plan.denial(step).statement(dialect)) { result in
        guard result.rowCount > 0 else { return }
        throw NSError(
          coreData: NSValidationRelationshipDeniedDeleteError,
          "\(entity) cannot be deleted: its relationship \(name) still has members and denies deletion.",
          [
            NSValidationKeyErrorKey: name,
            NSLocalizedFailureReasonErrorKey: "The entity is \(entity), the row has the key \(result.int64(0, 0)).",
          ])
      }
    }

    private func nullify(_ step: DeletionStep) throws {
      guard let reference = step.reference else { return }
      if !reference.relationship.isOptional {
        try batch.add(plan.obstacle(step, reference).statement(dialect)) { result in
          if result.rowCount > 0 { throw obstacle(step, result.int64(0, 0)) }
        }
      }
      let destination = step.destination
      try batch.add(
        changing: plan.nullification(step, reference, returnsRows: true).statement(dialect),
        kind: SaveFlight.ChangeKind.update,
        batch.remark([reference.relationship.name], of: destination.numbers), wantsRows: batch.options.others
      ) { [batch] count, rows in
        if count > 0 { batch.changes.roots.insert(destination.entity.layout.rootNumber) }
        batch.changes.others.formUnion(rows)
      }
    }

    private func obstacle(_ step: DeletionStep, _ key: Int64) -> NSError {
      let (entity, name) = (step.relationship.entity.name ?? "", step.relationship.name)
      let kind = step.relationship.isToMany ? "OTM" : "OTO"
      let reason =
        "Constraint trigger violation: Batch delete failed due to mandatory \(kind) nullify inverse on \(entity)/\(name)"
      return NSError(
        coreData: NSPersistentStoreSaveError, reason,
        [
          NSValidationKeyErrorKey: name,
          NSLocalizedFailureReasonErrorKey:
            "\(reason): \(step.destination.name) needs its \(step.reference?.relationship.name ?? ""), e.g. the row with the "
            + "key \(key).",
        ])
    }

    /// Deletes the rows of a table, and notes them with the values that history keeps of them.
    private func delete(_ root: SQLEntity) {
      let key = dialect.quoted(root.fixed.key), entity = dialect.quoted(root.fixed.entity)
      let tombstones =
        store.serverOptions.tracksHistory
        ? plan.numbers.filter { root.numbers.contains($0) && !store.historyLayouts[$0 - 1].preserved.isEmpty } : []
      let cases = tombstones.map { number in
        "WHEN \(number) THEN \(SaveFlight(store).tombstone(store.historyLayouts[number - 1]))"
      }
      let tombstone = cases.isEmpty ? "" : ", CASE t.\(entity) \(cases.joined(separator: " ")) END AS tomb"
      batch.add(
        changing:
          "DELETE FROM \(dialect.quoted(root.tableName)) t USING \(dialect.quoted(DeletionPlan.keys(of: root))) k "
          + "WHERE t.\(key) = k.\(key) RETURNING t.\(key), t.\(entity)\(tombstone)",
        kind: SaveFlight.ChangeKind.delete, cases.isEmpty ? .none : .tombstone, wantsRows: batch.options.rows
      ) { [batch] count, rows in
        batch.changes.noteDeleted(count, rows, of: root)
      }
    }
  }
#endif
