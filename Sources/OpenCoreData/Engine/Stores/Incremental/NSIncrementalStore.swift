import Foundation
import OpenCocoaFoundation
import Synchronization

/// The superclass of a store of your own that reads and writes objects on demand, such as a web service or a database.
///
/// A subclass overrides `loadMetadata()`, `execute(_:with:)`, `newValuesForObject(with:with:)`,
/// `newValue(forRelationship:forObjectWith:with:)` and `obtainPermanentIDs(for:)`, and is registered with
/// `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`. Contexts call the store on their own queues, so
/// several contexts may call it at the same time. They may wait there: asynchronous blocks of these contexts never run on the
/// threads of Swift's tasks.
///
/// Differs from Apple (D-STO-03): a subclass that overrides the initialiser says `required init`.
open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {  // Sendable: its own properties have locks
  final let references = ReferenceKeys()
  private final let keyPaths = Mutex<(any KeyPathChecking)?>(nil)
  private final let metadataLock = NSLock()
  /// The metadata as they were last read or written; guarded by `metadataLock`.
  private final var savedMetadata = NSDictionary()

  // MARK: For subclasses to override

  /// Sets `metadata`, with at least `NSStoreUUIDKey` and `NSStoreTypeKey`.
  /// - Throws: an error if the store cannot be used; adding the store fails with this error.
  open override func loadMetadata() throws { notOverridden("loadMetadata()") }

  /// Returns the UUID for a new store at a URL.
  open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

  /// Answers a fetch or a save.
  ///
  /// - Parameters:
  ///   - request: an `NSFetchRequest`, whose entity is set, or an `NSSaveChangesRequest`. A save request whose sets are nil
  ///     writes only `metadata`.
  ///   - context: the context that sends the request; nil if only metadata are written.
  /// - Returns: for a fetch, the kind of results that it asks for: `[NSManagedObject]`, made by
  ///   `context.object(with: newObjectID(for:referenceObject:))`, `[NSManagedObjectID]`, dictionaries as its
  ///   `propertiesToFetch`, `propertiesToGroupBy`, `havingPredicate` and `returnsDistinctResults` describe them, or an
  ///   array with the count; for a save an empty array.
  /// - Throws: any error; 134091 for a kind of request that the store does not support.
  open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
    notOverridden("execute(_:with:)")
  }

  /// Returns the values of an object. Called when a fault fires, and before a save updates, deletes or locks an object: if
  /// the version is above the one that the context has read, the save has a conflict.
  /// - Throws: 133000 if there is no such object, or any other error.
  open func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode { notOverridden("newValuesForObject(with:with:)") }

  /// Returns the members of a relationship: for a to-one relationship an `NSManagedObjectID` or NSNull, for a to-many
  /// relationship an array, a set or an ordered set of object IDs.
  /// - Throws: any error.
  open func newValue(
    forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
    with context: NSManagedObjectContext?
  ) throws -> Any { notOverridden("newValue(forRelationship:forObjectWith:with:)") }

  /// Returns permanent IDs for new objects, in the order of these, made by `newObjectID(for:referenceObject:)`.
  /// - Throws: any error; the save fails with it.
  open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    notOverridden("obtainPermanentIDs(for:)")
  }

  /// Called when a context has registered objects of this store; every context that registers an object makes a call.
  open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

  /// Called when a context has let go of objects of this store; every context that lets go of an object makes a call.
  open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

  // MARK: For subclasses to call

  /// Returns the object ID for a reference object, by which the store identifies an object: a number, a string, or any
  /// other hashable value.
  public final func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
    NSManagedObjectID(entity: entity, store: self, key: references.key(for: data, entity))
  }

  /// Returns the reference object of the object with that ID. An ID of another store stops the program.
  public final func referenceObject(for objectID: NSManagedObjectID) -> Any {
    guard objectID.persistentStore === self else {
      raise(
        .invalidArgument,
        "Cannot retrieve referenceObject from an objectID that was not created by this store: \(objectID)")
    }
    return references.reference(for: objectID.key)
  }

  /// Forgets the values and members that the coordinator keeps of these objects: the faults among them that fire later ask the
  /// store again. For a store that has heard of newer rows, as by a fetch that brings values along. Objects that are
  /// no faults keep their values, and a save of theirs finds that they are out of date. For any thread.
  ///
  /// Not in Apple's framework (D-EXT-29), where such rows are read again when they are older than a context's
  /// `stalenessInterval`.
  public final func forgetRows(of objectIDs: [NSManagedObjectID]) {
    for objectID in objectIDs where objectID.persistentStore === self && objectID.key > 0 {
      let layout = objectID.entity.layout
      rows.shard(layout.rootNumber).remove([objectID.key])
      for slot in layout.slots where slot.kind == .toMany && !slot.isTransient {
        rows.relation(relationID(layout, slot)).invalidate([objectID.key], before: 0)
      }
    }
  }

  private final func notOverridden(_ method: String) -> Never {
    raise(.internalInconsistency, "\(Swift.type(of: self)) must override \(method) of NSIncrementalStore.")
  }

  // MARK: What contexts ask for

  @_spi(Store) open override func open(_ type: String) throws {
    try loadMetadata()
    guard metadata[NSStoreUUIDKey] is String else {
      throw NSError(
        coreData: NSPersistentStoreOpenError,
        "\(Swift.type(of: self)).loadMetadata() set no metadata with \(NSStoreUUIDKey), which must be a string.")
    }
    if metadata[NSStoreTypeKey] == nil { metadata[NSStoreTypeKey] = type }
    try checkVersion()
    keyPaths.withLock { $0 = EngineParts.own.keyPathCheck(entitiesHeld) }
    noteSavedMetadata()
  }

  private final func noteSavedMetadata() {
    let saved = NSDictionary(dictionary: metadata)
    metadataLock.withLock { savedMetadata = saved }
  }

  /// Sends a save request without objects if the metadata have changed.
  @_spi(Store) open override func saveMetadata() throws {
    guard metadataLock.withLock({ savedMetadata }) != NSDictionary(dictionary: metadata) else { return }
    if isReadOnly { throw readOnlyError }
    _ = try execute(NSSaveChangesRequest(inserted: nil, updated: nil, deleted: nil, locked: nil), with: nil)
    noteSavedMetadata()
  }

  @_spi(Store) open override class func placeWithoutURL() throws -> URL { .privateStore }

  /// The features that a subclass can have. Only a subclass knows which of them its service does not have.
  @_spi(Store) open override var abilities: Set<OCDStoreAbility> {
    [.ordering, .composites, .reopening, .readOnly, .customMetadata, .concurrency]
  }

  @_spi(Store) open override var readsInCompany: Bool { false }

  /// Nobody but the subclass knows what its methods wait for.
  @_spi(Store) open override var waitsForServer: Bool { true }

  @_spi(Store) open override var choosesRows: Bool { false }

  @_spi(Store) open override var countsRegistrations: Bool { true }

  @_spi(Store) open override func didRegister(_ objectIDs: [NSManagedObjectID]) {
    managedObjectContextDidRegisterObjects(with: objectIDs)
  }

  @_spi(Store) open override func didUnregister(_ objectIDs: [NSManagedObjectID]) {
    managedObjectContextDidUnregisterObjects(with: objectIDs)
  }

  @_spi(Store) open override func referenceText(_ key: Int64, _ entity: NSEntityDescription) -> String {
    references.text(for: key)
  }

  @_spi(Store) open override func key(referenceText text: String, _ entity: NSEntityDescription) -> Int64? {
    references.key(text: text, entity)
  }

  @_spi(Store) open override func fetchRows(_ target: FetchTarget, transaction: ReadTransaction) throws -> FetchedRows {
    try fetchObjects(checked(target), transaction)
  }

  @_spi(Store) open override func fetchKeys(_ target: FetchTarget, transaction: ReadTransaction) throws -> FetchedRows {
    try fetchObjects(checked(target), transaction)
  }

  @_spi(Store) open override func count(_ target: FetchTarget, transaction: ReadTransaction) throws -> Int {
    try fetchCount(checked(target), transaction)
  }

  @_spi(Store) open override func fetchDictionaries(
    _ target: FetchTarget, _ query: DictionaryQuery, transaction: ReadTransaction
  ) throws -> [[String: Any]] { try requestDictionaries(checked(target), transaction) }

  private final func checked(_ target: FetchTarget) throws -> FetchTarget {
    try keyPaths.withLock { $0 }?.check(target)
    return target
  }

  @_spi(Store) open override func readRows(
    _ keys: ContiguousArray<Int64>, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> (rows: ContiguousArray<Snapshot>, areCached: Bool) { try readNodes(keys, layout, transaction) }

  @_spi(Store) open override func readMembers(
    of owner: Int64, _ slot: PropertySlot, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> KeyArray { try readRelationship(owner, slot, layout, transaction) }

  @_spi(Store) open override func readMembers(
    of owners: ContiguousArray<Int64>, _ slot: PropertySlot, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> [Int64: KeyArray] {
    var result: [Int64: KeyArray] = [:]
    for owner in owners { result[owner] = try readRelationship(owner, slot, layout, transaction) }
    return result
  }

  @_spi(Store) open override func save(_ work: SaveWork, in context: NSManagedObjectContext) throws -> SaveResult {
    try executeSave(work, context)
  }

  @_spi(Store) open override func outdatedRows(
    of objects: ContiguousArray<NSManagedObject>, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> OutdatedRows { try readOutdated(objects, layout, transaction) }

  @_spi(Store) open override func reserveKeys(_ objects: ContiguousArray<NSManagedObject>) throws -> ContiguousArray<
    Int64
  > {
    try permanentKeys(objects)
  }
}
