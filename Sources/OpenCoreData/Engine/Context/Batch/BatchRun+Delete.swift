import Foundation
import OpenCocoaFoundation

extension BatchRun {
  /// Runs a batch delete on every store that holds the entity.
  func runDelete(_ request: NSBatchDeleteRequest, _ merge: inout BatchMerge) throws -> NSPersistentStoreResult {
    var count = 0
    var identifiers: [NSManagedObjectID] = []
    // A request with an empty list of IDs has no entity.
    if request.objectIDs?.isEmpty != true {
      let fetch = request.fetchRequest
      var target = try FetchTarget(fetch, in: context)
      let options = merge.options(rows: request.resultType == .resultTypeObjectIDs)
      let stores = try batchStores(
        request, request.affectedStores ?? fetch.affectedStores, holding: target.layout.entity)
      if stores.count > 1, target.limit > 0 || target.offset > 0 {
        throw NSError(
          coreData: NSCoreDataError,
          "A batch delete of entity \(target.layout.name) with a limit or offset needs one store, not \(stores.count): see "
            + "affectedStores.")
      }
      for store in stores {
        if let ids = request.objectIDs {
          let own = ids.filter { $0.persistentStore === store && !$0.isTemporaryID }
          if own.isEmpty { continue }
          target = FetchTarget(
            layout: target.layout, predicate: NSPredicate(format: "SELF IN %@", own), includesSubentities: true)
        }
        let changes = try store.deleteBatch(target, options, HistorySource(context))
        count += changes.count
        let deleted = store.identifiers(changes.deleted, target.layout)
        identifiers += deleted
        merge.add(updated: store.identifiers(changes.others, target.layout), deleted: deleted)
      }
    }
    switch request.resultType {
    case .resultTypeStatusOnly: return NSBatchDeleteResult(NSNumber(value: true), request.resultType)
    case .resultTypeCount: return NSBatchDeleteResult(NSNumber(value: count), request.resultType)
    case .resultTypeObjectIDs: return NSBatchDeleteResult(identifiers, request.resultType)
    }
  }
}
