import Foundation
import OpenCocoaFoundation

// How a child context reads: from the nearest context above that has changed the object, without it being registered in
// those between; and where none has, from the store, without asking any of them.
extension NSManagedObjectContext {
  /// The row of an object as a context, or one above it, has it.
  enum AncestorRow {
    case row(Snapshot)
    /// The object is deleted in that context.
    case gone
    /// No context above has changed the object.
    case unchanged
  }

  /// The row of a child's object as it is now; nil when there is none.
  final func rowFromAncestors(_ object: NSManagedObject) throws -> Snapshot? {
    if parentContext == nil { return nil }
    if ancestorsHaveChanges {
      let pulled = firstAnswer { $0.row(for: object, of: self, $1) } ?? .unchanged
      let row = settledRow(pulled, object)
      if case .unchanged = pulled {} else { return row }
    } else {
      absorbPermanentKeys()
    }
    guard let store = object.table?.store, object.key > 0 else { return nil }
    try prepareToRead(store)
    return try FaultReader(of: self).storedRow(object)
  }

  /// Takes a row over; keys that have become permanent since it was packed are replaced.
  private final func settledRow(_ pulled: AncestorRow, _ object: NSManagedObject) -> Snapshot? {
    let new = absorbPermanentKeys()
    guard case .row(var row) = pulled, row.fits(object) else { return nil }
    guard row.commit == 0, row.hasTemporaryKeys else { return row }
    if !new.isEmpty, let replaced = row.replacingTemporaryKeys(new.byTemporaryKey) { row = replaced.row }
    noteTemporaryKeys(of: object)
    return row
  }

  /// Asks the contexts above, from inside of each, as long as there are some with changes further up.
  /// - Parameter ask: is given the log of the context at the top, too.
  private final func firstAnswer<Answer>(_ ask: (NSManagedObjectContext, PermanentKeys) -> Answer?) -> Answer? {
    let log = rootContext.nesting.permanentKeys
    var highest = highestChangedAncestor
    return parentContext?.ascend(obeysOverrides: true) { context -> Answer?? in
      if let answer = ask(context, log) { return .some(answer) }
      // Its changes may have been saved into the next one meanwhile.
      if highest == nil || context === highest { highest = context.highestChangedAncestor }
      return highest == nil ? .some(nil) : nil
    } ?? nil
  }

  /// Called inside of this context, for a child's object; nil if the context has not changed it.
  private final func row(
    for object: NSManagedObject, of child: NSManagedObjectContext, _ log: PermanentKeys
  ) -> AncestorRow? {
    matchKeys(with: child, log)
    if let own = counterpart(of: object), own.hasChanges {
      if own.state.contains(.deleted) { return .gone }
      if own.rowReference != nil || own.state.contains(.hasNoRow) {
        child.noteHome(homeStore(of: own), of: object)
        var scratch = SnapshotScratch(slots: own.layout.slotCount)
        return .row(own.packedRow(&scratch))
      }
    }
    return nil
  }

  /// The keys of a child's to-many relationship as they are now; nil where only the store knows them.
  final func keysFromAncestors(of object: NSManagedObject, _ slot: PropertySlot) throws -> KeyArray? {
    if parentContext == nil { return nil }
    guard ancestorsHaveChanges else {
      absorbPermanentKeys()
      return try storeAnswers(for: object) ? nil : KeyArray.empty
    }
    let pulled = firstAnswer { $0.keys(for: object, slot.key, of: self, $1) }
    let new = absorbPermanentKeys()
    guard var pulled else { return try storeAnswers(for: object) ? nil : KeyArray.empty }
    guard pulled.hasTemporaryKeys else { return pulled }
    if !new.isEmpty {
      pulled = pulled.replacingTemporaryKeys(
        new.byTemporaryKey, isOrdered: slot.isOrdered, object.layout.entity.managedObjectModel)
    }
    noteTemporaryKeys(of: object)
    return pulled
  }

  /// Whether the object is one of a store, which is ready to be asked then.
  private final func storeAnswers(for object: NSManagedObject) throws -> Bool {
    guard object.key > 0, let store = object.table?.store else { return false }
    try prepareToRead(store)
    return true
  }

  /// Called inside of this context, for a child's object; nil if the context has not changed the relationship.
  private final func keys(
    for object: NSManagedObject, _ key: _PropertyKey, of child: NSManagedObjectContext, _ log: PermanentKeys
  ) -> KeyArray? {
    matchKeys(with: child, log)
    if let own = counterpart(of: object), own.hasChanges, let slot = own.layout.slot(key) {
      if own.state.contains(.deleted) { return KeyArray.empty }
      let state = own.relations?.states[slot.relationIndex] as? ToManyState
      if let state, state.hasChanges {
        child.noteHome(homeStore(of: own), of: object)
        return own.packedKeys(slot, state)
      }
      if own.state.contains(.hasNoRow) { return KeyArray.empty }
    }
    return nil
  }

  /// The object that this context has registered for one of a child's.
  final func counterpart(of object: NSManagedObject) -> NSManagedObject? {
    let store = object.table?.store
    for family in families where family.store === store {
      return family.known(object.layout.rootNumber)?.object(object.key)
    }
    return nil
  }

  /// Remembers the store that a temporary object's permanent members are in; with one store it is that.
  final func noteHome(_ store: NSPersistentStore?, of object: NSManagedObject) {
    guard object.key < 0, let store, (persistentStoreCoordinator?.persistentStores.count ?? 0) > 1 else { return }
    nestedKeys.homes[object.key] = store
  }

  /// The objects among `objects` that some context above has changed.
  final func changedAbove(_ objects: ContiguousArray<NSManagedObject>) -> Set<NSManagedObject> {
    guard ancestorsHaveChanges else { return [] }
    return insideAncestors {
      var found: Set<NSManagedObject> = []
      var level = parentContext
      while let context = level {
        for object in objects where context.counterpart(of: object)?.hasChanges == true { found.insert(object) }
        level = context.parentContext
      }
      return found
    }
  }
}
