import Foundation
import OpenCocoaFoundation

/// How a context runs its work.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// On a private queue: use `perform` or `performAndWait`.
  case privateQueueConcurrencyType = 1
  /// On the main queue: use it directly on the main thread, or `perform` from elsewhere.
  case mainQueueConcurrencyType = 2
}

/// A graph of objects over a coordinator's stores: reads them on demand, keeps one object per row, notes what changes,
/// and writes it all in one go.
///
/// A context and its objects belong to its queue. The context itself may be passed between threads; everything but
/// `perform` and `performAndWait` is for its queue alone.
open class NSManagedObjectContext: NSObject, @unchecked Sendable {  // all state belongs to the context's queue
  /// How the context runs its work.
  public final let concurrencyType: NSManagedObjectContextConcurrencyType
  final let queue: DispatchQueue

  /// The coordinator whose stores the context reads and writes.
  public final var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    willSet {
      if persistentStoreCoordinator != nil, persistentStoreCoordinator !== newValue, !families.isEmpty { reset() }
    }
  }

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
  public final let userInfo = NSMutableDictionary()

  /// Whether a fault whose row is gone becomes a deleted object without values; otherwise it stops the program.
  public final var shouldDeleteInaccessibleFaults = true

  /// Whether the delete rules are applied when an event ends; otherwise by the next save alone.
  public final var propagatesDeletesAtEndOfEvent = true

  /// Whether every registered object is kept alive; otherwise only changed ones are.
  @exclusivity(unchecked) public final var retainsRegisteredObjects = false {
    didSet { retained = retainsRegisteredObjects ? Set(registeredObjects) : [] }
  }

  /// How many objects of a fetch or relationship are read when one of them fires; 1 reads each by itself.
  ///
  /// Not in Apple's framework, which always reads one.
  @exclusivity(unchecked) public final var faultBatchSize = 256 {
    willSet { precondition(newValue >= 1, "faultBatchSize must be at least 1, not \(newValue)") }
  }

  // The identity maps, by store; objects without a store are in the family of nil.
  @exclusivity(unchecked) final var families: [StoreTables] = []
  /// Objects with changes, in the order in which they changed; the flags of each tell what it is.
  @exclusivity(unchecked) final var changed: ContiguousArray<NSManagedObject> = []
  /// What has happened since the last event ended.
  @exclusivity(unchecked) final var event = ContextEvent()
  /// Objects whose delete rules have not been applied yet.
  @exclusivity(unchecked) final var pendingDeletions: ContiguousArray<NSManagedObject> = []
  final var retained: Set<NSManagedObject> = []
  @exclusivity(unchecked) final var leases: [ObjectIdentifier: ReadLease] = [:]
  final var isSaving = false
  final var storedMergePolicy = NSMergePolicy.error
  /// Unchanged objects that the next save looks for conflicts of.
  final var guarded: Set<NSManagedObject> = []
  final var assignedStores: [ObjectIdentifier: NSPersistentStore] = [:]

  /// Makes a context without coordinator.
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    self.concurrencyType = concurrencyType
    queue = concurrencyType == .mainQueueConcurrencyType ? .main : DispatchQueue(label: "NSManagedObjectContext")
    super.init()
  }

  /// Makes a context of the given type.
  public convenience init(_ type: ConcurrencyType) {
    self.init(concurrencyType: type == .mainQueue ? .mainQueueConcurrencyType : .privateQueueConcurrencyType)
  }

  /// How a context runs its work.
  public enum ConcurrencyType: Sendable {
    /// On a private queue.
    case privateQueue
    /// On the main queue.
    case mainQueue
  }

  /// Decides what becomes of a fault whose row is gone: true makes it a deleted object without values.
  open func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for objectID: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
  ) -> Bool { shouldDeleteInaccessibleFaults }

  deinit {
    // Objects may outlive the context: they keep what they have read, and can read no more.
    for table in families.lazy.flatMap(\.tables) {
      for object in table.all() { object.relations = nil }
      table.detach()
    }
    for lease in leases.values { lease.end() }
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
    let model = persistentStoreCoordinator?.managedObjectModel
    if let model, let entity = ModelRegistry.entity(for: type, in: model) { return entity }
    raise(.invalidArgument, "An NSManagedObject of class '\(type)' must have a valid NSEntityDescription.")
  }

  /// The context's transaction on `store`.
  final func lease(on store: NSPersistentStore) -> ReadLease {
    if let lease = leases[ObjectIdentifier(store)] { return lease }
    let lease = ReadLease(store: store, context: self)
    leases[ObjectIdentifier(store)] = lease
    return lease
  }

  /// Ends the context's read transactions; the next read begins at the latest commit.
  final func endLeases() {
    for lease in leases.values { lease.end() }
  }
}
