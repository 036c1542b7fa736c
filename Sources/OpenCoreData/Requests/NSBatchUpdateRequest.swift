import Foundation

/// What a batch update gives back.
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
/// Nothing is validated, and objects that contexts have already read keep their values until they are refreshed.
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
  private let storedEntityName: String
  private var storedEntity: NSEntityDescription?

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

  /// The entity, if the request was made with one.
  open var entity: NSEntityDescription? { storedEntity }

  /// Which rows; nil for all.
  open var predicate: NSPredicate?

  /// Whether rows of subentities are changed too.
  open var includesSubentities = true

  /// The new values, constants or `NSExpression`s over the row's attributes, by attribute name or description.
  open var propertiesToUpdate: [AnyHashable: Any]?

  /// What the result holds.
  open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType

  open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }
}

/// What a batch update gave back.
open class NSBatchUpdateResult: NSPersistentStoreResult {
  /// A Boolean NSNumber, an array of IDs or a count NSNumber, as the result type says.
  public final let result: Any?
  /// What the result holds.
  public final let resultType: NSBatchUpdateRequestResultType

  init(_ result: Any?, _ resultType: NSBatchUpdateRequestResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }
}
