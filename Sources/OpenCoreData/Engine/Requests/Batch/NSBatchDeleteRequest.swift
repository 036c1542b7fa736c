import Foundation
import OpenCocoaFoundation

/// The kinds of results of a batch delete, for ``NSBatchDeleteRequest/resultType``. IDs are collected in memory: for very
/// many rows ask for their number.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  /// A Boolean, true where nothing was thrown. The default.
  case resultTypeStatusOnly = 0
  /// The IDs of the rows that were deleted, cascades included: contexts that hold their objects have to merge them.
  ///
  /// ```swift
  /// let delete = NSBatchDeleteRequest(fetchRequest: Entry.fetchRequest())
  /// delete.resultType = .resultTypeObjectIDs
  /// let result = try context.execute(delete) as? NSBatchDeleteResult
  /// let ids = result?.result as? [NSManagedObjectID] ?? []
  /// NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
  /// print(ids.count)  // 5
  /// ```
  ///
  /// See also ``NSManagedObjectContext/execute(_:mergingInto:)``, which does both.
  case resultTypeObjectIDs = 1
  /// The number of rows that were deleted, cascades included.
  case resultTypeCount = 2
}

/// Deletes rows in the store in one transaction, without reading objects: for thousands of rows, where deleting objects
/// would read each with its relationships.
///
/// ```swift
/// let old: NSFetchRequest<NSFetchRequestResult> = Entry.fetchRequest()
/// old.predicate = NSPredicate(format: "rating < 4")
/// try context.execute(NSBatchDeleteRequest(fetchRequest: old), mergingInto: [context])
/// print(try context.count(for: NSFetchRequest<Entry>(entityName: "Entry")))  // 2
/// ```
///
/// Stores of SQLite and of servers can run it; others throw 134091 (D-BAT-01). The delete rules are applied to the rows:
/// cascade deletes members, too, nullify takes the row out of the relationships of other rows, deny refuses (1600), no
/// action leaves dangling references. Nothing else is validated, neither counts of members nor rules of the classes, and
/// no hook of an object is called. Where nullify meets a to-one relationship that is not optional, 134030 is thrown, and
/// nothing is deleted (D-BAT-09).
///
/// **Objects that contexts have keep their values** until the result is merged. Unsaved changes do not affect which rows
/// are found.
///
/// See also ``NSManagedObjectContext/execute(_:mergingInto:)``.
open class NSBatchDeleteRequest: NSPersistentStoreRequest, BatchRequest {
  private let storedFetch: NSFetchRequest<any NSFetchRequestResult>
  /// The rows, if they were named by their IDs.
  final let objectIDs: [NSManagedObjectID]?

  /// Deletes the rows that the fetch request describes: entity, predicate, subentities, and limit and offset in its
  /// order. The request is copied.
  ///
  /// ```swift
  /// let oldest: NSFetchRequest<NSFetchRequestResult> = Entry.fetchRequest()
  /// oldest.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
  /// oldest.fetchLimit = 1
  /// let delete = NSBatchDeleteRequest(fetchRequest: oldest)
  /// delete.resultType = .resultTypeCount
  /// print((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int ?? 0)  // 3
  /// ```
  /// - Parameter fetch: describes the rows; a limit or an offset needs a single store (134060, D-BAT-09).
  public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
    storedFetch = Self.copy(fetch)
    objectIDs = nil
    super.init()
  }

  /// Deletes the rows with those IDs, which are of one entity; temporary IDs have no rows, and are left out.
  ///
  /// IDs of several entities stop the program.
  public convenience init(objectIDs objects: [NSManagedObjectID]) {
    if let first = objects.first, objects.contains(where: { $0.entity.name != first.entity.name }) {
      raise(.invalidArgument, "mismatched objectIDs in batch delete initializer")
    }
    self.init(ids: objects)
  }

  private init(ids: [NSManagedObjectID]) {
    let fetch = NSFetchRequest<any NSFetchRequestResult>()
    fetch.entity = ids.first?.entity
    fetch.predicate = NSPredicate(format: "SELF IN %@", ids)
    storedFetch = fetch
    objectIDs = ids
    super.init()
  }

  private static func copy(
    _ fetch: NSFetchRequest<any NSFetchRequestResult>
  ) -> NSFetchRequest<any NSFetchRequestResult> {
    fetch.copy(with: nil) as? NSFetchRequest<any NSFetchRequestResult> ?? fetch
  }

  /// The request for the objects to delete; a copy of the request that was given.
  open var fetchRequest: NSFetchRequest<any NSFetchRequestResult> { Self.copy(storedFetch) }

  /// The kind of the result; a status unless it is set.
  open var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly

  open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = objectIDs.map(NSBatchDeleteRequest.init(ids:)) ?? NSBatchDeleteRequest(fetchRequest: storedFetch)
    copy.storesToAsk = affectedStores
    copy.resultType = resultType
    return copy
  }
}

/// The result of a batch delete, to which ``NSManagedObjectContext/execute(_:)``'s result is cast.
///
/// ```swift
/// let delete = NSBatchDeleteRequest(fetchRequest: Tag.fetchRequest())
/// delete.resultType = .resultTypeCount
/// let result = try context.execute(delete) as? NSBatchDeleteResult
/// print(result?.result as? Int ?? 0)  // 2
/// ```
///
/// The request's ``NSBatchDeleteRequest/resultType`` tells the type of ``result``; with the default it is `true`, which
/// only means that nothing was thrown.
open class NSBatchDeleteResult: NSPersistentStoreResult {
  /// A Boolean NSNumber, an array of IDs or a count NSNumber, as the result type says. Rows that were deleted by cascade are
  /// among them.
  public final let result: Any?
  /// The result type of the request, which tells the type of ``result``.
  public final let resultType: NSBatchDeleteRequestResultType

  init(_ result: Any?, _ resultType: NSBatchDeleteRequestResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }
}
