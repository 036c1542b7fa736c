#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  extension ServerStore {
    /// Deletes the rows that a fetch would find, and follows the delete rules; either everything is done or nothing.
    /// - Throws: 1600 if a relationship denies the deletion; 134030 if nullify would remove a value that is not
    ///   optional; an error of `SQLLoweringError` for a predicate that cannot be expressed in SQL; the errors of
    ///   `runBatch`.
    func deleteBatch(
      _ target: FetchTarget, _ options: BatchOptions, _ source: HistorySource
    ) throws -> BatchChanges {
      try checkWriting()
      let entity = try entity(target.layout.entity)
      let plan = DeletionPlan(target.includesSubentities ? entity.numbers : [entity.number], in: schema)
      let tables = plan.roots.map { ($0.number, schema.dialect.quoted(DeletionPlan.keys(of: $0))) }
      let derived = BatchDerivations(
        self, of: plan.numbers, columns: nil, in: Dictionary(tables, uniquingKeysWith: { first, _ in first }))
      let isPlain =
        plan.steps.isEmpty && derived.isEmpty && !keepsTombstones(plan) && target.limit == 0 && target.offset == 0
      let selection = isPlain ? try plainDeletion(target, entity) : try selectedKeys(target, entity)
      // Other programs must not add strings between the look-up of strings and the statement that uses them.
      let seesOneState = !selection.resolutions.isEmpty
      return try runBatch(options, source, seesOneState: seesOneState, repeats: true) { transaction in
        transaction.changes.changesRelations = true
        if isPlain {
          try transaction.add(changing: selection, kind: SaveFlight.ChangeKind.delete, wantsRows: options.rows) {
            transaction.changes.noteDeleted($0, $1, of: entity)
          }
        } else {
          try BatchDeletion(self, plan, derived, transaction).run(entity.root, selection)
        }
      }
    }

    private func keepsTombstones(_ plan: DeletionPlan) -> Bool {
      serverOptions.tracksHistory && plan.numbers.contains { !historyLayouts[$0 - 1].preserved.isEmpty }
    }

    /// Returns the single statement for a deletion that needs nothing else.
    private func plainDeletion(_ target: FetchTarget, _ entity: SQLEntity) throws -> SQLStatement {
      var batch = SQLBatch(model: schema, entity: entity)
      batch.predicate = target.predicate
      batch.includesSubentities = target.includesSubentities
      batch.returnsKeys = true
      return try batch.delete()
    }

    private func selectedKeys(_ target: FetchTarget, _ entity: SQLEntity) throws -> SQLStatement {
      var fetch = SQLFetch(model: schema, entity: entity)
      fetch.predicate = target.predicate
      fetch.includesSubentities = target.includesSubentities
      fetch.limit = target.limit
      fetch.offset = target.offset
      // Without a limit and an offset, the order has no effect.
      if target.limit > 0 || target.offset > 0 { fetch.sortDescriptors = target.sortDescriptors }
      fetch.result = .keys
      return try fetch.statement().statement
    }
  }

  extension BatchChanges {
    mutating func noteDeleted(_ count: Int, _ rows: ContiguousArray<BatchedRow>, of entity: SQLEntity) {
      self.count += count
      if count > 0 { roots.insert(entity.entity.layout.rootNumber) }
      deleted += rows
    }
  }
#endif
