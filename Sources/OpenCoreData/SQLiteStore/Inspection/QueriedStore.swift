import OpenCocoaFoundation

/// A store that can be browsed and queried: an ``InspectedStore`` reads a file as it is, an ``AskedStore`` asks a store of
/// any kind.
package protocol QueriedStore: AnyObject {
  /// The model with which the store is read.
  var model: NSManagedObjectModel? { get }

  /// Returns the entities that may have rows of their own. If `name` is given, only that entity and the entities that inherit
  /// from it.
  /// - Throws: 134060 for an unknown entity, as do all methods below that throw.
  func concreteEntities(of name: String?) throws -> [String]

  /// Returns the number of objects of exactly this entity.
  func objectCount(of name: String) throws -> Int

  /// Calls `body` with each object of exactly this entity, in the order of their keys.
  func objects(of name: String, _ body: (InspectedObject) throws -> Void) throws

  /// Returns the key paths of an entity's own values: its attributes, then its to-one relationships, each sorted.
  func valueColumns(of name: String) throws -> [String]

  /// Returns the key paths of the elements of the composite attribute to which a key path leads; empty for any other key
  /// path.
  func elements(of keyPath: String, in name: String) throws -> [String]

  /// Returns the names of an entity's to-many relationships, sorted.
  func toManyNames(of name: String) throws -> [String]

  /// Returns the object ID for a reference, to be used in predicates; nil for an unknown entity.
  func objectID(of reference: InspectedReference) -> NSManagedObjectID?

  /// Calls `body` with each row: the object, then the value of each column.
  func rows(of query: StoreQuery, _ body: ([InspectedValue]) throws -> Void) throws

  /// Returns the number of objects that the query finds, with its limit and offset.
  func count(_ query: StoreQuery) throws -> Int

  /// Returns the statement that answers a query, and the plan for it.
  func explain(_ query: StoreQuery, isCount: Bool) throws -> ExplainedQuery

  /// Returns how many rows the query reads and how many objects it finds.
  func estimate(_ query: StoreQuery, _ explained: ExplainedQuery) throws -> RowEstimate

  /// Returns how many members an object's to-many relationship has.
  func memberCount(of reference: InspectedReference, _ relationship: String) throws -> Int

  /// Returns members of an object's to-many relationship: in their order if it is ordered, otherwise by key. A limit of 0 is
  /// no limit.
  func members(
    of reference: InspectedReference, _ relationship: String, limit: Int, offset: Int
  ) throws -> [InspectedReference]

  /// Returns transactions of the history, the latest first; empty if the store keeps no history.
  func history(_ range: InspectedHistoryRange) throws -> [InspectedTransaction]

  /// Interrupts what is running, which then throws. Any thread may call this as long as the store is open.
  func stop()
}

extension InspectedStore: QueriedStore {}
