import Foundation
import OpenCocoaFoundation

/// The kinds of results of a batch update, for ``NSBatchUpdateRequest/resultType``. IDs are collected in memory: for very
/// many rows ask for their number.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  /// A Boolean, true where nothing was thrown. The default.
  case statusOnlyResultType = 0
  /// The IDs of the rows that were changed: contexts that hold their objects have to merge them.
  case updatedObjectIDsResultType = 1
  /// The number of rows that the predicate has found, whether their values differ or not.
  case updatedObjectsCountResultType = 2
}

/// Changes rows in the store with one statement, without reading objects.
///
/// ```swift
/// let update = NSBatchUpdateRequest(entityName: "Entry")
/// update.predicate = NSPredicate(format: "isPinned == NO")
/// update.propertiesToUpdate = ["rating": 1, "words": NSExpression(format: "words + 10")]
/// try context.execute(update, mergingInto: [context])
/// print(try fetchEntry("Monday", in: context).words)  // 130
/// ```
///
/// Stores of SQLite and of servers can run it; others throw 134091 (D-BAT-01). The model's rules are not checked; values
/// that must be unique and are taken throw 133021, whatever the merge policy. And **objects that contexts have already
/// read keep their values** until they are refreshed, or the result is merged. A later save of such an object finds that
/// its row was changed, and asks the merge policy.
///
/// Differs from Apple (D-BAT-04, D-BAT-05): to-one relationships whose other end is to-one cannot be set; a value of an
/// attribute that may have files is written into the row.
///
/// See also ``NSManagedObjectContext/execute(_:mergingInto:)``, ``NSBatchDeleteRequest``.
open class NSBatchUpdateRequest: NSPersistentStoreRequest, BatchRequest {
  private let storedEntityName: String
  final var storedEntity: NSEntityDescription?

  /// Makes a request for rows of the entity of that name, which the executing context's model resolves; a name that the
  /// model does not have stops the program.
  public init(entityName: String) {
    storedEntityName = entityName
    super.init()
  }

  /// Makes a request for rows of the entity; the context uses the entity of that name in its own model.
  public init(entity: NSEntityDescription) {
    storedEntityName = entity.name ?? ""
    storedEntity = entity
    super.init()
  }

  /// The name of the entity whose rows are changed.
  open var entityName: String { storedEntityName }

  /// The entity: the one that the request was made with, or that its name stood for when it was executed. Before that,
  /// there is none, and asking for it stops the program.
  open var entity: NSEntityDescription {
    if let storedEntity { return storedEntity }
    raise(
      .internalInconsistency,
      "The entity named '\(storedEntityName)' of a batch update is not known before the request was executed.")
  }

  /// The condition for the rows; nil for all. A predicate that SQL cannot express throws 134060, as in a fetch.
  open var predicate: NSPredicate?

  /// Whether rows of subentities are changed too.
  open var includesSubentities = true

  /// The new values, by attribute name or description: constants, nil or NSNull for none, or `NSExpression`s over the
  /// row's attributes, which all see the values from before.
  ///
  /// ```swift
  /// let update = NSBatchUpdateRequest(entityName: "Entry")
  /// update.propertiesToUpdate = [
  ///   "words": NSExpression(format: "words * 2"), "text": NSExpression(format: "uppercase:(title)"), "date": NSNull(),
  /// ]
  /// update.resultType = .updatedObjectsCountResultType
  /// print((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int ?? 0)  // 3
  /// print(try fetchEntry("Monday", in: context).text ?? "")  // MONDAY
  /// ```
  ///
  /// An empty dictionary, and a key that is neither a name nor a description, stop the program; for a name that the
  /// entity does not have and for a value of the wrong type the request throws 134060. A to-one relationship takes an
  /// object or an ID of the same store (otherwise 133010), but one-to-one relationships cannot be set (D-BAT-04).
  open var propertiesToUpdate: [AnyHashable: Any]?

  /// The kind of the result; a status unless it is set.
  open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType

  open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy =
      storedEntity.map(NSBatchUpdateRequest.init(entity:)) ?? NSBatchUpdateRequest(entityName: storedEntityName)
    copy.storesToAsk = affectedStores
    copy.predicate = predicate
    copy.includesSubentities = includesSubentities
    copy.propertiesToUpdate = propertiesToUpdate
    copy.resultType = resultType
    return copy
  }
}

/// The result of a batch update, to which ``NSManagedObjectContext/execute(_:)``'s result is cast.
///
/// ```swift
/// let update = NSBatchUpdateRequest(entityName: "Entry")
/// update.propertiesToUpdate = ["isPinned": true]
/// update.resultType = .updatedObjectIDsResultType
/// let result = try context.execute(update) as? NSBatchUpdateResult
/// print((result?.result as? [NSManagedObjectID] ?? []).count)  // 3
/// ```
///
/// The rows are those that the request has selected, equal values or not. Other rows whose derived attributes changed
/// with them are not among them.
open class NSBatchUpdateResult: NSPersistentStoreResult {
  /// A Boolean NSNumber, an array of IDs or a count NSNumber, as the result type says.
  public final let result: Any?
  /// The result type of the request, which tells the type of ``result``.
  public final let resultType: NSBatchUpdateRequestResultType

  init(_ result: Any?, _ resultType: NSBatchUpdateRequestResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }
}
