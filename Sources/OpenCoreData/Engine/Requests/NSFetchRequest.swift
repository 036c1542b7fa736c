import Foundation
import OpenCocoaFoundation

/// Describes which objects to read, in what order, and how much of them.
///
/// Differs from Apple (D-FET-01): the result type is not constrained, since on Linux a protocol does not conform to
/// itself and `NSFetchRequest<NSFetchRequestResult>` must compile.
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest, AnyFetchRequest, NSCoding {
  var storedEntityName: String?
  private var storedEntity: NSEntityDescription?
  package var objectClass: RequestedClass?

  /// Makes a request without an entity, which must be set before it is executed.
  public required override init() {
    _ = FetchRequestArchive.registered
    super.init()
  }

  /// Decodes a request that was archived here or by Apple's framework; see `encode(with:)`.
  ///
  /// Nil, and an error of the coder (4864), for an archive that is none.
  public required init?(coder: NSCoder) {
    super.init()
    guard decodeFields(from: coder) else { return nil }
  }

  /// The entity by name, which the executing context's model resolves.
  public convenience init(entityName: String) {
    self.init()
    storedEntityName = entityName
  }

  /// The entity whose objects are read.
  open var entity: NSEntityDescription? {
    get { storedEntity }
    set {
      storedEntity = newValue
      storedEntityName = newValue?.name
    }
  }

  /// The name of the entity.
  open var entityName: String? { storedEntityName ?? objectClass?.entityName() }

  /// The condition for the objects; nil for all.
  open var predicate: NSPredicate?

  /// In what order; nil or empty for any.
  open var sortDescriptors: [NSSortDescriptor]?

  /// How many at most; 0 for no limit.
  open var fetchLimit = 0

  /// How many to leave out at the beginning.
  open var fetchOffset = 0

  /// How many objects are read at a time while the result is walked; 0 reads all at once.
  ///
  /// With a batch size only the keys are read at first; the objects are faults that fire in batches of this size.
  open var fetchBatchSize = 0

  /// The kind of results.
  open var resultType: NSFetchRequestResultType = .managedObjectResultType

  /// Whether objects of subentities are read too.
  open var includesSubentities = true

  /// Whether the rows' values are read; without them only the keys are, and objects fire from the store.
  open var includesPropertyValues = true

  /// Whether changes that are not saved yet are taken into account. Dictionaries show the store alone.
  open var includesPendingChanges = true

  /// Whether objects that are realised already get the values that the store has now, under changes of their own.
  open var shouldRefreshRefetchedObjects = false

  /// What dictionaries hold: attributes and to-one relationships, by their names, by key paths through to-one
  /// relationships or as descriptions, and `NSExpressionDescription`s. Nil for all attributes.
  ///
  /// What does not fit the entity is an error (134060) of the fetch. Differs from Apple (D-FET-04): it may be set
  /// before the entity, and objects are always read whole.
  open var propertiesToFetch: [Any]?

  /// Whether a dictionary that is equal to another one comes once. Of no meaning for other result types.
  open var returnsDistinctResults = false

  /// For dictionaries: what has to be equal for rows to make one group, as in `propertiesToFetch`. What is fetched beside
  /// must be an aggregate of the group.
  open var propertiesToGroupBy: [Any]?

  /// The condition for the groups, on aggregates, on grouped properties, and on fetched properties as variables by
  /// their names. Needs `propertiesToGroupBy`.
  open var havingPredicate: NSPredicate?

  /// Whether objects come as faults, their rows in the row cache, or with their values.
  open var returnsObjectsAsFaults = true

  /// Key paths of relationships whose members are read together with the objects. One that does not exist is an error.
  open var relationshipKeyPathsForPrefetching: [String]?

  /// A request that asks for the same.
  open override func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  open override func copy() -> Any { copy(with: nil) }

  /// Archives the request in Apple's layout, with the entity and the model that it is of. A block in a predicate, a
  /// comparator in a sort descriptor and `affectedStores` cannot be archived: the first two stop the program, stores are
  /// left out.
  ///
  /// Differs from Apple (D-FET-08): the archive does not know the result type; decoding gives an
  /// `NSFetchRequest<any NSFetchRequestResult>`, once the process has used a model or made a request.
  open func encode(with coder: NSCoder) { encodeFields(with: coder) }

  open override var classForKeyedArchiver: AnyClass? { FetchRequestArchive.namedClass }

  open override var description: String {
    "<NSFetchRequest: 0x\(String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16))> (entity: "
      + "\(entityName ?? "(null)"); predicate: (\(predicate?.description ?? "(null)")); sortDescriptors: "
      + "(\(sortDescriptors.map { "\($0)" } ?? "(null)")); limit: \(fetchLimit); type: \(resultType.rawValue);)"
  }
}

/// A fetch request whose result type does not matter.
package protocol AnyFetchRequest: NSPersistentStoreRequest {
  var entity: NSEntityDescription? { get }
  var entityName: String? { get }
  var objectClass: RequestedClass? { get }
  var predicate: NSPredicate? { get }
  var sortDescriptors: [NSSortDescriptor]? { get }
  var fetchLimit: Int { get }
  var fetchOffset: Int { get }
  var fetchBatchSize: Int { get }
  var resultType: NSFetchRequestResultType { get }
  var includesSubentities: Bool { get }
  var includesPropertyValues: Bool { get }
  var includesPendingChanges: Bool { get }
  var returnsObjectsAsFaults: Bool { get }
  var shouldRefreshRefetchedObjects: Bool { get }
  var relationshipKeyPathsForPrefetching: [String]? { get }
  var propertiesToFetch: [Any]? { get }
  var returnsDistinctResults: Bool { get }
  var propertiesToGroupBy: [Any]? { get }
  var havingPredicate: NSPredicate? { get }

  func retyped<Other>(to type: Other.Type) -> NSFetchRequest<Other>
}
