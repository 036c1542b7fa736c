import CRuntime
import Foundation
import OpenCocoaFoundation
import Synchronization

/// Where the blocks of a context run, and so which code may use its objects.
///
/// A program for a server wants private queues; a main-queue context is for the thread that draws, and needs a main
/// thread that is served: `await`, a run loop or `dispatchMain()` (D-CON-02).
///
/// ```swift
/// let worker = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
/// print(context.concurrencyType == .mainQueueConcurrencyType, worker.concurrencyType.rawValue)  // true 1
/// ```
///
/// See also ``NSManagedObjectContext/init(concurrencyType:)``.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// On the thread that made the context, and without a queue: `perform` stops the program. For old code alone.
  @available(*, deprecated, message: "Use another NSManagedObjectContextConcurrencyType.")
  case confinementConcurrencyType = 0
  /// On a queue of the context's own, as work off the main thread needs it: everything but making the context goes
  /// through `perform` or `performAndWait`.
  ///
  /// The queue is no thread: `await perform` on an idle context runs the block on the caller's thread, so a small fetch
  /// costs no switch, unless no thread would be left for other tasks; see
  /// ``NSManagedObjectContext/perform(schedule:_:)``.
  ///
  /// ```swift
  /// let worker = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  /// worker.persistentStoreCoordinator = container.persistentStoreCoordinator
  /// let count = try await worker.perform {
  ///   try worker.count(for: NSFetchRequest<Entry>(entityName: "Entry"))
  /// }
  /// print(count)  // 3
  /// ```
  ///
  /// See also ``NSPersistentContainer/newBackgroundContext()``.
  case privateQueueConcurrencyType = 1
  /// On the main queue: on the main thread the context is used directly, from elsewhere by `perform`.
  ///
  /// Observers are told of changes made outside of a `perform` when the main queue comes to it, or with the next fetch or
  /// save. Where nothing serves the main queue, a line on the standard error says so after 3 seconds (D-CON-02).
  ///
  /// ```swift
  /// let entry = Entry(context: container.viewContext)
  /// entry.title = "On the main thread, without perform"
  /// print(container.viewContext.concurrencyType == .mainQueueConcurrencyType)  // true
  /// ```
  ///
  /// See also ``NSPersistentContainer/viewContext``.
  case mainQueueConcurrencyType = 2
}

/// A graph of objects over a coordinator's stores: reads them on demand, keeps one object per row, notes what changes,
/// and writes it all in one go.
///
/// Take one for each piece of work whose changes belong together: the screen, an import, a request to a server. A
/// context costs little (no connection, no thread), so making one for a single task is the usual way; `reset()` lets a
/// long-lived one forget what it has read. Rows are cached by the coordinator, not by the context, so a second context
/// reads what the first has read without a statement.
///
/// ```swift
/// let entry = Entry(context: context)
/// entry.title = "Thursday"
/// print(context.insertedObjects.count, context.hasChanges)  // 1 true
/// try context.save()
/// print(context.hasChanges)  // false
/// ```
///
/// A context and its objects belong to its queue. The context itself may be passed between threads; everything but
/// `perform` and `performAndWait` is for its queue alone, apart from its name, coordinator and settings while it is set
/// up. Started with `-com.apple.CoreData.ConcurrencyDebug 1` among its arguments, or `COREDATA_CONCURRENCYDEBUG=1` in
/// its environment, a program stops at the first access off the queue, with a message that names both.
///
/// Reads within one block see one moment of the store; the next block begins at the latest commit, unless the context
/// is pinned by ``setQueryGenerationFrom(_:)``. Objects that are unchanged are held weakly: keep a reference to those
/// that must not be read again.
///
/// Differs from Apple (D-CTX-01): contexts are not archived. Subclasses override what is `open`; the typed `fetch` and
/// `perform` with a result run through those (D-SRC-05).
///
/// See also ``NSPersistentContainer``, ``NSManagedObject``, ``NSPersistentStoreCoordinator``.
open class NSManagedObjectContext: NSObject, FetchEvaluating, NSKeyValueCoding, KeyObservationMarked, WeaklyReferenced,
  @unchecked Sendable  // all state belongs to the context's queue
{
  /// How the context runs its work; set once, by the initialiser.
  public final let concurrencyType: NSManagedObjectContextConcurrencyType
  /// Decides which thread or block has the context; used by private-queue contexts alone.
  final let turns = ContextQueue()
  /// The number of the thread that made the context; a confinement context belongs to this thread.
  final let home = runtime_thread_number()
  /// Whether a confinement context was made on the main queue and belongs to it: the queue's thread may change.
  final let isHomeMain: Bool
  final let exclusion = ContextExclusion()

  /// The coordinator whose stores the context reads and writes. Nil for a context that was just made without a
  /// container: fetching and saving throw 134060 then.
  ///
  /// `newBackgroundContext()` sets it for you. Code that was handed only a context finds stores, model and object IDs of
  /// URIs by way of it. It may be asked for on every thread.
  ///
  /// ```swift
  /// let worker = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  /// worker.persistentStoreCoordinator = context.persistentStoreCoordinator
  /// print(worker.persistentStoreCoordinator?.persistentStores.count ?? 0)  // 1
  /// ```
  ///
  /// A child context has the coordinator of the context at the top; setting another one there stops the program.
  ///
  /// See also ``parent``, ``NSPersistentStoreCoordinator``.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { parentContext == nil ? storedCoordinator : ancestors.root.storedCoordinator }
    set {
      ParentChange(of: self).setCoordinator(newValue)
      merger.updateSource(for: self)
    }
  }
  @exclusivity(unchecked) final var storedCoordinator: NSPersistentStoreCoordinator? {
    didSet { lastClass = nil }
  }
  @exclusivity(unchecked) final var parentContext: NSManagedObjectContext?
  final let nesting = ContextNesting()
  /// The contexts above this one.
  @inline(__always)
  final var ancestors: Ancestors { Ancestors(of: self) }
  @exclusivity(unchecked) final var nestedKeys = NestedKeys()

  /// How a save resolves conflicts with rows that another context has changed, or with values that must be unique and
  /// are taken: an `NSMergePolicy`, at first ``NSMergePolicy/error``. Any other value stops the program.
  ///
  /// Set it before the first save of any context that is not the only writer: with the default, a save that meets a
  /// conflict throws 133020 (a row was changed) or 133021 (a unique value is taken) and writes nothing. An import that
  /// may meet what is there already takes ``NSMergePolicy/mergeByPropertyObjectTrump``, which makes "insert or update"
  /// of a plain insert:
  ///
  /// ```swift
  /// context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
  /// let tag = Tag(context: context)
  /// tag.name = "work"  // a tag of that name is in the store
  /// try context.save()
  /// print(try context.count(for: NSFetchRequest<Tag>(entityName: "Tag")))  // 2
  /// ```
  ///
  /// A save without conflicts needs no extra time for the policy: conflicts are found by the save's own statements. A
  /// child context's policy decides nothing about rows in the store; the policy of the context at the top does.
  ///
  /// See also ``NSMergePolicy``, ``detectConflicts(for:)``, ``save()``.
  open var mergePolicy: Any {
    get { saving.policy }
    set {
      guard let policy = newValue as? NSMergePolicy else {
        raise(.invalidArgument, "The mergePolicy of a context must be an NSMergePolicy, not \(newValue).")
      }
      saving.policy = policy
    }
  }

  /// A name for people: it appears in the log, in recordings and in persistent history
  /// (`NSPersistentHistoryTransaction.contextName`), and nowhere else.
  ///
  /// Name background contexts after what they do, so that a statement in a log has an owner. Set it before the context
  /// works; it may be asked for on every thread.
  ///
  /// ```swift
  /// let importer = container.newBackgroundContext()
  /// importer.name = "import of the old diary"
  /// print(importer.name ?? "none")  // import of the old diary
  /// ```
  ///
  /// See also ``transactionAuthor``, by which programs tell writers apart.
  open var name: String? {
    didSet { LiveObjects.note(name: name, of: self) }
  }

  /// The author of what the context saves from now on, and of its batch requests. Persistent history notes it, so that
  /// readers of the history can tell their own changes from those of others; nil writes none.
  ///
  /// A service that sends local changes elsewhere gives an author to the context that writes arriving changes, and leaves
  /// that author's transactions out when it reads history: otherwise every change comes back to the place where it was
  /// made.
  ///
  /// ```swift
  /// let sync = container.newBackgroundContext()
  /// sync.transactionAuthor = "server"
  /// try await sync.perform {
  ///   Entry(context: sync).title = "From the server"
  ///   try sync.save()
  /// }
  /// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken?.none)
  /// let history = try context.execute(request) as? NSPersistentHistoryResult
  /// let transactions = history?.result as? [NSPersistentHistoryTransaction] ?? []
  /// print(transactions.map { $0.author ?? "somebody" })  // ["somebody", "server"]
  /// ```
  ///
  /// See also ``NSPersistentHistoryTransaction/author``.
  open var transactionAuthor: String?

  /// Any objects that the application wants to keep with the context; the framework never looks into it. For the
  /// context's queue alone.
  open var userInfo: NSMutableDictionary {
    checkQueue()
    return storedUserInfo
  }
  private final let storedUserInfo = NSMutableDictionary()

  /// Whether a fault whose row is gone becomes a deleted object without values; otherwise it stops the program. True at
  /// first.
  ///
  /// Another context or program may delete a row between a fetch and the first use of its object. With true, the object
  /// then counts as deleted, its properties are nil or 0, and a line on the standard error says so; the next save passes
  /// over it.
  ///
  /// See also ``shouldHandleInaccessibleFault(_:for:triggeredByProperty:)``, ``existingObject(with:)``, which throws
  /// instead.
  open var shouldDeleteInaccessibleFaults = true

  /// Whether the delete rules are applied when an event ends; otherwise by the next save alone. True at first. With
  /// false, what a cascade will delete does not yet show in `deletedObjects` and fetches.
  open var propagatesDeletesAtEndOfEvent = true

  /// Whether every registered object is kept alive; otherwise only changed ones are. False at first; true makes a
  /// context grow with everything that it has ever read, until it is reset.
  @exclusivity(unchecked) open var retainsRegisteredObjects = false {
    didSet { identityMaps.retainAll(retainsRegisteredObjects) }
  }

  /// How old a cached row may be, in seconds, for a fault that fires, or an object that is refreshed, to take it; else
  /// the store is read. 0 reads the store every time; less than 0, as -1 by default, takes rows of any age.
  ///
  /// Rows of this library's own stores never differ from the store's. Rows that the class of another store has read may,
  /// so this matters to incremental stores.
  @exclusivity(unchecked) open var stalenessInterval: TimeInterval = -1

  /// How many objects of a fetch or relationship are read when one of them fires; 256 at first, 1 reads each by itself.
  /// Less than 1 stops the program.
  ///
  /// A loop over the members of a relationship so costs one statement for each 256 members, and not one for each member.
  /// Not in Apple's framework, which always reads one object at a time (D-OBJ-03, D-EXT-01).
  ///
  /// See also ``NSFetchRequest/relationshipKeyPathsForPrefetching``, which also reads across relationships.
  @exclusivity(unchecked) public final var faultBatchSize = 256 {
    willSet { precondition(newValue >= 1, "faultBatchSize must be at least 1, not \(newValue)") }
  }

  /// The objects that the context has, by store and key.
  @exclusivity(unchecked) final var identityMaps = IdentityMaps()
  /// Finds and makes the context's objects.
  @inline(__always)
  final var objects: ContextObjects { ContextObjects(of: self) }
  /// The objects with changes, in the order in which they changed; each object's flags tell the kind of change.
  @exclusivity(unchecked) final var changed = ChangedObjects() {
    didSet {
      if changed.isPending != nesting.hasChanges.load(ordering: .relaxed) {
        nesting.hasChanges.store(changed.isPending, ordering: .releasing)
      }
    }
  }
  /// The changes since the last event ended.
  @exclusivity(unchecked) final var event = ContextEvent()
  /// Begins and ends events.
  @inline(__always)
  final var events: ContextEvents { ContextEvents(of: self) }
  /// The contents of the context's notifications, kept from one to the next.
  @exclusivity(unchecked) final var notices = ContextNotices()
  /// The state of the context's reads.
  @exclusivity(unchecked) final var readState = ReadState()
  /// Begins and ends read transactions, and pins them.
  @inline(__always)
  final var reads: ContextReads { ContextReads(of: self) }
  /// The settings of the context's saves, and whether one is going on.
  @exclusivity(unchecked) final var saving = SaveState()
  /// Nil without an undo manager.
  @exclusivity(unchecked) final var undoRecorder: UndoRecorder?
  /// Merges the changes of other contexts.
  final let merger = ContextMerger()
  /// The custom accessors that key-value coding is calling now.
  @exclusivity(unchecked) final var accessorCalls: [AccessorCall] = []
  /// The class that was last asked for its entity, in a context with a coordinator of its own: programs often make many
  /// objects of one class.
  @exclusivity(unchecked) private final var lastClass: (type: ObjectIdentifier, entity: NSEntityDescription)?
  /// The observers that are told what happens before notifications are posted.
  @exclusivity(unchecked) final var observers = ContextObservers()
  /// A weak reference to the context, for objects that may outlive it.
  package final let reference = WeakReference()

  /// Makes a context without coordinator: set ``persistentStoreCoordinator``, or ``parent`` for a child, before it is
  /// used.
  ///
  /// Containers make contexts that are ready: ``NSPersistentContainer/newBackgroundContext()``. This initialiser is for
  /// child contexts and for programs that have a coordinator and no container.
  ///
  /// ```swift
  /// let draft = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  /// draft.parent = context
  /// Entry(context: draft).title = "A draft"
  /// try draft.save()
  /// print(context.insertedObjects.count)  // 1
  /// ```
  ///
  /// - Parameter concurrencyType: where its blocks run. On a private queue even the thread that made it goes through
  ///   `perform`.
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    FrameworkStart.ensure()
    self.concurrencyType = concurrencyType
    isHomeMain = concurrencyType.rawValue == 0 && MainQueue.isCurrent
    super.init()
    reference.begin(self)
  }

  /// Makes a context of the given type, as ``init(concurrencyType:)`` does.
  public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.rawValue) }

  /// Makes a context that belongs to the calling thread, without queue and coordinator.
  @available(*, deprecated, message: "Use init(concurrencyType:) instead.")
  public convenience override init() { self.init(concurrencyType: .confinementConcurrencyType) }

  /// The types of contexts that have a queue, as newer SDKs name them.
  public struct ConcurrencyType: RawRepresentable, Hashable, Sendable {
    /// The type that ``NSManagedObjectContext/init(concurrencyType:)`` takes.
    public typealias RawValue = NSManagedObjectContextConcurrencyType
    /// The same type, as `init(concurrencyType:)` takes it.
    public var rawValue: NSManagedObjectContextConcurrencyType

    /// The type of that name.
    public init(rawValue: NSManagedObjectContextConcurrencyType) { self.rawValue = rawValue }

    /// As ``NSManagedObjectContextConcurrencyType/privateQueueConcurrencyType``: a queue of the context's own.
    public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
    /// As ``NSManagedObjectContextConcurrencyType/mainQueueConcurrencyType``: the main queue, which the program has to serve.
    public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
  }

  /// Decides how a fault whose row is gone is handled: true makes it a deleted object without values, false stops the
  /// program. The default writes a line to stderr, and returns `shouldDeleteInaccessibleFaults`.
  ///
  /// It is not called where an error can be thrown, as by ``existingObject(with:)``, which throws 133000.
  /// - Parameters:
  ///   - fault: the object.
  ///   - objectID: its ID.
  ///   - property: the property whose reading has fired the fault; nil if it was something else.
  open func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for objectID: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
  ) -> Bool { FaultReader(of: self).handlesInaccessibleFault(objectID) }

  /// Called when a value that the context observes has changed; the default stops the program.
  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    KeyValueObserving.unhandled(self, keyPath, object, change, context)
  }

  /// The properties that key-value coding finds by their names, and that can be observed: ``hasChanges``. A subclass adds its own
  /// by overriding it.
  open class var keyValueProperties: [OCDKeyValueProperty] {
    [OCDKeyValueProperty("hasChanges", \NSManagedObjectContext.hasChanges)]
  }

  // Swift cannot override members of extensions. So the members that a subclass may override are declared here, and call
  // the type that implements them. The framework calls these members, so that overrides take effect.

  // MARK: What has changed

  /// The objects that the next save inserts, each with a temporary ID until then. A new set each time, made by walking
  /// over all changed objects: ask once, not in a loop.
  ///
  /// An object that was inserted and deleted again before a save is in none of the three sets once the event has ended.
  ///
  /// ```swift
  /// Entry(context: context).title = "Thursday"
  /// print(context.insertedObjects.count, context.insertedObjects.first?.objectID.isTemporaryID ?? false)  // 1 true
  /// ```
  ///
  /// See also ``updatedObjects``, ``deletedObjects``, ``registeredObjects``.
  open var insertedObjects: Set<NSManagedObject> { ChangeRun(in: self).insertedObjects }

  /// The objects whose rows the next save updates.
  ///
  /// An object counts as updated as soon as a property was set, also to an equal value (D-OBJ-10): its row is then
  /// written with a new version and no other column. ``NSManagedObject/hasPersistentChangedValues`` tells whether there
  /// is a difference. Setting a relationship updates both ends.
  ///
  /// ```swift
  /// let monday = try fetchEntry("Monday", in: context)
  /// monday.words = monday.words  // equal, and yet an update
  /// print(context.updatedObjects.count, monday.hasPersistentChangedValues)  // 1 false
  /// ```
  ///
  /// See also ``insertedObjects``, ``NSManagedObject/changedValues()``.
  open var updatedObjects: Set<NSManagedObject> { ChangeRun(in: self).updatedObjects }

  /// The objects whose rows the next save deletes: objects that `delete(_:)` was called for and, once the event has
  /// ended, objects that cascades have reached.
  ///
  /// Members of a cascade are not in it before ``processPendingChanges()``, a fetch, a save or the end of the block.
  ///
  /// ```swift
  /// context.delete(try fetchEntry("Monday", in: context))
  /// print(context.deletedObjects.count)  // 1
  /// context.processPendingChanges()
  /// print(context.deletedObjects.count)  // 3
  /// ```
  ///
  /// See also ``delete(_:)``, ``NSRelationshipDescription/deleteRule``.
  open var deletedObjects: Set<NSManagedObject> { ChangeRun(in: self).deletedObjects }

  /// Whether there is anything to save: an object was inserted, updated or deleted. Reads nothing from the store.
  ///
  /// Ask it before `save()`: a save without changes writes no row, but posts its notifications all the same. It is true
  /// after a property was set to an equal value, too (D-OBJ-10).
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// print(context.hasChanges)  // false
  /// entry.rating = 4
  /// if context.hasChanges { try context.save() }
  /// print(context.hasChanges)  // false
  /// ```
  ///
  /// It can be observed by key-value observing, so that a button to save follows it. Begin and end the observation on the
  /// context's queue. Observers are told there, at the end of the event, save, rollback or reset that has changed the value
  /// (D-KVC-19):
  ///
  /// ```swift
  /// let observation = context.observe(\.hasChanges, options: .new) { _, change in
  ///   print(change.newValue == true)  // true
  /// }
  /// let entry = try fetchEntry("Monday", in: context)
  /// entry.rating = 4
  /// context.processPendingChanges()
  /// observation.invalidate()
  /// ```
  ///
  /// See also ``NSManagedObject/hasChanges``, ``insertedObjects``.
  open var hasChanges: Bool { ChangeRun(in: self).hasChanges }

  // MARK: Changing

  /// Puts an object into the context; the next save gives it a row. `init(context:)` does that by itself: call this for
  /// an object that was made with `init(entity:insertInto: nil)`.
  ///
  /// The object gets a temporary ID, its default values where it has none, and `awakeFromInsert()` is called once.
  ///
  /// ```swift
  /// let entity = Entry.entity()
  /// let entry = Entry(entity: entity, insertInto: nil)
  /// entry.title = "Made before there was a context"
  /// context.insert(entry)
  /// print(entry.managedObjectContext === context, entry.isInserted)  // true true
  /// ```
  ///
  /// An object that the context has already stays where it is, and counts as inserted: observers hear of it when the
  /// event ends, and one that was saved before is `isInserted` until the next save, which updates its row and tells it as
  /// inserted (D-CTX-08). A deleted one comes back. An object of another context stops the program.
  ///
  /// See also ``NSManagedObject/init(context:)``, ``delete(_:)``.
  open func insert(_ object: NSManagedObject) { ChangeRun(in: self).insert(object) }

  /// Marks an object for deletion. Its row goes with the next save; the delete rules apply when the event ends, or with
  /// the next fetch or save.
  ///
  /// `prepareForDeletion()` is called at once. Rules walk relationships, so deleting reads the members that a cascade or
  /// nullify leads to; for many objects that are deleted in one event it does so together, by a few statements. To remove
  /// thousands of rows without reading any, use ``NSBatchDeleteRequest``.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// let title = entry.title ?? ""  // read while there is a row
  /// context.delete(entry)
  /// print(entry.isDeleted)  // true
  /// try context.save()
  /// print(title, entry.managedObjectContext == nil)  // Monday true
  /// ```
  ///
  /// After the save the object has no context, and only the values that were read before (D-OBJ-09). An object of another
  /// context stops the program. Where a rule `deny` still finds members, the save throws 1600.
  ///
  /// See also ``NSManagedObject/prepareForDeletion()``, ``NSDeleteRule``, ``rollback()``.
  open func delete(_ object: NSManagedObject) { ChangeRun(in: self).delete(object) }

  /// Sets the store that a new object is to be saved to. Without this, the object goes to the first store that holds its
  /// entity and can be written.
  ///
  /// It stops the program if the object was saved before, is of another context, or if the store's configuration does
  /// not have its entity.
  ///
  /// ```swift
  /// let store = container.persistentStoreCoordinator.persistentStores[0]
  /// let entry = Entry(context: context)
  /// entry.title = "Thursday"
  /// context.assign(entry, to: store)
  /// try context.save()
  /// print(entry.objectID.persistentStore === store)  // true
  /// ```
  ///
  /// - Parameters:
  ///   - object: a new object of this context; anything else than a managed object is passed over.
  ///   - store: a store of the context's coordinator.
  ///
  /// See also ``NSManagedObjectModel/setEntities(_:forConfigurationName:)``.
  open func assign(_ object: Any, to store: NSPersistentStore) { ChangeRun(in: self).assign(object, to: store) }

  /// Gives objects their permanent IDs ahead of a save, so that an ID can be handed out before there is a row.
  ///
  /// Without it an ID that was kept from before the save is a temporary one, and does not equal the later one. One
  /// write transaction for each store raises its count of keys; IDs that are then not used leave a gap, which does no
  /// harm.
  ///
  /// ```swift
  /// let entry = Entry(context: context)
  /// entry.title = "Thursday"
  /// try context.obtainPermanentIDs(for: [entry])
  /// let id = entry.objectID
  /// try context.save()
  /// print(id.isTemporaryID, id == entry.objectID)  // false true
  /// ```
  ///
  /// - Parameter objects: objects of this context; those that have permanent IDs are passed over.
  /// - Throws: 134060 where no store holds the entity; what opening a write transaction on the store throws, as 513 for
  ///   one that is read-only.
  ///
  /// See also ``NSManagedObjectID/isTemporaryID``.
  open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    try ChangeRun(in: self).obtainPermanentIDs(for: objects)
  }

  /// Ends the current event: applies the delete rules, removes objects that were inserted and deleted again, and posts
  /// `NSManagedObjectContextObjectsDidChange` with the objects that the event has changed.
  ///
  /// Called at the end of every `perform`, by `save`, and by `fetch` and `count` unless they are called by an observer or
  /// a hook of an object (D-CTX-07). Call it in the middle of a block where observers or results controllers have to hear
  /// of changes at once.
  ///
  /// ```swift
  /// context.delete(try fetchEntry("Monday", in: context))
  /// context.processPendingChanges()
  /// print(context.deletedObjects.map { $0.entity.name ?? "" }.sorted())  // ["Entry", "Page", "Page"]
  /// ```
  ///
  /// Without changes it does nothing. With an undo manager it also closes the step.
  ///
  /// See also ``propagatesDeletesAtEndOfEvent``.
  open func processPendingChanges() { events.processPendingChanges() }

  // MARK: Saving

  /// Writes every change to the stores in one transaction each; of a child context, hands it to the parent and writes
  /// nothing.
  ///
  /// Save where a piece of work is complete: a save costs a commit (a wait for the disk), however many objects it
  /// writes, so save after hundreds of inserts, not after each. If it fails, the store is as it was and the changes are
  /// still in the context: mend them and save again, or call ``rollback()``. Of several stores, those before the one
  /// that failed have been written (D-CTX-22).
  ///
  /// ```swift
  /// let entry = Entry(context: context)
  /// do {
  ///   try context.save()
  /// } catch CocoaError.validationStringTooShort {
  ///   entry.title = "Untitled"  // the model asks for a character at least
  ///   try context.save()
  /// }
  /// print(entry.objectID.isTemporaryID)  // false
  /// ```
  ///
  /// In order: the event ends and `ObjectsDidChange` is posted; `WillSave` is posted, then `willSave()` is called until
  /// nothing changes any more; objects are validated; where others have changed the same rows, or have taken values
  /// that must be unique, ``mergePolicy`` decides; the rows are written; `didSave()` is called, and `DidSave` and
  /// `DidSaveObjectIDs` are posted, also where there was nothing to save.
  ///
  /// - Throws: validation errors (1550 to 1690; several at once as 1560 with `NSDetailedErrorsKey`); what the merge
  ///   policy throws, which is 133020 with `NSMergeConflict`s or 133021 with `NSConstraintConflict`s under
  ///   `NSPersistentStoreSaveConflictsErrorKey`; the store's own errors, as 513 for a file that cannot be written and
  ///   640 for a full disk; 132001 when called from inside a save.
  ///
  /// See also ``hasChanges``, ``NSManagedObject/willSave()``, ``NSManagedObject/validateForInsert()``.
  open func save() throws { try SaveRun(of: self).save() }

  /// Drops every change: inserted objects leave the context, deleted ones are not deleted any more, changed ones have
  /// their rows' values again. Reads nothing from the store; use ``refreshAllObjects()`` to see what others have written.
  ///
  /// Use it after a save has failed and the changes are not to be mended. A form that may be cancelled is better edited
  /// in a child context, which is simply thrown away: a rollback drops the changes that other code has made in the same
  /// context, too.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// entry.title = "Sunday"
  /// context.rollback()
  /// print(entry.title ?? "", context.hasChanges)  // Monday false
  /// ```
  ///
  /// Observers of `NSManagedObjectContextObjectsDidChange` hear of inserted objects as deleted ones, of others as
  /// refreshed (D-CTX-15). The undo manager forgets the context's actions.
  ///
  /// See also ``reset()``, ``undo()``, ``parent``.
  open func rollback() { ChangeRun(in: self).rollback() }

  /// Makes the next save check whether others have changed the object's row, although the object is not changed here.
  ///
  /// A calculation that depends on an object which it does not change is saved only if that object's row is still the
  /// same; otherwise the merge policy decides (133020 with the default). The context keeps the object until a save
  /// succeeds. Objects that are changed or deleted are checked anyway; an object whose values have not been read cannot
  /// be out of date.
  open func detectConflicts(for object: NSManagedObject) { ChangeRun(in: self).detectConflicts(for: object) }

  // MARK: Objects

  /// The objects that the context has, faults included. Unchanged objects that the program does not refer to any more are
  /// not among them. A new set each time, whose making visits all objects: for diagnosis, not for loops.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// print(context.registeredObjects == [entry])  // true
  /// ```
  ///
  /// See also ``registeredObject(for:)``, ``insertedObjects``.
  open var registeredObjects: Set<NSManagedObject> { objects.registeredObjects }

  /// The registered object with that ID; nil when there is none. Reads nothing. In trees of contexts, the temporary ID of
  /// an object that has got its permanent one meanwhile still finds the object, at least for the latest 1,024 such IDs
  /// (D-CTX-17).
  open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    objects.registeredObject(for: objectID)
  }

  /// The object with that ID: the registered one, or a fault. Never nil, never a statement: whether there is such a row
  /// shows when the fault fires.
  ///
  /// Use it to carry an object into another context: send its `objectID`, which is safe on every thread. A fault whose
  /// row is gone becomes a deleted object without values, with a line on the standard error (see
  /// ``shouldDeleteInaccessibleFaults``); where that may happen, use ``existingObject(with:)``.
  ///
  /// ```swift
  /// let id = try fetchEntry("Monday", in: context).objectID
  /// let title = await container.performBackgroundTask { context in
  ///   (context.object(with: id) as? Entry)?.title
  /// }
  /// print(title ?? "none")  // Monday
  /// ```
  ///
  /// - Parameter objectID: an ID of any context of the same coordinator.
  ///
  /// See also ``registeredObject(for:)``.
  open func object(with objectID: NSManagedObjectID) -> NSManagedObject { objects.object(with: objectID) }

  /// The object with that ID, with its values: at most one statement, and none where the row is cached.
  ///
  /// Use it for IDs that were kept for a while, in a URL or another process: the row may be gone by now.
  ///
  /// ```swift
  /// let id = try fetchEntry("Monday", in: context).objectID
  /// let worker = container.newBackgroundContext()
  /// try worker.performAndWait {
  ///   worker.delete(try worker.existingObject(with: id))
  ///   try worker.save()
  /// }
  /// context.reset()
  /// do {
  ///   _ = try context.existingObject(with: id)
  /// } catch {
  ///   print((error as NSError).code)  // 133000
  /// }
  /// ```
  ///
  /// - Parameter objectID: the ID.
  /// - Throws: 133000 when the store has no such row, or the store is not one of this context's; the store's errors.
  ///
  /// See also ``object(with:)``, ``NSPersistentStoreCoordinator/managedObjectID(forURIRepresentation:)``.
  open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    try objects.existingObject(with: objectID)
  }

  /// Makes the object read its row again: where another context or program has written the row and this context does not
  /// merge automatically, or to release the values of a large object.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// entry.rating = 1
  /// context.refresh(entry, mergeChanges: false)
  /// print(entry.isFault, entry.rating)  // true 3
  /// ```
  ///
  /// Rows of the framework's own stores are known to be current, so refreshing an object whose row nothing has changed
  /// runs no statement.
  ///
  /// - Parameters:
  ///   - object: an object of this context; one that was never saved keeps its values.
  ///   - flag: true keeps the changes that were made here on top of the row as it is now; false drops them and turns
  ///     the object back into a fault, so that unsaved work is lost. An object that was never saved counts as a fault
  ///     until one of its properties is read (D-CTX-06).
  ///
  /// See also ``refreshAllObjects()``, ``automaticallyMergesChangesFromParent``.
  open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    RefreshRun(in: self).refresh(object, mergeChanges: flag)
  }

  /// Turns every object without changes into a fault, and brings the others up to date under their changes. Unlike
  /// ``reset()``, objects stay what they are, and unsaved changes are kept.
  ///
  /// Call it when the store was changed behind the context's back, by a batch request or another program, and it is not
  /// known what was changed. Each object then reads its row when it is used next, up to 256 at a time.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// print(entry.rating)  // 3
  /// let update = NSBatchUpdateRequest(entityName: "Entry")
  /// update.propertiesToUpdate = ["rating": 0]
  /// try context.execute(update)
  /// print(entry.rating)  // 3
  /// context.refreshAllObjects()
  /// print(entry.rating)  // 0
  /// ```
  ///
  /// Observers of `NSManagedObjectContextObjectsDidChange` hear of all objects as refreshed.
  ///
  /// See also ``execute(_:mergingInto:)``, which refreshes only the objects that the request has changed.
  open func refreshAllObjects() { RefreshRun(in: self).refreshAllObjects() }

  /// Removes every object from the context, unsaved changes included: objects that the program still holds have no values
  /// and no context any more.
  ///
  /// An import that saves every few hundred objects resets its context after each save, so that memory stays flat. Do
  /// not reset a context whose objects are on a screen: use ``refreshAllObjects()``.
  ///
  /// ```swift
  /// let importer = container.newBackgroundContext()
  /// try importer.performAndWait {
  ///   for day in 1...500 {
  ///     Entry(context: importer).title = "Day \(day)"
  ///     if day.isMultiple(of: 100) {
  ///       try importer.save()
  ///       importer.reset()
  ///     }
  ///   }
  ///   print(importer.registeredObjects.count)  // 0
  /// }
  /// ```
  ///
  /// Observers of `NSManagedObjectContextObjectsDidChange` get the IDs of all objects under `NSInvalidatedAllObjectsKey`;
  /// a results controller has to fetch again.
  ///
  /// See also ``rollback()``.
  open func reset() { RefreshRun(in: self).reset() }

  // MARK: Other contexts

  /// The context that this one reads from and saves to, in place of a coordinator. Nil, as at first, for none.
  ///
  /// For work that may be given up as a whole: a form edits its child, and cancelling throws the child away. A child
  /// sees the unsaved changes of all contexts above it. Saving it makes its changes those of the parent; **nothing is
  /// in the store until the context at the top is saved**. It is no means for speed: every read and save goes through
  /// the parent's queue, so imports take a context of their own over the coordinator.
  ///
  /// ```swift
  /// let form = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  /// form.parent = context
  /// let entry = try fetchEntry("Monday", in: form)
  /// entry.title = "Monday, at length"
  /// try form.save()  // the parent has it now
  /// print(context.updatedObjects.count)  // 1
  /// try context.save()  // and now the store
  /// ```
  ///
  /// Set it before the context has objects: a context that has objects, a parent without a queue, and a cycle stop the
  /// program. A child keeps its parent alive. Objects that a child has realised keep their values until they are
  /// refreshed. Objects that are new in the child get their permanent IDs when the context at the top is saved, in all
  /// contexts (D-CTX-05).
  ///
  /// See also ``persistentStoreCoordinator``, ``automaticallyMergesChangesFromParent``.
  open var parent: NSManagedObjectContext? {
    get { parentContext }
    set { ParentChange(of: self).set(newValue) }
  }

  /// Whether the context automatically merges, on its queue, what is saved to its coordinator, or by its parent. False at
  /// first.
  ///
  /// Turn it on for the view's context, and leave it off for imports and other short work, which would refresh objects
  /// for nothing. The merge comes later, on the context's queue: right after another context's save has returned, this
  /// context still has the old values.
  ///
  /// ```swift
  /// context.automaticallyMergesChangesFromParent = true
  /// let entry = try fetchEntry("Monday", in: context)
  /// let id = entry.objectID
  /// try await container.performBackgroundTask { context in
  ///   (context.object(with: id) as? Entry)?.rating = 5
  ///   try context.save()
  /// }
  /// await context.perform(schedule: .enqueued) {}  // behind the merge
  /// print(entry.rating)  // 5
  /// ```
  ///
  /// Objects that it has are refreshed, with the changes made here kept on top. Saves that come faster than the queue
  /// works are merged together. A context that is pinned to the current query generation moves on; one that was pinned
  /// by a token does not merge by itself (D-CTX-18). Batch requests are no saves: merge their results with
  /// ``mergeChanges(fromRemoteContextSave:into:)``. Saves of other programs are merged where the store is opened with
  /// `NSPersistentStoreRemoteChangeNotificationPostOptionKey` and keeps a history. A confinement context, which has no
  /// queue, stops the program.
  ///
  /// See also ``refreshAllObjects()``.
  open var automaticallyMergesChangesFromParent: Bool {
    get { merger.isAutomatic }
    set { merger.setAutomatic(newValue, for: self) }
  }

  /// Brings the context up to date with the changes that another one has saved: objects that it has are refreshed, with
  /// the changes made here kept on top; inserted objects become known as faults; deleted objects are deleted here, too.
  ///
  /// Use it for contexts that choose which saves they merge; ``automaticallyMergesChangesFromParent`` merges all saves.
  /// Call it on this context's queue, with the notification of another context's save, of whatever coordinator, or with
  /// one made from the persistent history. Updated and deleted objects that the context does not have cost nothing.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// let center = NotificationCenter.default
  /// let worker = container.newBackgroundContext()
  /// let token = center.addObserver(
  ///   forName: NSManagedObjectContext.didSaveObjectsNotification, object: worker, queue: nil
  /// ) { [context] notification in
  ///   context.performAndWait { context.mergeChanges(fromContextDidSave: notification) }
  /// }
  /// let id = entry.objectID
  /// let saving = Task.detached {
  ///   try await worker.perform {
  ///     (worker.object(with: id) as? Entry)?.rating = 5
  ///     try worker.save()
  ///   }
  /// }
  /// try await saving.value
  /// center.removeObserver(token)
  /// print(entry.rating)  // 5
  /// ```
  ///
  /// Posts `NSManagedObjectContextObjectsDidChange` and `NSManagedObjectContextDidMergeChangesObjectIDs`. A pinned
  /// context moves on to the latest generation. For a deletion the row is looked for first; if it still exists, the
  /// object is refreshed (D-CTX-21).
  ///
  /// - Parameter notification: of ``NSManagedObjectContext/didSaveObjectsNotification`` or
  ///   ``NSManagedObjectContext/didSaveObjectIDsNotification``; its user info is read, its object is not.
  ///
  /// See also ``mergeChanges(fromRemoteContextSave:into:)``, ``NSPersistentHistoryTransaction/objectIDNotification()``.
  open func mergeChanges(fromContextDidSave notification: Notification) {
    checkQueue()
    merger.merge(notification, into: self)
  }

  // MARK: Undo

  /// The undo manager, which takes back and repeats changes of the context's objects; nil, as at first, for none. Imports
  /// and servers need none: a manager costs an image of each object that changes.
  ///
  /// ```swift
  /// context.undoManager = UndoManager()
  /// let entry = try fetchEntry("Monday", in: context)
  /// entry.title = "Sunday"
  /// context.undo()
  /// print(entry.title ?? "")  // Monday
  /// context.redo()
  /// print(entry.title ?? "")  // Sunday
  /// ```
  ///
  /// Each event is an action: inserted, changed and deleted objects are put back as they were, with their
  /// relationships, whatever was saved since. An object whose deletion was saved comes back as the same object, with
  /// its ID, and the next save inserts it; one whose insertion was saved is deleted by the next save. Objects that
  /// others have deleted meanwhile are left alone. Values set through primitive accessors alone are not recorded.
  ///
  /// A main-queue context's events are grouped as the manager does it, by turns of the run loop. On a private queue
  /// every event is a group of its own, unless one is open (D-UND-03).
  ///
  /// The manager belongs to the context's queue, as it is not safe from several threads: use it there, or through
  /// `undo()` and `redo()`. Of contexts that share a manager, no two may work at the same time. The last reference to a
  /// context may be released on any thread.
  ///
  /// Another manager, a rollback and a reset make the old one forget the context's actions; actions of others stay. The
  /// manager keeps objects alive, but not the context: set its `levelsOfUndo` in contexts that live long.
  ///
  /// See also ``undo()``, ``rollback()``.
  open var undoManager: UndoManager? {
    get { undoRecorder?.manager }
    set { UndoRun(of: self).changeManager(to: newValue) }
  }

  /// Ends the current event and takes back the last event, or the last group of events; does nothing without an undo
  /// manager. Changes that were saved are taken back in memory, and the next save writes that.
  open func undo() { UndoRun(of: self).undo() }

  /// Repeats the event or group that was undone last. A change made since then empties the list of what can be repeated;
  /// without an undo manager it does nothing.
  open func redo() { UndoRun(of: self).redo() }

  // MARK: Requests

  /// Runs a request that is no fetch: a batch insert, update or delete, or a request about history; or begins an
  /// asynchronous fetch.
  ///
  /// A batch request goes straight to the stores, each in a transaction of its own: it does not see pending changes of
  /// contexts, it validates only types and presence, and **objects that contexts have learn nothing of it**. Merge the
  /// result, or run it by ``execute(_:mergingInto:)``.
  ///
  /// ```swift
  /// let update = NSBatchUpdateRequest(entityName: "Entry")
  /// update.predicate = NSPredicate(format: "words > 100")
  /// update.propertiesToUpdate = ["isPinned": true]
  /// update.resultType = .updatedObjectsCountResultType
  /// let result = try context.execute(update) as? NSBatchUpdateResult
  /// print(result?.result as? Int ?? 0)  // 2
  /// ```
  ///
  /// - Parameter request: an `NSBatchInsertRequest`, `NSBatchUpdateRequest`, `NSBatchDeleteRequest`,
  ///   `NSPersistentHistoryChangeRequest` or `NSAsynchronousFetchRequest`.
  /// - Returns: the request's own result type; for an asynchronous fetch a result that has no content yet.
  /// - Throws: 134091 for any other request, also for fetches, for which there is `fetch(_:)`, and for a batch request
  ///   where a store has no batch requests, as stores in memory and in XML files (D-BAT-01); the store's errors.
  ///
  /// See also ``NSBatchDeleteRequest``, ``NSPersistentHistoryChangeRequest``.
  @discardableResult
  open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    try request.executed(in: self)
  }

  /// Reads the objects for a request whose result type is not known to the compiler.
  ///
  /// The typed `fetch(_:)` of a subclass runs through this method, so that overriding it is enough.
  /// - Throws: as the typed `fetch(_:)`.
  open func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
    try FetchRun(in: self).fetch(request)
  }

  /// The number of objects that a fetch of the request would give. The typed `count(for:)` of a subclass runs through
  /// this method.
  /// - Throws: as the typed `fetch(_:)`.
  open func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
    try FetchRun(in: self).count(for: request)
  }

  // MARK: The queue

  /// Runs `block` on the context's queue, later, and returns at once; changes are processed when it ends.
  ///
  /// Errors cannot leave the block: catch them there, or use the asynchronous `perform(schedule:_:)`, which gives a
  /// result. A program that ends does not wait for blocks that have not run.
  ///
  /// ```swift
  /// let worker = container.newBackgroundContext()
  /// await withCheckedContinuation { continuation in
  ///   worker.perform {
  ///     Entry(context: worker).title = "Thursday"
  ///     print(worker.hasChanges)  // true
  ///     continuation.resume()
  ///   }
  /// }
  /// ```
  ///
  /// Blocks run one at a time, in the order in which they were handed over, also those that a block hands over itself.
  /// On a main-queue context they run when the program's main run loop or `dispatchMain()` gets to them; where none
  /// does, a line on the standard error says so (D-CON-02). A confinement context has no queue: it stops the program.
  ///
  /// See also ``performAndWait(_:)-(()->Void)``.
  open func perform(_ block: @escaping () -> Void) { Performer(in: self).perform(block) }

  /// Runs `block` on the context's queue and waits for it; at once if the caller is on the queue already.
  ///
  /// In a subclass, the variants of `performAndWait` that throw or have a result run through this method; they also
  /// describe what nested calls do.
  open func performAndWait(_ block: () -> Void) { Performer(in: self).performAndWait(block) }

  deinit {
    LiveObjects.forget(self)
    reference.end()
    undoRecorder?.end(self)
    // Objects may outlive the context: they keep the values that were read, and can read no more.
    for table in identityMaps.all {
      for object in table.all() { object.relations = nil }
      table.detach()
    }
    for transaction in readState.all { transaction.end() }
    ParentChange(of: self).leave()
    merger.end(self)
    ReleasePool.empty(&parentContext)
  }

  /// The coordinator; throws where there is none, since nothing can be read or written then.
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
    // The class may override `entity()`, and several copies of a model may exist: the entity of that name in the
    // context's model counts.
    if let name = type.entity().name, let entity = model?.entitiesByName[name] { return entity }
    raise(.invalidArgument, "An NSManagedObject of class '\(type)' must have a valid NSEntityDescription.")
  }
}
