import Foundation
import OpenCocoaFoundation

// The common part of all batch requests.
extension NSManagedObjectContext {
  /// Runs a batch request, and merges what it has done into contexts, each on its own queue, parents before their
  /// children: objects that they have are refreshed or deleted, as by `mergeChanges(fromRemoteContextSave:into:)`.
  ///
  /// Not in Apple's framework (D-EXT-05), where the result has to ask for IDs, which are then merged by hand. This merge
  /// also covers rows that a result does not list: rows that were deleted by cascade, that lost a member or an owner, or
  /// whose derived attributes changed. If one of several stores fails, the changes of the stores before it are merged,
  /// too.
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
  ///   - contexts: the contexts that merge the changes, as the view's context.
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
    return try BatchRun(in: self).run(request, mergingInto: contexts)
  }
}

/// A request that changes rows without making objects of them.
protocol BatchRequest: ExecutableRequest {
  /// The ability that a store needs for the request.
  var ability: OCDStoreAbility { get }
  var nameOfEntity: String? { get }
  func run(in context: NSManagedObjectContext, _ merge: inout BatchMerge) throws -> NSPersistentStoreResult
}

extension BatchRequest {
  func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    try BatchRun(in: context).run(self)
  }
}

extension NSBatchInsertRequest {
  var ability: OCDStoreAbility { .batchInserts }
  var nameOfEntity: String? { entityName }

  func run(in context: NSManagedObjectContext, _ merge: inout BatchMerge) throws -> NSPersistentStoreResult {
    try BatchRun(in: context).runInsert(self, &merge)
  }
}

extension NSBatchUpdateRequest {
  var ability: OCDStoreAbility { .batchUpdates }
  var nameOfEntity: String? { entityName }

  func run(in context: NSManagedObjectContext, _ merge: inout BatchMerge) throws -> NSPersistentStoreResult {
    try BatchRun(in: context).runUpdate(self, &merge)
  }
}

extension NSBatchDeleteRequest {
  var ability: OCDStoreAbility { .batchDeletes }
  var nameOfEntity: String? { fetchRequest.entityName }

  func run(in context: NSManagedObjectContext, _ merge: inout BatchMerge) throws -> NSPersistentStoreResult {
    try BatchRun(in: context).runDelete(self, &merge)
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
  /// - Parameter layout: the layout for rows of an entity that the store does not know.
  final func identifiers(_ rows: some Sequence<BatchedRow>, _ layout: EntityLayout) -> [NSManagedObjectID] {
    rows.map { row in
      NSManagedObjectID(entity: (self.layout(number: row.number) ?? layout).entity, store: self, key: row.key)
    }
  }
}
