import Foundation
import OpenCocoaFoundation

extension NSManagedObjectContext {
  /// Runs a batch update on every store that holds the entity.
  final func runUpdate(_ request: NSBatchUpdateRequest) throws -> NSPersistentStoreResult {
    let coordinator = try requiredCoordinator()
    guard let entity = coordinator.managedObjectModel.entitiesByName[request.entity?.name ?? request.entityName] else {
      raise(
        .internalInconsistency,
        "NSFetchRequest could not locate an NSEntityDescription for entity name '\(request.entityName)'")
    }
    var values: [String: Any?] = [:]
    for (key, value) in request.propertiesToUpdate ?? [:] {
      guard let name = (key as? NSPropertyDescription)?.name ?? (key as? String) else {
        raise(
          .invalidArgument, "Invalid property \(key) passed to propertiesToUpdate: a name or description is expected.")
      }
      values[name] = StoredValue.unwrapped(value)
    }
    guard !values.isEmpty else {
      raise(
        .invalidArgument, "A batch update needs propertiesToUpdate; none were given for entity \(entity.name ?? "").")
    }
    endLeases()
    var count = 0
    var identifiers: [NSManagedObjectID] = []
    for store in coordinator.persistentStores where request.affectedStores?.contains(where: { $0 === store }) ?? true {
      guard store.holds(entity) else { continue }
      let changed = try store.update(request, entity, values, HistorySource(self))
      count += changed.count
      for (key, number) in changed.keys {
        let own = store.layout(number: number, asked: entity.layout).entity
        identifiers.append(NSManagedObjectID(entity: own, store: store, key: key))
      }
    }
    switch request.resultType {
    case .statusOnlyResultType: return NSBatchUpdateResult(NSNumber(value: true), request.resultType)
    case .updatedObjectsCountResultType: return NSBatchUpdateResult(NSNumber(value: count), request.resultType)
    case .updatedObjectIDsResultType: return NSBatchUpdateResult(identifiers, request.resultType)
    }
  }
}

extension SQLStore {
  /// Changes rows with one statement; what the cache knew of the entity's table is forgotten.
  func runUpdate(
    _ request: NSBatchUpdateRequest, _ description: NSEntityDescription, _ values: [String: Any?],
    _ source: HistorySource
  ) throws -> (count: Int, keys: [(Int64, Int)]) {
    if isReadOnly { throw readOnlyError }
    let entity = try entity(description)
    var batch = SQLBatch(model: schema, entity: entity, derivations: derivations)
    batch.predicate = request.predicate
    batch.includesSubentities = request.includesSubentities
    batch.returnsKeys = request.resultType == .updatedObjectIDsResultType || history != nil
    let plan = try batch.update(values)
    let owners = try batch.orderedOwners(values)
    var keys: [(Int64, Int)] = []
    let relations = values.keys.compactMap { description.relationshipsByName[$0] }
    var roots: Set<Int> = [description.layout.rootNumber]
    let count = try writer.transaction(others: forgetEverything) { connection in
      let statement = try connection.statement(plan.text)
      statement.bind(plan.bindings)
      try collect(statement) { keys.append(($0.int(0), Int($0.int(1)))) }
      let count = connection.changes
      for (toOne, owner) in owners { try writePlaces(in: entity, toOne, owner, connection) }
      try writeHistory(updated: keys, properties: values.keys, source, connection)
      roots.formUnion(touchedRoots(connection))
      return count
    } publish: { count in
      let commit = nextCommit()
      for root in roots { rows.invalidate(rootNumber: root, before: commit, all: true) }
      if !relations.isEmpty { rows.invalidateRelations(before: commit) }
      return count
    }
    return (count, keys)
  }
}
