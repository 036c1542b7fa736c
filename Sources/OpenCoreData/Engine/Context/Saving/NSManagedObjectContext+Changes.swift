import Foundation
import OpenCocoaFoundation

// Inserting, deleting, and knowing what has changed.
extension NSManagedObjectContext {
  final var baseInsertedObjects: Set<NSManagedObject> {
    checkQueue()
    return Set(changed.filter(\.isInserted))
  }

  final var baseUpdatedObjects: Set<NSManagedObject> {
    checkQueue()
    followLooseMembers()
    return Set(changed.filter { $0.isUpdated && !$0.state.contains(.inserted) })
  }

  final var baseDeletedObjects: Set<NSManagedObject> {
    checkQueue()
    return Set(changed.filter(\.isDeleted))
  }

  final var baseHasChanges: Bool {
    checkQueue()
    followLooseMembers()
    return changed.contains(where: \.hasChanges)
  }

  final func baseInsert(_ object: NSManagedObject) {
    checkQueue()
    if let context = object.table?.context {
      if context === self { return insertAgain(object) }
      raise(.invalidArgument, "An object of another NSManagedObjectContext cannot be inserted: \(object.objectID)")
    }
    tableOfNew(object).register(object, object.key < 0 ? object.key : TemporaryKeys.make())
    object.state = object.state.intersection(.observed).union([.inserted, .hasNoRow])
    if object.changes == nil { object.changes = ChangedValues.make(defaultsOf: object.layout) }
    enterInsertion(object)
    list(object)
    holdingEvent { object.awakeFromInsert() }
  }

  /// The identity map for an object that no store has yet.
  private final func tableOfNew(_ object: NSManagedObject) -> IdentityMap {
    let root = object.layout.rootNumber
    for place in families.indices where families[place].store == nil { return families[place].table(root) }
    let model = persistentStoreCoordinator?.managedObjectModel ?? object.layout.entity.managedObjectModel
    return tables(for: nil, model: model).table(root)
  }

  private final func insertAgain(_ object: NSManagedObject) {
    if object.state.contains(.deleted) {
      object.enterEvent()
      object.state.subtract([.deleted, .deletionPropagated])
      return
    }
    object.enterEvent()
    event.insertedAgain.insert(object)
    object.markChanged()
    if !object.state.contains(.hasNoRow) { object.state.insert(.insertedAgain) }
  }

  final func baseDelete(_ object: NSManagedObject) {
    checkQueue()
    guard object.table?.context === self else {
      raise(.invalidArgument, "An NSManagedObjectContext cannot delete objects in other contexts.")
    }
    holdingEvent { object.prepareForDeletion() }
    object.enterEvent()
    object.state.insert(.deleted)
    pendingDeletions.append(object)
    list(object)
  }

  /// Remembers that `object` has changes, and keeps it alive until they are saved or dropped.
  @inline(__always)
  final func note(_ object: NSManagedObject) { list(object) }

  final func list(_ object: NSManagedObject) {
    guard !object.state.contains(.listed) else { return }
    object.state.insert(.listed)
    changed.append(object)
  }

  /// The object has no changes any more.
  final func delist(_ object: NSManagedObject) {
    guard object.state.contains(.listed) else { return }
    object.state.remove(.listed)
    changed.remove(object)
  }

  /// Has the delete rules of an object that is deleted already applied once more, to members that have come since.
  final func propagateAgain(_ object: NSManagedObject) {
    guard object.state.isSuperset(of: [.deleted, .deletionPropagated]) else { return }
    object.state.remove(.deletionPropagated)
    pendingDeletions.append(object)
  }

  /// Applies the delete rules of what was deleted since the last time.
  /// - Returns: those among them that were never saved.
  final func propagateDeletions() -> ContiguousArray<NSManagedObject> {
    var insertions: ContiguousArray<NSManagedObject> = []
    // Cascades append to the list; hooks of the objects may also end the event, and so come here again.
    while !pendingDeletions.isEmpty {
      let deletions = pendingDeletions
      pendingDeletions = []
      prefetchForDeletion(deletions[...])
      for object in deletions {
        // The deletion may have been taken back, or the object may have left the context.
        guard object.state.contains(.deleted) else { continue }
        if object.state.contains(.inserted) { insertions.append(object) }
        if object.state.contains(.deletionPropagated) { continue }
        object.state.insert(.deletionPropagated)
        propagateDeletion(object)
      }
    }
    return insertions
  }

  /// Objects that were inserted and deleted again leave the context, once their delete rules have been applied.
  final func dismiss(_ insertions: ContiguousArray<NSManagedObject>) {
    for object in insertions where leavesContext(object) {
      delist(object)
      unregister(object)
    }
  }

  /// Whether an object was inserted and deleted again.
  final func leavesContext(_ object: NSManagedObject) -> Bool {
    object.state.isSuperset(of: [.inserted, .deleted, .deletionPropagated]) && object.table?.context === self
  }

  /// Reads together what the delete rules of many objects are about to walk. What fails here is read one by one there.
  private final func prefetchForDeletion(_ candidates: ContiguousArray<NSManagedObject>.SubSequence) {
    var groups: [ObjectIdentifier: ContiguousArray<NSManagedObject>] = [:]
    for object in candidates
    where object.key > 0 && object.state.isDisjoint(with: [.deletionPropagated, .hasNoRow])
      && object.state.contains(.deleted)
    {
      groups[ObjectIdentifier(object.layout), default: []].append(object)
    }
    for group in groups.values where group.count > 1 {
      for slot in group[0].layout.slots where slot.kind.isRelationship && !slot.isTransient {
        if slot.relationship.deleteRule == .noActionDeleteRule { continue }
        try? prefetch(slot.name, group, group[0].layout)
      }
    }
  }

  private final func propagateDeletion(_ object: NSManagedObject) {
    if object.state.contains(.inaccessible) { return }
    for place in object.layout.relationshipPlaces {
      let slot = object.layout.slots[place]
      let rule = slot.relationship.deleteRule
      if rule == .noActionDeleteRule || rule == .denyDeleteRule { continue }
      let related = slot.kind == .toOne ? object.toOne(slot).map { [$0] } ?? [] : object.members(slot)
      // One whose row turned out to be gone may have left the context by now.
      for other in related where !other.state.contains(.deleted) && !other.isDetached {
        if rule == .cascadeDeleteRule {
          delete(other)
        } else if let inverse = slot.inverse {
          other.dropInverse(inverse, object)
        }
      }
    }
  }

  final func baseRollback() {
    checkQueue()
    followLooseMembers()
    holdingEvent { dropChanges() }
  }

  private final func dropChanges() {
    undoRecorder?.clear(self)
    let dropped = changed
    let refreshed = event.takeRefreshed(from: self)
    // The states that observers have been told of: those before the current event.
    let told = Dictionary(event.entries.lazy.map { ($0.object, $0.state) }, uniquingKeysWith: { first, _ in first })
    forgetEvent()
    changed = ChangedObjects()
    guarded = []
    assignedStores = [:]
    var gone: Set<NSManagedObject> = [], restored = refreshed
    for object in dropped {
      object.state.remove(.listed)
      if object.state.contains(.inserted) {
        let known = told[object] ?? object.state
        if known.contains(.inserted), !known.contains(.deleted) { gone.insert(object) }
        unregister(object)
      } else if !object.state.contains(.hasNoRow) {
        object.tellingAll {
          object.state.subtract([.updated, .deleted, .deletionPropagated, .insertedAgain])
          object.changes = nil
          object.relations = nil
          if !object.isFault { object.awaken(from: .rollback) }
        }
        restored.insert(object)
      } else if object.state.contains(.inaccessible) {
        // A fault again: perhaps it has its row the next time.
        object.revive()
        restored.insert(object)
      }
    }
    postObjectsDidChange(ContextChanges(deleted: gone, refreshed: restored.subtracting(gone)))
  }

  final func baseObtainPermanentIDs(for objects: [NSManagedObject]) throws {
    checkQueue()
    // Of two contexts that ask for the same object, the second finds that it has one.
    try insideAncestors {
      defer {
        // The contexts above must know the keys even if this context goes away.
        var ancestor = parentContext
        while let context = ancestor {
          context.absorbPermanentKeys()
          ancestor = context.parentContext
        }
      }
      try reserveKeys(for: objects)
    }
  }

  private final func reserveKeys(for objects: [NSManagedObject]) throws {
    absorbPermanentKeys()
    var byStore: [ObjectIdentifier: (store: NSPersistentStore, objects: ContiguousArray<NSManagedObject>)] = [:]
    for object in objects where object.key < 0 {
      let store = try store(for: object)
      byStore[ObjectIdentifier(store), default: (store, [])].objects.append(object)
    }
    for (store, objects) in byStore.values {
      for (object, key) in zip(objects, try store.reserveKeys(objects)) {
        givePermanentKey(key, to: object, in: store)
      }
    }
  }

  /// Re-registers an object under its permanent key.
  final func move(_ object: NSManagedObject, to store: NSPersistentStore, key: Int64) {
    object.table?.remove(Unmanaged.passUnretained(object).toOpaque(), object.key)
    table(for: object.layout, store: store).register(object, key)
    if object.state.contains(.refreshed) {
      // The event knows refreshed objects by their keys.
      object.state.remove(.refreshed)
      event.noteRefresh(of: object)
    }
  }

  /// The store that a new object goes to: the assigned one, else the first that holds its entity and can be written.
  final func store(for object: NSManagedObject) throws -> NSPersistentStore {
    if let assigned = assignedStores[ObjectIdentifier(object)] { return assigned }
    if let store = object.table?.store ?? nestedKeys.homes[object.key] { return store }
    let stores = try requiredCoordinator().persistentStores
    if let store = stores.first(where: { !$0.isReadOnly && $0.holds(object.layout.entity) }) {
      return store
    }
    if let store = stores.first(where: { $0.holds(object.layout.entity) }) { return store }
    throw NSError(
      coreData: NSCoreDataError,
      "There is no store for objects of the entity '\(object.layout.name)': "
        + (stores.isEmpty ? "the coordinator has no stores." : "no store's configuration includes it."))
  }

  final func baseAssign(_ object: Any, to store: NSPersistentStore) {
    checkQueue()
    guard let object = object as? NSManagedObject else { return }
    guard object.table?.context === self else {
      raise(.invalidArgument, "An NSManagedObjectContext cannot assign objects of other contexts to a store.")
    }
    if object.key > 0 {
      raise(.invalidArgument, "Can’t reassign an object to a different store once it has been saved.")
    }
    guard store.holds(object.layout.entity) else {
      raise(
        .invalidArgument,
        "Can't assign an object to a store that does not contain the object's entity: \(object.layout.name).")
    }
    assignedStores[ObjectIdentifier(object)] = store
  }
}
