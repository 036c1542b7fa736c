import Foundation
import OpenCocoaFoundation

/// One batch request of a context, on its queue: the stores are changed without making objects of the rows.
struct BatchRun {
  let context: NSManagedObjectContext

  init(in context: NSManagedObjectContext) { self.context = context }

  /// Runs a request, and hands what it has changed to `contexts`.
  func run(
    _ request: any BatchRequest, mergingInto contexts: [NSManagedObjectContext] = []
  ) throws -> NSPersistentStoreResult {
    var merge = BatchMerge(isWanted: !contexts.isEmpty)
    context.reads.end()
    defer {
      context.reads.end()
      if merge.isWanted { NSManagedObjectContext.mergeChanges(fromRemoteContextSave: merge.userInfo, into: contexts) }
    }
    let watch = Watchers.watchContexts ? ContextWatch(.batchRequest, batchLayout(request)) : nil
    do {
      let result = try request.run(in: context, &merge)
      watch?.end(detail: "\(type(of: request))")
      return result
    } catch {
      watch?.fail()
      throw error
    }
  }

  /// The layout of a batch request's entity, for the log and the recorder; nil where the model has no such entity.
  private func batchLayout(_ request: any BatchRequest) -> EntityLayout? {
    request.nameOfEntity.flatMap { try? context.requiredCoordinator().managedObjectModel.entitiesByName[$0]?.layout }
  }

  /// The entity of a batch request in the context's own model.
  func batchEntity(_ entity: NSEntityDescription?, _ name: String) throws -> NSEntityDescription {
    let model = try context.requiredCoordinator().managedObjectModel
    if let entity = model.entitiesByName[entity?.name ?? name] { return entity }
    raise(
      .internalInconsistency, "NSFetchRequest could not locate an NSEntityDescription for entity name '\(name)'")
  }

  /// The stores that a batch request changes: of the affected stores all that hold the entity, or for an insert the first
  /// one that can be written. None is changed unless all of them can be.
  /// - Throws: 134091 for a store that has no batch requests; 513 for a store that is read-only; 134060 where an insert
  ///   finds no store.
  func batchStores(
    _ request: any BatchRequest, _ affected: [NSPersistentStore]?, holding entity: NSEntityDescription
  ) throws -> [any BatchStore] {
    var stores = try context.requiredCoordinator().persistentStores.filter { store in
      (affected?.contains { $0 === store } ?? true) && store.holds(entity)
    }
    if request.ability == .batchInserts {
      guard let store = stores.first(where: { !$0.isReadOnly }) ?? stores.first else {
        throw NSError(coreData: NSCoreDataError, "There is no store for objects of the entity '\(entity.name ?? "")'.")
      }
      stores = [store]
    }
    return try stores.map { store in
      guard store.can(request.ability), let store = store as? any BatchStore else { throw store.unsupported(request) }
      if store.isReadOnly { throw store.readOnlyError }
      return store
    }
  }
}
