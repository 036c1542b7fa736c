import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

extension BatchRun {
  /// Runs a batch update on every store that holds the entity.
  func runUpdate(_ request: NSBatchUpdateRequest, _ merge: inout BatchMerge) throws -> NSPersistentStoreResult {
    let entity = try batchEntity(request.storedEntity, request.entityName)
    request.storedEntity = entity
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
    let stores = try batchStores(request, request.affectedStores, holding: entity)
    for (name, value) in values {
      guard let home = Self.home(of: value), let store = stores.first(where: { $0 !== home }) else { continue }
      throw NSError(
        coreData: NSManagedObjectExternalRelationshipError,
        "\(name) of \(entity.name ?? "") in \(store.place) would refer to an object in another store, \(home.place).")
    }
    let options = merge.options(rows: request.resultType == .updatedObjectIDsResultType)
    var count = 0
    var identifiers: [NSManagedObjectID] = []
    for store in stores {
      let changes = try store.updateBatch(request, entity, values, options, HistorySource(context))
      count += changes.count
      let updated = store.identifiers(changes.updated, entity.layout)
      identifiers += updated
      merge.add(updated: updated + store.identifiers(changes.others, entity.layout))
    }
    switch request.resultType {
    case .statusOnlyResultType: return NSBatchUpdateResult(NSNumber(value: true), request.resultType)
    case .updatedObjectsCountResultType: return NSBatchUpdateResult(NSNumber(value: count), request.resultType)
    case .updatedObjectIDsResultType: return NSBatchUpdateResult(identifiers, request.resultType)
    }
  }

  /// The store of an object that the update sets as a relationship's value.
  private static func home(of value: Any?) -> NSPersistentStore? {
    switch value {
    case let object as NSManagedObject: object.objectID.persistentStore
    case let id as NSManagedObjectID: id.persistentStore
    case let expression as NSExpression where expression.expressionType == .constantValue:
      home(of: expression.constantValue)
    default: nil
    }
  }
}
