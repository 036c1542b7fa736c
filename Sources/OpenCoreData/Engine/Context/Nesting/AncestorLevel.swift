import Foundation
import OpenCocoaFoundation

/// The answers of one context to a child, or to a context further below, that is inside of it.
struct AncestorLevel {
  private let context: NSManagedObjectContext

  init(_ context: NSManagedObjectContext) { self.context = context }

  /// The row of an object as a context, or one above it, has it.
  enum Row {
    case row(Snapshot)
    /// The object is deleted in that context.
    case gone
    /// No context above has changed the object.
    case unchanged
  }

  /// Called inside of this context, for a child's object; nil if the context has not changed it.
  func row(
    for object: NSManagedObject, of child: NSManagedObjectContext, _ log: PermanentKeys
  ) -> Row? {
    KeyExchange(of: context).match(with: child, log)
    if let own = counterpart(of: object), own.hasChanges {
      if own.state.contains(.deleted) { return .gone }
      if own.rowReference != nil || own.state.contains(.hasNoRow) {
        KeyExchange(of: child).noteHome(KeyExchange(of: context).homeStore(of: own), of: object)
        var scratch = SnapshotScratch(slots: own.layout.slotCount)
        return .row(own.packedRow(&scratch))
      }
    }
    return nil
  }

  /// Called inside of this context, for a child's object; nil if the context has not changed the relationship.
  func keys(
    for object: NSManagedObject, _ key: _PropertyKey, of child: NSManagedObjectContext, _ log: PermanentKeys
  ) -> KeyArray? {
    KeyExchange(of: context).match(with: child, log)
    if let own = counterpart(of: object), own.hasChanges || own.relations != nil, let slot = own.layout.slot(key) {
      if own.state.contains(.deleted) { return KeyArray.empty }
      let state = own.relations?.states[slot.relationIndex] as? ToManyState
      if let state, state.hasChanges {
        KeyExchange(of: child).noteHome(KeyExchange(of: context).homeStore(of: own), of: object)
        return own.packedKeys(slot, state)
      }
      if own.state.contains(.hasNoRow) { return KeyArray.empty }
    }
    return nil
  }

  /// The object of this context that stands for the same row as a child's object, if it is registered.
  func counterpart(of object: NSManagedObject) -> NSManagedObject? {
    let store = object.table?.store
    return context.identityMaps.family(of: store)?.known(object.layout.rootNumber)?.object(object.key)
  }
}
