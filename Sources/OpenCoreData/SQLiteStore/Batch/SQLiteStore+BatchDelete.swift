import CSQLite
import Foundation
import OpenCocoaFoundation

extension SQLiteStore {
  /// Deletes the rows that a fetch would find, and applies the delete rules; all of it or nothing.
  /// - Throws: 1600 if a relationship denies the deletion; 134030 if nullify would remove a value that is not optional; an
  ///   error of `SQLLoweringError` for a request that SQL cannot express; 513 if the store is read-only.
  func deleteBatch(
    _ target: FetchTarget, _ options: BatchOptions, _ source: HistorySource
  ) throws -> BatchChanges {
    if isReadOnly { throw readOnlyError }
    let entity = try entity(target.layout.entity)
    let plan = DeletionPlan(target.includesSubentities ? entity.numbers : [entity.number], in: schema)
    let isPlain = plan.steps.isEmpty && history == nil && target.limit == 0 && target.offset == 0
    let selection = isPlain ? try plainDeletion(target, entity, options) : try selectedKeys(target, entity)
    defer { checkpointAfterBatch() }
    return try writer.transaction { connection in
      var changes = BatchChanges()
      changes.changesRelations = true
      if isPlain {
        changes.roots.insert(target.layout.rootNumber)
        let statement = try connection.statement(selection.text)
        statement.bind(selection.bindings)
        try collect(statement) { changes.deleted.append(BatchedRow(key: $0.int(0), number: Int($0.int(1)))) }
        changes.count = connection.changes
      } else {
        var deletion = BatchDeletion(self, plan, options, source, connection)
        try deletion.run(entity.root, selection, &changes)
      }
      noteTouchedRows(&changes, options, connection)
      changes.others.subtract(changes.deleted)
      return changes
    } publish: {
      publish($0)
    }
  }

  /// Returns the one statement that deletes the rows if nothing else is to be done.
  private func plainDeletion(
    _ target: FetchTarget, _ entity: SQLEntity, _ options: BatchOptions
  ) throws -> SQLStatement {
    var batch = SQLBatch(model: schema, entity: entity)
    batch.predicate = target.predicate
    batch.includesSubentities = target.includesSubentities
    batch.returnsKeys = options.rows
    return try batch.delete()
  }

  private func selectedKeys(_ target: FetchTarget, _ entity: SQLEntity) throws -> SQLStatement {
    var fetch = SQLFetch(model: schema, entity: entity)
    fetch.predicate = target.predicate
    fetch.includesSubentities = target.includesSubentities
    fetch.limit = target.limit
    fetch.offset = target.offset
    // The order has no effect unless there is a limit or an offset.
    if target.limit > 0 || target.offset > 0 { fetch.sortDescriptors = target.sortDescriptors }
    fetch.result = .keys
    return try fetch.statement().statement
  }
}
