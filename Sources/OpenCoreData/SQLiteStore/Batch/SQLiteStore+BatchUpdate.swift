import CSQLite
import Foundation
import OpenCocoaFoundation

extension SQLiteStore {
  /// Changes rows with one statement, and invalidates the cached rows of the entity's table.
  /// - Throws: an error of `SQLLoweringError` for a request that SQL cannot express; 133021 if other rows have the same
  ///   unique values; 513 if the store is read-only.
  func updateBatch(
    _ request: NSBatchUpdateRequest, _ description: NSEntityDescription, _ values: [String: Any?],
    _ options: BatchOptions, _ source: HistorySource
  ) throws -> BatchChanges {
    if isReadOnly { throw readOnlyError }
    let entity = try entity(description)
    var batch = SQLBatch(model: schema, entity: entity, derivations: derivations)
    batch.predicate = request.predicate
    batch.includesSubentities = request.includesSubentities
    batch.returnsKeys = options.rows || history != nil
    let plan = try batch.update(values)
    let owners = try batch.orderedOwners(values)
    defer { checkpointAfterBatch() }
    return try writer.transaction { connection in
      var changes = BatchChanges()
      changes.roots = [description.layout.rootNumber]
      changes.changesRelations = values.keys.contains { description.relationshipsByName[$0] != nil }
      let statement = try connection.statement(plan.text)
      statement.bind(plan.bindings)
      try collect(statement) { changes.updated.append(BatchedRow(key: $0.int(0), number: Int($0.int(1)))) }
      changes.count = connection.changes
      for (toOne, owner) in owners { try writePlaces(in: entity, toOne, owner, connection) }
      var history = BatchHistory(self, source, connection)
      try history?.noteUpdates(of: changes.updated, properties: values.keys)
      noteTouchedRows(&changes, options, connection)
      return changes
    } publish: {
      publish($0)
    }
  }
}
