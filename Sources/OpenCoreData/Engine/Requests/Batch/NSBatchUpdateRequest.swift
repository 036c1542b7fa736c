import Foundation
import OpenCocoaFoundation

/// The kind of result of a batch update.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  /// Whether it succeeded.
  case statusOnlyResultType = 0
  /// The IDs of the rows that were changed.
  case updatedObjectIDsResultType = 1
  /// Their number.
  case updatedObjectsCountResultType = 2
}

/// Changes rows in the store with one statement, without reading objects.
///
/// Stores of SQLite know it alone. Nothing is validated, and objects that contexts have already read keep their values until
/// they are refreshed, or the result is merged: `NSManagedObjectContext.execute(_:mergingInto:)`.
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
  private let storedEntityName: String
  final var storedEntity: NSEntityDescription?

  /// The entity by name, which the executing context's model resolves.
  public init(entityName: String) {
    storedEntityName = entityName
    super.init()
  }

  /// The entity whose rows are changed.
  public init(entity: NSEntityDescription) {
    storedEntityName = entity.name ?? ""
    storedEntity = entity
    super.init()
  }

  /// The name of the entity.
  open var entityName: String { storedEntityName }

  /// The entity: the one that the request was made with, or that its name stood for when it was executed. Before that,
  /// there is none, and asking for it stops the program.
  open var entity: NSEntityDescription {
    if let storedEntity { return storedEntity }
    raise(
      .internalInconsistency,
      "The entity named '\(storedEntityName)' of a batch update is not known before the request was executed.")
  }

  /// The condition for the rows; nil for all.
  open var predicate: NSPredicate?

  /// Whether rows of subentities are changed too.
  open var includesSubentities = true

  /// The new values, constants or `NSExpression`s over the row's attributes, by attribute name or description.
  open var propertiesToUpdate: [AnyHashable: Any]?

  /// The kind of result.
  open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType

  open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy =
      storedEntity.map(NSBatchUpdateRequest.init(entity:)) ?? NSBatchUpdateRequest(entityName: storedEntityName)
    copy.storesToAsk = storesToAsk
    copy.predicate = predicate
    copy.includesSubentities = includesSubentities
    copy.propertiesToUpdate = propertiesToUpdate
    copy.resultType = resultType
    return copy
  }
}

/// The result of a batch update.
///
/// The rows are those that the request has selected, not others whose derived attributes changed with them.
open class NSBatchUpdateResult: NSPersistentStoreResult {
  /// A Boolean NSNumber, an array of IDs or a count NSNumber, as the result type says.
  public final let result: Any?
  /// The kind of result.
  public final let resultType: NSBatchUpdateRequestResultType

  init(_ result: Any?, _ resultType: NSBatchUpdateRequestResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }
}
