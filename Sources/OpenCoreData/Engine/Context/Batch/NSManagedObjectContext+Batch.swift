import Foundation
import OpenCocoaFoundation

// The common part of all batch requests.
extension NSManagedObjectContext {
  /// Runs a batch request, and merges what it has done into contexts, each on its own queue, parents before their
  /// children: objects that they have are refreshed or deleted, as by `mergeChanges(fromRemoteContextSave:into:)`.
  ///
  /// Not in Apple's framework (D-EXT-05), where the result has to ask for IDs, which are then merged by hand. It knows
  /// more than a result has: rows that were deleted by cascade, that lost a member or an owner, or whose derived
  /// attributes changed. Of several stores, what those before a failing one have done is merged, too.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// let update = NSBatchUpdateRequest(entityName: "Entry")
  /// update.propertiesToUpdate = ["rating": 5]
  /// try context.execute(update, mergingInto: [context])
  /// print(entry.rating)  // 5
  /// ```
  /// - Parameters:
  ///   - request: a batch insert, update or delete.
  ///   - contexts: who is to know of it, as the view's context.
  /// - Returns: the request's own result.
  /// - Throws: 134091 for a request that is no batch request; else as `execute(_:)`.
  @discardableResult
  public final func execute(
    _ request: NSPersistentStoreRequest, mergingInto contexts: [NSManagedObjectContext]
  ) throws -> NSPersistentStoreResult {
    checkQueue()
    guard let request = request as? any BatchRequest else {
      throw NSError(
        coreData: NSPersistentStoreUnsupportedRequestTypeError,
        "Requests of type \(type(of: request)) are no batch requests: they have no changes to merge.")
    }
    return try runBatch(request, mergingInto: contexts)
  }

  fileprivate final func runBatch(
    _ request: any BatchRequest, mergingInto contexts: [NSManagedObjectContext] = []
  ) throws -> NSPersistentStoreResult {
    var merge = BatchMerge(isWanted: !contexts.isEmpty)
    endReadTransactions()
    defer {
      endReadTransactions()
      if merge.isWanted { Self.mergeChanges(fromRemoteContextSave: merge.userInfo, into: contexts) }
    }
    let watch = Watchers.watchContexts ? ContextWatch(.batchRequest, batchLayout(request)) : nil
    do {
      let result = try request.run(in: self, &merge)
      watch?.end(detail: "\(type(of: request))")
      return result
    } catch {
      watch?.fail()
      throw error
    }
  }

  /// The layout of a batch request's entity, for the log and the recorder; nil where the model has no such entity.
  private func batchLayout(_ request: any BatchRequest) -> EntityLayout? {
    request.nameOfEntity.flatMap { try? requiredCoordinator().managedObjectModel.entitiesByName[$0]?.layout }
  }

  /// The entity of a batch request in the context's own model.
  final func batchEntity(_ entity: NSEntityDescription?, _ name: String) throws -> NSEntityDescription {
    let model = try requiredCoordinator().managedObjectModel
    if let entity = model.entitiesByName[entity?.name ?? name] { return entity }
    raise(
      .internalInconsistency, "NSFetchRequest could not locate an NSEntityDescription for entity name '\(name)'")
  }

  /// The stores that a batch request changes: of those affected all that hold the entity, or for an insert the first that
  /// can be written. None is changed unless all of them can be.
  /// - Throws: 134091 for a store that knows no batch requests; 513 for one that is read-only; 134060 where an insert finds
  ///   none.
  final func batchStores(
    _ request: any BatchRequest, _ affected: [NSPersistentStore]?, holding entity: NSEntityDescription
  ) throws -> [any BatchStore] {
    var stores = try requiredCoordinator().persistentStores.filter { store in
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

/// A request that changes rows without making objects of them.
protocol BatchRequest: ExecutableRequest {
  /// What a store must be able to do.
  var ability: OCDStoreAbility { get }
  var nameOfEntity: String? { get }
  func run(in context: NSManagedObjectContext, _ merge: inout BatchMerge) throws -> NSPersistentStoreResult
}

extension BatchRequest {
  func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult { try context.runBatch(self) }
}

extension NSBatchInsertRequest: BatchRequest {
  var ability: OCDStoreAbility { .batchInserts }
  var nameOfEntity: String? { entityName }

  func run(in context: NSManagedObjectContext, _ merge: inout BatchMerge) throws -> NSPersistentStoreResult {
    try context.runInsert(self, &merge)
  }
}

extension NSBatchUpdateRequest: BatchRequest {
  var ability: OCDStoreAbility { .batchUpdates }
  var nameOfEntity: String? { entityName }

  func run(in context: NSManagedObjectContext, _ merge: inout BatchMerge) throws -> NSPersistentStoreResult {
    try context.runUpdate(self, &merge)
  }
}

extension NSBatchDeleteRequest: BatchRequest {
  var ability: OCDStoreAbility { .batchDeletes }
  var nameOfEntity: String? { fetchRequest.entityName }

  func run(in context: NSManagedObjectContext, _ merge: inout BatchMerge) throws -> NSPersistentStoreResult {
    try context.runDelete(self, &merge)
  }
}

/// The changes of a batch request that contexts are told of.
struct BatchMerge {
  let isWanted: Bool
  private var inserted: [NSManagedObjectID] = []
  private var updated: [NSManagedObjectID] = []
  private var deleted: [NSManagedObjectID] = []

  init(isWanted: Bool) { self.isWanted = isWanted }

  /// - Parameter rows: whether the request's result has the rows.
  func options(rows: Bool) -> BatchOptions { BatchOptions(rows: rows || isWanted, others: isWanted) }

  mutating func add(
    inserted: [NSManagedObjectID] = [], updated: [NSManagedObjectID] = [], deleted: [NSManagedObjectID] = []
  ) {
    guard isWanted else { return }
    self.inserted += inserted
    self.updated += updated
    self.deleted += deleted
  }

  var userInfo: [AnyHashable: Any] {
    [NSInsertedObjectIDsKey: inserted, NSUpdatedObjectIDsKey: updated, NSDeletedObjectIDsKey: deleted]
  }
}

extension NSPersistentStore {
  /// The IDs of rows, each of the row's own entity.
  /// - Parameter layout: for rows of an entity that the store does not know.
  final func identifiers(_ rows: some Sequence<BatchedRow>, _ layout: EntityLayout) -> [NSManagedObjectID] {
    rows.map { row in
      NSManagedObjectID(entity: (self.layout(number: row.number) ?? layout).entity, store: self, key: row.key)
    }
  }
}
