import Foundation
import OpenCocoaFoundation

/// A store that is read and written as a whole, and kept in memory meanwhile.
///
/// A subclass of your own overrides `load()` and `save()`, and as much of the rest as it needs; it is registered with
/// `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`. Its methods are called one at a time.
///
/// Differs from Apple (D-STO-03): a subclass that overrides the initialiser says `required init`.
open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {  // Sendable: `nodeLock` guards nodes and versions
  final let references = ReferenceKeys()
  final let nodeLock = NSRecursiveLock()
  /// The nodes, by the number of the root entity, then by key.
  final var nodes: [Int: [Int64: StoredNode]] = [:]
  /// The metadata as they were last read or written.
  final var savedMetadata: [String: Any] = [:]
  /// Whether saves change only the nodes, because the store is written once after the last of these saves.
  final var isWrittenLater = false
  private final lazy var keyPaths = EngineParts.own.keyPathCheck(entitiesHeld)

  // MARK: For subclasses to override

  /// Reads the store: makes nodes, adds them with `addCacheNodes(_:)`, and sets `metadata`.
  /// - Throws: an error if the store cannot be read; adding the store fails with this error.
  open func load() throws { notOverridden("load()") }

  /// Writes all nodes and `metadata` to the place of the store.
  /// - Throws: an error if the store cannot be written; the context's save fails with this error, and the nodes return to
  ///   their former values.
  open func save() throws { notOverridden("save()") }

  /// Makes a node for an object that is saved for the first time.
  ///
  /// The object has its permanent ID. The default makes an `NSAtomicStoreCacheNode` without values;
  /// `updateCacheNode(_:from:)` sets all values after every new object has its node.
  open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
    NSAtomicStoreCacheNode(objectID: managedObject.objectID)
  }

  /// Copies the values of an object to its node: attributes as they are, relationships as nodes.
  open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
    copyValues(of: managedObject, to: node)
  }

  /// Called before the nodes of deleted objects are removed from the store.
  open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

  /// Makes the reference object of a new object. It is unique among the objects of its entity, and stays the same for as
  /// long as the store exists.
  open func newReferenceObject(for managedObject: NSManagedObject) -> Any { notOverridden("newReferenceObject(for:)") }

  // MARK: For subclasses to call

  /// Returns the object ID for a reference object, by which the store identifies an object: a number, a string, or any
  /// other hashable value.
  public final func objectID(
    for entity: NSEntityDescription, withReferenceObject data: Any
  ) -> NSManagedObjectID {
    NSManagedObjectID(entity: entity, store: self, key: references.key(for: data, entity))
  }

  /// Returns the reference object of the object with that ID.
  public final func referenceObject(for objectID: NSManagedObjectID) -> Any {
    references.reference(for: objectID.key)
  }

  /// Returns all nodes.
  public final func cacheNodes() -> Set<NSAtomicStoreCacheNode> {
    locked { Set(nodes.values.joined().map(\.value.node)) }
  }

  /// Adds nodes to the store. A node replaces the one that the store has for the same object.
  public final func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
    locked { for node in cacheNodes { add(node) } }
  }

  /// Returns the node of an object, or nil.
  public final func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
    locked { stored(objectID.key, objectID.entity.layout)?.node }
  }

  private final func notOverridden(_ method: String) -> Never {
    raise(.internalInconsistency, "\(Swift.type(of: self)) must override \(method) of NSAtomicStore.")
  }

  deinit { forgetNodes() }

  /// Removes the values of all nodes, because nodes refer to each other in reference cycles.
  private final func forgetNodes() {
    for stored in nodes.values.joined() { stored.value.node.propertyCache = nil }
    nodes = [:]
  }

  // MARK: What contexts ask for

  @_spi(Store) open override func close() { locked { forgetNodes() } }

  @_spi(Store) open override func open(_ type: String) throws {
    try locked {
      try load()
      if metadata[NSStoreUUIDKey] == nil { identifier = UUID().uuidString }
      if metadata[NSStoreTypeKey] == nil { metadata[NSStoreTypeKey] = type }
      try checkVersion()
      describeModel()
      savedMetadata = metadata
    }
  }

  @_spi(Store) open override class var isFile: Bool { true }

  @_spi(Store) open override var abilities: Set<OCDStoreAbility> {
    [.ordering, .composites, .reopening, .files, .readOnly, .customMetadata, .concurrency]
  }

  @_spi(Store) open override class func destroyStore(
    at url: URL, options: [AnyHashable: Any]?, letGo: () throws -> Void
  ) throws { try destroyFile(at: url, letGo: letGo) }

  /// The store is in memory as a whole, and its next save makes the copy.
  @_spi(Store) open override func writeIntoCopy(at url: URL, since commit: UInt64) throws -> Bool {
    guard move(to: url) else { return false }
    isReadOnly = false
    return true
  }

  @_spi(Store) open override class func removeStore(at url: URL, options: [AnyHashable: Any]?) throws {
    try removeFile(at: url)
  }

  @_spi(Store) open override class func replaceStore(
    at url: URL, options: [AnyHashable: Any]?, with source: URL, sourceOptions: [AnyHashable: Any]?
  ) throws { try replaceFile(StoreFiles(url), with: StoreFiles(source)) }

  @_spi(Store) open override class func beginExchange(_ place: MigrationPlace) throws -> any StoreExchanging {
    try FileExchange(place)
  }

  @_spi(Store) open override class func install(_ working: URL, at url: URL) throws -> Bool {
    try installFile(StoreFiles(working), at: StoreFiles(url))
  }

  @_spi(Store) open override func withoutWriters<Result>(_ body: () throws -> Result) throws -> Result {
    try locked(body)
  }

  @_spi(Store) open override func saveMetadata() throws {
    try locked {
      guard NSDictionary(dictionary: metadata) != NSDictionary(dictionary: savedMetadata) else { return }
      if isReadOnly { throw readOnlyError }
      try save()
      savedMetadata = metadata
    }
  }

  @_spi(Store) open override func referenceText(_ key: Int64, _ entity: NSEntityDescription) -> String {
    references.text(for: key)
  }

  @_spi(Store) open override func key(referenceText text: String, _ entity: NSEntityDescription) -> Int64? {
    references.key(text: text, entity)
  }

  @_spi(Store) open override func fetchRows(_ target: FetchTarget, transaction: ReadTransaction) throws -> FetchedRows {
    try locked { try fetchNodes(checked(target), wantsRows: true) }
  }

  @_spi(Store) open override func fetchKeys(_ target: FetchTarget, transaction: ReadTransaction) throws -> FetchedRows {
    try locked { try fetchNodes(checked(target), wantsRows: false) }
  }

  @_spi(Store) open override func count(_ target: FetchTarget, transaction: ReadTransaction) throws -> Int {
    try locked { try matchCount(checked(target)) }
  }

  @_spi(Store) open override func fetchDictionaries(
    _ target: FetchTarget, _ query: DictionaryQuery, transaction: ReadTransaction
  ) throws -> [[String: Any]] { try locked { try nodeDictionaries(checked(target), query) } }

  @_spi(Store) open override func readRows(
    _ keys: ContiguousArray<Int64>, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> (rows: ContiguousArray<Snapshot>, areCached: Bool) {
    let found = try locked { try makeRows(keys.compactMap { stored($0, layout) }) }
    return (found, rows.shard(layout.rootNumber).put(found))
  }

  @_spi(Store) open override func readMembers(
    of owner: Int64, _ slot: PropertySlot, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> KeyArray {
    let keys = locked { memberKeys(owner, slot, layout) }
    rows.relation(relationID(layout, slot)).put(keys, owner: owner)
    return keys
  }

  @_spi(Store) open override func readMembers(
    of owners: ContiguousArray<Int64>, _ slot: PropertySlot, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> [Int64: KeyArray] {
    var result: [Int64: KeyArray] = [:]
    for owner in owners { result[owner] = try readMembers(of: owner, slot, layout: layout, transaction: transaction) }
    return result
  }

  @_spi(Store) open override func save(_ work: SaveWork, in context: NSManagedObjectContext) throws -> SaveResult {
    try locked { try saveNodes(work) }
  }

  @_spi(Store) open override func outdatedRows(
    of objects: ContiguousArray<NSManagedObject>, layout: EntityLayout, transaction: ReadTransaction
  ) throws -> OutdatedRows {
    var versions: [Int64: Int64] = [:]
    locked { for object in objects { versions[object.key] = stored(object.key, object.layout)?.version } }
    return try outdatedRows(of: objects, versions: versions, layout: layout, transaction: transaction)
  }

  @_spi(Store) open override func reserveKeys(_ objects: ContiguousArray<NSManagedObject>) throws -> ContiguousArray<
    Int64
  > {
    try locked {
      let keys = ContiguousArray(
        objects.map { references.key(for: newReferenceObject(for: $0), $0.layout.entity) })
      try checkNew(zip(keys, objects.map(\.layout)))
      return keys
    }
  }

  private final func checked(_ target: FetchTarget) throws -> FetchTarget {
    try keyPaths.check(target)
    return target
  }

  final func locked<Value>(_ body: () throws -> Value) rethrows -> Value {
    nodeLock.lock()
    defer { nodeLock.unlock() }
    return try body()
  }
}

/// A node, and the version of its object.
struct StoredNode {
  let node: NSAtomicStoreCacheNode
  /// How often the object has been written since the store was loaded, plus one.
  var version: Int64
}
