import OpenCocoaFoundation

/// The questions to a store that is looked into. An ``InspectedStore`` reads a file directly; an ``AskedStore`` asks a store
/// of any kind.
package protocol QueriedStore: AnyObject {
  /// The model by which the store is read.
  var model: NSManagedObjectModel? { get }

  /// The entities that have rows of their own; of `name` and what inherits from it if given.
  /// - Throws: 134060 for an unknown entity, as all that follow do.
  func concreteEntities(of name: String?) throws -> [String]

  /// The number of objects of exactly that entity.
  func objectCount(of name: String) throws -> Int

  /// Gives the objects of exactly that entity, in the order of their keys.
  func objects(of name: String, _ body: (InspectedObject) throws -> Void) throws

  /// The key paths of an entity's own values: its attributes, then its to-one relationships, each sorted.
  func valueColumns(of name: String) throws -> [String]

  /// The key paths of the elements of the composite attribute that a key path leads to; empty for any other key path.
  func elements(of keyPath: String, in name: String) throws -> [String]

  /// The to-many relationships of an entity, sorted.
  func toManyNames(of name: String) throws -> [String]

  /// The ID of the object that is named so, for predicates; nil for an unknown entity.
  func objectID(of reference: InspectedReference) -> NSManagedObjectID?

  /// Gives the rows: the object, then the value of each column.
  func rows(of query: StoreQuery, _ body: ([InspectedValue]) throws -> Void) throws

  /// The number of objects, limit and offset regarded.
  func count(_ query: StoreQuery) throws -> Int

  /// The statement that answers a query, and the plan for it.
  func explain(_ query: StoreQuery, isCount: Bool) throws -> ExplainedQuery

  /// The number of rows that the query examines, and the number that it finds.
  func estimate(_ query: StoreQuery, _ explained: ExplainedQuery) throws -> RowEstimate

  /// The number of members in an object's to-many relationship.
  func memberCount(of reference: InspectedReference, _ relationship: String) throws -> Int

  /// The members of an object's to-many relationship: in their order if they have one, otherwise by key; 0 for no limit.
  func members(
    of reference: InspectedReference, _ relationship: String, limit: Int, offset: Int
  ) throws -> [InspectedReference]

  /// Transactions of the history, the latest first; none where the store keeps no history.
  func history(_ range: InspectedHistoryRange) throws -> [InspectedTransaction]

  /// Interrupts the running query, which then throws. May be called on any thread while the store is open.
  func stop()
}

extension InspectedStore: QueriedStore {}
