import CRuntime
import Foundation
import OpenCocoaFoundation
import Synchronization

/// How a context runs its work.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// On the thread that made the context, and without a queue.
  @available(*, deprecated, message: "Use another NSManagedObjectContextConcurrencyType.")
  case confinementConcurrencyType = 0
  /// On a private queue: use `perform` or `performAndWait`.
  case privateQueueConcurrencyType = 1
  /// On the main queue: use it directly on the main thread, or `perform` from elsewhere.
  case mainQueueConcurrencyType = 2
}

/// A graph of objects over a coordinator's stores: reads them on demand, keeps one object per row, notes what changes,
/// and writes it all in one go.
///
/// A context and its objects belong to its queue. The context itself may be passed between threads; everything but
/// `perform` and `performAndWait` is for its queue alone, apart from its name, coordinator and settings while it is set
/// up. Started with `-com.apple.CoreData.ConcurrencyDebug 1` among its arguments, or `COREDATA_CONCURRENCYDEBUG=1` in its
/// environment, a program stops at the first access off the queue, with a message that names both.
open class NSManagedObjectContext: NSObject, WeaklyReferenced, NSKeyValueObserving,
  @unchecked Sendable  // all state belongs to the context's queue
{
  /// How the context runs its work.
  public final let concurrencyType: NSManagedObjectContextConcurrencyType
  /// Whose turn it is; of private-queue contexts.
  final let turns = ContextQueue()
  /// The number of the thread that made the context; a confinement context is its.
  final let home = runtime_thread_number()
  /// Whether a confinement context was made on the main queue, and is its: threads may change there.
  final let isHomeMain: Bool
  final let exclusion = ContextExclusion()
  /// Whether the main queue has been asked to end an event.
  @exclusivity(unchecked) final var isEndOfEventScheduled = false

  /// The coordinator whose stores the context reads and writes.
  ///
  /// Of a child context that of the context at the top; setting another one there stops the program.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { parentContext == nil ? storedCoordinator : rootContext.storedCoordinator }
    set {
      setCoordinator(newValue)
      updateAutomaticMerging()
    }
  }
  @exclusivity(unchecked) final var storedCoordinator: NSPersistentStoreCoordinator? {
    didSet { lastClass = nil }
  }
  @exclusivity(unchecked) final var parentContext: NSManagedObjectContext?
  final let nesting = ContextNesting()
  @exclusivity(unchecked) final var nestedKeys = NestedKeys()

  /// How a save resolves conflicts with rows that another context has changed, or with values that must be unique and
  /// are taken: an `NSMergePolicy`, at first `NSMergePolicy.error`. Any other value stops the program.
  open var mergePolicy: Any {
    get { storedMergePolicy }
    set {
      guard let policy = newValue as? NSMergePolicy else {
        raise(.invalidArgument, "The mergePolicy of a context must be an NSMergePolicy, not \(newValue).")
      }
      storedMergePolicy = policy
    }
  }

  /// A name for people; persistent history notes it.
  open var name: String?

  /// The author of the changes. Persistent history notes it, so that readers of the history can tell their own changes
  /// from those of others.
  open var transactionAuthor: String?

  /// Anything that the application wants to keep with the context.
  open var userInfo: NSMutableDictionary {
    checkQueue()
    return storedUserInfo
  }
  private final let storedUserInfo = NSMutableDictionary()

  /// Whether a fault whose row is gone becomes a deleted object without values; otherwise it stops the program.
  open var shouldDeleteInaccessibleFaults = true

  /// Whether the delete rules are applied when an event ends; otherwise by the next save alone.
  open var propagatesDeletesAtEndOfEvent = true

  /// Whether every registered object is kept alive; otherwise only changed ones are.
  @exclusivity(unchecked) open var retainsRegisteredObjects = false {
    didSet {
      retained = []
      if retainsRegisteredObjects {
        for table in families.lazy.flatMap(\.tables) { retained.formUnion(table.all()) }
      }
    }
  }

  /// How old a cached row may be, in seconds, for a fault that fires, or an object that is refreshed, to take it; else the
  /// store is read. 0 reads the store every time; less than 0, as -1 by default, takes rows of any age.
  ///
  /// Rows of this library's own stores never differ from the store's. Others that a store's class has read may.
  @exclusivity(unchecked) open var stalenessInterval: TimeInterval = -1

  /// How many objects of a fetch or relationship are read when one of them fires; 1 reads each by itself.
  ///
  /// Not in Apple's framework, which always reads one.
  @exclusivity(unchecked) public final var faultBatchSize = 256 {
    willSet { precondition(newValue >= 1, "faultBatchSize must be at least 1, not \(newValue)") }
  }

  /// What a merge that is at work refreshes.
  @exclusivity(unchecked) final var mergeReading: MergeReading?
  // The identity maps, by store; objects without a store are in the family of nil.
  @exclusivity(unchecked) final var families: [StoreTables] = []
  /// Objects with changes, in the order in which they changed; the flags of each tell what it is.
  @exclusivity(unchecked) final var changed = ChangedObjects() {
    didSet {
      if changed.isPending != nesting.hasChanges.load(ordering: .relaxed) {
        nesting.hasChanges.store(changed.isPending, ordering: .releasing)
      }
    }
  }
  /// The changes since the last event ended.
  @exclusivity(unchecked) final var event = ContextEvent()
  /// Sets of members that may have been changed outside.
  @exclusivity(unchecked) final var looseMembers = ListedLooseMembers()
  /// Collects failures of faults; nil where a failure stops the program.
  final var faultFailures: FaultFailures?
  /// Whether the current event is being ended by a fetch.
  final var isBeforeFetch = false
  /// The places in history right after the transactions of the last save, by the stores' identifiers.
  final var savedTransactions: [String: HistoryPlace] = [:]
  @exclusivity(unchecked) final var savedUserInfo = SavedUserInfo()
  @exclusivity(unchecked) final var changeUserInfo = ChangeUserInfo()
  /// How many pieces of work are going on in whose middle a fetch must not end the event.
  @exclusivity(unchecked) final var eventHolds = 0
  /// Objects whose delete rules have not been applied yet.
  @exclusivity(unchecked) final var pendingDeletions: ContiguousArray<NSManagedObject> = []
  @exclusivity(unchecked) final var retained: Set<NSManagedObject> = []
  @exclusivity(unchecked) final var readTransactions = ReadTransactions()
  final var storedMergePolicy = NSMergePolicy.error
  /// Can stop the fetches of the block that runs.
  @exclusivity(unchecked) final var fetchWatch: FetchWatch?
  /// Unchanged objects that the next save looks for conflicts of.
  final var guarded: Set<NSManagedObject> = []
  /// The query generation that the read transactions read.
  final var queryGeneration = QueryGenerationPin.unpinned {
    didSet {
      if case .unpinned = queryGeneration {
        nesting.isPinned.store(false, ordering: .releasing)
      } else {
        nesting.isPinned.store(true, ordering: .releasing)
      }
    }
  }
  /// Whether a save validates. A migration validates when all its objects are there.
  final var validatesWhenSaving = true
  final var isSaving = false {
    didSet { if !isSaving { undoRecorder?.stepOfSave = nil } }
  }
  /// Nil without an undo manager.
  @exclusivity(unchecked) final var undoRecorder: UndoRecorder?
  final var mergesAutomatically = false
  /// Whether the context was pinned to a generation that need not be the latest.
  final var isPinnedByToken = false
  /// The changes that other contexts have saved since the queue was asked to merge them.
  final let pendingMerge = Mutex<SavedChanges?>(nil)
  @exclusivity(unchecked) final var assignedStores: [ObjectIdentifier: NSPersistentStore] = [:]
  /// The custom accessors that key-value coding is calling now.
  @exclusivity(unchecked) final var accessorCalls: [AccessorCall] = []
  /// The class that was last asked for its entity, in a context with a coordinator of its own: mostly many objects of one
  /// are made.
  @exclusivity(unchecked) private final var lastClass: (type: ObjectIdentifier, entity: NSEntityDescription)?
  /// The fetched results controllers that listen to this context.
  @exclusivity(unchecked) final var listeners: [WeakListener] = []
  /// For what may outlive the context.
  package final let reference = WeakReference()

  /// Makes a context without coordinator.
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    FrameworkStart.ensure()
    self.concurrencyType = concurrencyType
    isHomeMain = concurrencyType.rawValue == 0 && MainQueue.isCurrent
    super.init()
    reference.begin(self)
  }

  /// Makes a context of the given type.
  public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.rawValue) }

  /// Makes a context that belongs to the calling thread, without queue and coordinator.
  @available(*, deprecated, message: "Use init(concurrencyType:) instead.")
  public convenience override init() { self.init(concurrencyType: .confinementConcurrencyType) }

  /// The types of contexts that have a queue.
  public struct ConcurrencyType: RawRepresentable, Hashable, Sendable {
    /// The type that `init(concurrencyType:)` takes.
    public typealias RawValue = NSManagedObjectContextConcurrencyType
    /// The same type, as `init(concurrencyType:)` takes it.
    public var rawValue: NSManagedObjectContextConcurrencyType

    /// The type of that name.
    public init(rawValue: NSManagedObjectContextConcurrencyType) { self.rawValue = rawValue }

    /// On a private queue.
    public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
    /// On the main queue.
    public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
  }

  /// Decides how a fault whose row is gone is handled: true makes it a deleted object without values, false stops the
  /// program. The default writes a line to stderr, and returns `shouldDeleteInaccessibleFaults`.
  ///
  /// It is not called where an error can be thrown, as by `existingObject(with:)`.
  /// - Parameters:
  ///   - fault: the object.
  ///   - objectID: its ID.
  ///   - property: the property whose reading has fired the fault; nil if it was something else.
  open func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for objectID: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
  ) -> Bool { handlesInaccessibleFault(objectID) }

  /// Called when a value has changed that the context observes; the default stops the program.
  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    KeyValueObserving.unhandled(self, keyPath, object, change, context)
  }

  // Swift cannot override members of extensions. So what a subclass may override is declared here, and done by the `base`
  // member of the same name, which stands with its aspect.

  // MARK: What has changed

  /// Objects that the next save inserts.
  open var insertedObjects: Set<NSManagedObject> { baseInsertedObjects }

  /// Objects whose rows the next save updates.
  open var updatedObjects: Set<NSManagedObject> { baseUpdatedObjects }

  /// Objects whose rows the next save deletes.
  open var deletedObjects: Set<NSManagedObject> { baseDeletedObjects }

  /// Whether there is anything to save.
  open var hasChanges: Bool { baseHasChanges }

  // MARK: Changing

  /// Puts an object into the context; the next save gives it a row.
  ///
  /// An object that the context has already stays where it is, and counts as inserted: observers hear of it when the event
  /// ends, and one that was saved before is `isInserted` until the next save, which updates its row. A deleted one comes back.
  open func insert(_ object: NSManagedObject) { baseInsert(object) }

  /// Marks an object for deletion; the delete rules apply when the event ends or the context is saved.
  open func delete(_ object: NSManagedObject) { baseDelete(object) }

  /// Says which store a new object is to be saved to.
  ///
  /// It stops the program if the object was saved before, or if the store's configuration does not have its entity.
  open func assign(_ object: Any, to store: NSPersistentStore) { baseAssign(object, to: store) }

  /// Gives objects their permanent IDs ahead of a save.
  /// - Throws: what opening a write transaction on the store throws.
  open func obtainPermanentIDs(for objects: [NSManagedObject]) throws { try baseObtainPermanentIDs(for: objects) }

  /// Ends the current event: applies the delete rules, lets objects go that were inserted and deleted again, and posts
  /// `NSManagedObjectContextObjectsDidChange` with what the event has changed.
  ///
  /// Called at the end of every `perform`, by `save`, and by `fetch` and `count` unless they are called by an observer or a
  /// hook of an object.
  open func processPendingChanges() { baseProcessPendingChanges() }

  // MARK: Saving

  /// Writes every change to the stores; of a child context, hands it to the parent.
  ///
  /// Where others have changed the same rows, or have taken values that must be unique, `mergePolicy` decides. If the save
  /// fails, the store is as it was and the changes are still in the context. Each store is a transaction of its own: of
  /// several, those before the one that failed have been written.
  ///
  /// Posts `NSManagedObjectContextObjectsDidChange` for what the current event has changed,
  /// `NSManagedObjectContextWillSave` before `willSave()` is called on the objects, and `NSManagedObjectContextDidSave` and
  /// `NSManagedObjectContextDidSaveObjectIDs` at the end, also where there was nothing to save.
  /// - Throws: validation errors (1550 to 1690); what the merge policy throws, which is 133020 with `NSMergeConflict`s or
  ///   133021 with `NSConstraintConflict`s under `NSPersistentStoreSaveConflictsErrorKey`; the store's own errors; 132001
  ///   when called from inside a save.
  open func save() throws { try baseSave() }

  /// Drops every change: inserted objects leave the context, deleted ones are back, changed ones have their rows' values.
  ///
  /// Observers of `NSManagedObjectContextObjectsDidChange` hear of inserted objects as deleted ones, of others as refreshed.
  /// The undo manager forgets the context's actions.
  open func rollback() { baseRollback() }

  /// Has the next save look whether others have changed the object's row, although it is not changed here.
  ///
  /// A calculation that depends on an object which it does not change is saved only if that object still is what it was.
  /// The context keeps the object until a save succeeds. Objects that are changed or deleted are looked at anyway; one
  /// whose values have not been read cannot be out of date.
  open func detectConflicts(for object: NSManagedObject) { baseDetectConflicts(for: object) }

  // MARK: Objects

  /// The objects that the context has, faults included.
  open var registeredObjects: Set<NSManagedObject> { baseRegisteredObjects }

  /// The registered object with that ID; nil when there is none. Reads nothing.
  open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    baseRegisteredObject(for: objectID)
  }

  /// The object with that ID: the registered one or a fault, whether or not there is such a row. Reads nothing.
  open func object(with objectID: NSManagedObjectID) -> NSManagedObject { baseObject(with: objectID) }

  /// The object with that ID, realised.
  /// - Throws: 133000 when the store has no such row, or the store is not one of this context's.
  open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    try baseExistingObject(with: objectID)
  }

  /// Makes the object read its row again.
  ///
  /// - Parameters:
  ///   - object: an object of this context; one that was never saved keeps its values.
  ///   - flag: true keeps the changes that were made here on top of the row as it is now; false drops them and turns the
  ///     object back into a fault. An object that was never saved counts as a fault until one of its properties is read.
  open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) { baseRefresh(object, mergeChanges: flag) }

  /// Turns every object without changes into a fault, and brings the others up to date under their changes.
  ///
  /// Observers of `NSManagedObjectContextObjectsDidChange` hear of all of them as refreshed.
  open func refreshAllObjects() { baseRefreshAllObjects() }

  /// Lets go of every object: references that somebody still holds have no values and no context any more.
  ///
  /// Observers of `NSManagedObjectContextObjectsDidChange` get the IDs of all of them under `NSInvalidatedAllObjectsKey`.
  open func reset() { baseReset() }

  // MARK: Other contexts

  /// The context that this one reads from and saves to, in place of a coordinator.
  ///
  /// A child sees the unsaved changes of all contexts above it. Saving it makes its changes those of the parent; nothing
  /// is in the store until the context at the top is saved. Objects that a child has realised keep their values until they
  /// are refreshed.
  ///
  /// Set it before the context has objects: one that has them, a parent without a queue and a cycle stop the program. A
  /// child holds its parent.
  open var parent: NSManagedObjectContext? {
    get { baseParent }
    set { baseParent = newValue }
  }

  /// Whether the context merges, by itself and on its queue, what is saved to its coordinator, or by its parent.
  ///
  /// Objects that it has are refreshed, with the changes made here kept on top. Saves that come faster than the queue works
  /// are merged together. A context that is pinned to the current query generation moves on; one that was pinned by a token
  /// does not merge by itself. Batch requests are no saves: merge their results with
  /// `mergeChanges(fromRemoteContextSave:into:)`. A confinement context, which has no queue, stops the program.
  open var automaticallyMergesChangesFromParent: Bool {
    get { baseAutomaticallyMergesChangesFromParent }
    set { baseAutomaticallyMergesChangesFromParent = newValue }
  }

  /// Brings the context up to date with what another one has saved: objects that it has are refreshed, with the changes
  /// made here kept on top; what was inserted becomes known as faults; what was deleted is deleted here, too.
  ///
  /// Call it on this context's queue, with the notification of the other one's save, of whatever coordinator, or with one
  /// made from the persistent history. Posts `NSManagedObjectContextObjectsDidChange` and
  /// `NSManagedObjectContextDidMergeChangesObjectIDs`. A pinned context moves on to the latest generation.
  open func mergeChanges(fromContextDidSave notification: Notification) {
    baseMergeChanges(fromContextDidSave: notification)
  }

  // MARK: Undo

  /// What takes back and repeats changes of the context's objects; nil, as at first, for none.
  ///
  /// Each event is an action: inserted, changed and deleted objects are put back as they were, with their relationships,
  /// whatever was saved since. An object whose deletion was saved comes back as the same object, with its ID, and the next
  /// save inserts it; one whose insertion was saved is deleted by the next save. Objects that others have deleted meanwhile
  /// are left alone. Values set through primitive accessors alone are not recorded.
  ///
  /// A main-queue context's events are grouped as the manager does it, by turns of the run loop. On a private queue every
  /// event is a group of its own, unless one is open.
  ///
  /// The manager belongs to the context's queue, as it is not safe from several threads: use it there, or through `undo()`
  /// and `redo()`. Of contexts that share one, no two may be at work at once. The last reference to a context may be let go
  /// of anywhere.
  ///
  /// Another manager, a rollback and a reset make the old one forget the context's actions; actions of others stay. The
  /// manager keeps objects alive, but not the context: set its `levelsOfUndo` in contexts that live long.
  open var undoManager: UndoManager? {
    get { baseUndoManager }
    set { baseUndoManager = newValue }
  }

  /// Ends the current event and takes back the last one, or the last group of them; nothing without an undo manager.
  open func undo() { baseUndo() }

  /// Repeats what was undone last, unless something was changed since; nothing without an undo manager.
  open func redo() { baseRedo() }

  // MARK: Requests

  /// Runs a request that is no fetch: a batch insert, update or delete, or one about history; or begins an asynchronous
  /// fetch.
  ///
  /// A batch request goes straight to the stores: pending changes of contexts have no part in it, and objects that they have
  /// learn nothing of it; see `execute(_:mergingInto:)`. Each store is a transaction of its own.
  /// - Returns: the request's own result type; of an asynchronous fetch one that has no content yet.
  /// - Throws: 134091 for any other request, fetches too, for which there is `fetch(_:)`, and for a batch request where a store
  ///   is not of SQLite; the store's errors.
  @discardableResult
  open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult { try baseExecute(request) }

  /// Reads the objects that a request describes whose result type is not known.
  ///
  /// The typed `fetch(_:)` of a subclass runs through this method, so that overriding it is enough.
  /// - Throws: as the typed `fetch(_:)`.
  open func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] { try baseFetch(request) }

  /// The number of objects that a fetch of the request would give. The typed `count(for:)` of a subclass runs through this
  /// method.
  /// - Throws: as the typed `fetch(_:)`.
  open func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int { try baseCount(for: request) }

  // MARK: The queue

  /// Runs `block` on the context's queue, later; changes are processed when it ends.
  ///
  /// Blocks run one at a time, in the order in which they were handed over, also those that a block hands over itself. On
  /// a main-queue context they run when the program's main run loop or `dispatchMain()` gets to them; where none does, a
  /// line on the standard error says so. A confinement context has no queue: it stops the program.
  open func perform(_ block: @escaping () -> Void) { basePerform(block) }

  /// Runs `block` on the context's queue and waits for it; at once if the caller is on the queue already.
  ///
  /// The `performAndWait` of a subclass that throws or has a result runs through this method. See there for what nested
  /// calls do.
  open func performAndWait(_ block: () -> Void) { basePerformAndWait(block) }

  deinit {
    reference.end()
    undoRecorder?.end(self)
    // Objects may outlive the context: they keep what they have read, and can read no more.
    for table in families.lazy.flatMap(\.tables) {
      for object in table.all() { object.relations = nil }
      table.detach()
    }
    for transaction in readTransactions.all { transaction.end() }
    leaveParent()
    if mergesAutomatically { AutomaticMerging.end(self) }
    ReleasePool.empty(&parentContext)
  }

  /// The coordinator; without one there is nothing to read from or write to.
  final func requiredCoordinator() throws -> NSPersistentStoreCoordinator {
    if let persistentStoreCoordinator { return persistentStoreCoordinator }
    throw NSError(coreData: NSCoreDataError, "The context has no persistent store coordinator.")
  }

  /// The model's entity of that name; one that is missing stops the program.
  final func entity(named name: String) -> NSEntityDescription {
    if let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[name] { return entity }
    raise(.internalInconsistency, "NSFetchRequest could not locate an NSEntityDescription for entity name '\(name)'")
  }

  /// The one entity of the context's model whose class is `type`.
  final func entity(for type: NSManagedObject.Type) -> NSEntityDescription {
    if lastClass?.type == ObjectIdentifier(type), let entity = lastClass?.entity { return entity }
    let model = persistentStoreCoordinator?.managedObjectModel
    if let model, let entity = ModelRegistry.entity(for: type, in: model) {
      if parentContext == nil { lastClass = (ObjectIdentifier(type), entity) }
      return entity
    }
    // The class may override `entity()`; several copies of a model may be around, and the one of the context counts.
    if let name = type.entity().name, let entity = model?.entitiesByName[name] { return entity }
    raise(.invalidArgument, "An NSManagedObject of class '\(type)' must have a valid NSEntityDescription.")
  }

  /// The context's transaction on `store`.
  final func readTransaction(on store: NSPersistentStore) -> ReadTransaction {
    if let transaction = readTransactions[store] { return transaction }
    let transaction = store.makeReadTransaction(for: self)
    transaction.follow(queryGeneration)
    readTransactions.add(transaction, on: store)
    return transaction
  }

  /// Ends the context's read transactions; the next read begins at the latest commit, unless the context is pinned.
  final func endReadTransactions() {
    // A child reads what the context at the top sees then: it must not hold a generation that that one has left.
    if parentContext != nil, case .generation = queryGeneration { pin(.unpinned) }
    for transaction in readTransactions.all { transaction.end() }
  }
}
