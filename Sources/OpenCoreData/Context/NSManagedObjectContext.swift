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
  public final var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
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

  /// What a save does where others have changed the same rows, or have taken values that must be unique: an
  /// `NSMergePolicy`, at first `NSMergePolicy.error`. Anything else stops the program.
  public final var mergePolicy: Any {
    get { storedMergePolicy }
    set {
      guard let policy = newValue as? NSMergePolicy else {
        raise(.invalidArgument, "The mergePolicy of a context must be an NSMergePolicy, not \(newValue).")
      }
      storedMergePolicy = policy
    }
  }

  /// A name for people; persistent history notes it.
  public final var name: String?

  /// Who makes the changes; persistent history notes it, so that readers can tell their own changes from others'.
  public final var transactionAuthor: String?

  /// Whatever the application wants to keep with the context.
  public final var userInfo: NSMutableDictionary {
    checkQueue()
    return storedUserInfo
  }
  private final let storedUserInfo = NSMutableDictionary()

  /// Whether a fault whose row is gone becomes a deleted object without values; otherwise it stops the program.
  public final var shouldDeleteInaccessibleFaults = true

  /// Whether the delete rules are applied when an event ends; otherwise by the next save alone.
  public final var propagatesDeletesAtEndOfEvent = true

  /// Whether every registered object is kept alive; otherwise only changed ones are.
  @exclusivity(unchecked) public final var retainsRegisteredObjects = false {
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
  @exclusivity(unchecked) public final var stalenessInterval: TimeInterval = -1

  /// How many objects of a fetch or relationship are read when one of them fires; 1 reads each by itself.
  ///
  /// Not in Apple's framework, which always reads one.
  @exclusivity(unchecked) public final var faultBatchSize = 256 {
    willSet { precondition(newValue >= 1, "faultBatchSize must be at least 1, not \(newValue)") }
  }

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
  /// What has happened since the last event ended.
  @exclusivity(unchecked) final var event = ContextEvent()
  /// Sets of members that may have been changed outside.
  @exclusivity(unchecked) final var looseMembers = ListedLooseMembers()
  /// What takes failures of faults down; nil where they stop the program.
  final var faultFailures: FaultFailures?
  /// Whether the current event is being ended by a fetch.
  final var isBeforeFetch = false
  /// The transactions of history that the last save has made, by the stores' identifiers.
  final var savedTransactions: [String: Int64] = [:]
  /// How many pieces of work are going on in whose middle a fetch must not end the event.
  @exclusivity(unchecked) final var eventHolds = 0
  /// Objects whose delete rules have not been applied yet.
  @exclusivity(unchecked) final var pendingDeletions: ContiguousArray<NSManagedObject> = []
  @exclusivity(unchecked) final var retained: Set<NSManagedObject> = []
  @exclusivity(unchecked) final var leases: [ObjectIdentifier: ReadLease] = [:]
  final var storedMergePolicy = NSMergePolicy.error
  /// What may stop the fetches of the block that runs.
  @exclusivity(unchecked) final var fetchWatch: FetchWatch?
  /// Unchanged objects that the next save looks for conflicts of.
  final var guarded: Set<NSManagedObject> = []
  /// What the leases read at.
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
  /// What others have saved since the queue was asked to merge it.
  final let pendingMerge = Mutex<SavedChanges?>(nil)
  @exclusivity(unchecked) final var assignedStores: [ObjectIdentifier: NSPersistentStore] = [:]
  /// The class that was last asked for its entity, in a context with a coordinator of its own: mostly many objects of one
  /// are made.
  @exclusivity(unchecked) private final var lastClass: (type: ObjectIdentifier, entity: NSEntityDescription)?
  /// What fetched results controllers have of this context.
  @exclusivity(unchecked) final var resultsObservers: [ResultsObserver] = []
  /// For what may outlive the context.
  final let reference = WeakReference()

  /// Makes a context without coordinator.
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    Watchers.start()
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
    /// What `init(concurrencyType:)` takes.
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

  /// Decides what becomes of a fault whose row is gone: true makes it a deleted object without values, false stops the
  /// program. The default writes a line to stderr, and gives `shouldDeleteInaccessibleFaults`.
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

  deinit {
    reference.end()
    undoRecorder?.end(self)
    // Objects may outlive the context: they keep what they have read, and can read no more.
    for table in families.lazy.flatMap(\.tables) {
      for object in table.all() { object.relations = nil }
      table.detach()
    }
    for lease in leases.values { lease.end() }
    leaveParent()
    if mergesAutomatically { AutomaticMerging.end(self) }
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
    raise(.invalidArgument, "An NSManagedObject of class '\(type)' must have a valid NSEntityDescription.")
  }

  /// The context's transaction on `store`.
  final func lease(on store: NSPersistentStore) -> ReadLease {
    if let lease = leases[ObjectIdentifier(store)] { return lease }
    let lease = ReadLease(store: store, context: self)
    lease.follow(queryGeneration)
    leases[ObjectIdentifier(store)] = lease
    return lease
  }

  /// Ends the context's read transactions; the next read begins at the latest commit, unless the context is pinned.
  final func endLeases() {
    // A child reads what the context at the top sees then: it must not hold a generation that that one has left.
    if parentContext != nil, case .generation = queryGeneration { pin(.unpinned) }
    for lease in leases.values { lease.end() }
  }
}
