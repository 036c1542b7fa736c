import Foundation
import OpenCocoaFoundation

// How a child context reads: from the nearest context above that has changed the object, without registering the object
// in the contexts between; and if none has changed it, from the store, without asking any of them.
extension Ancestors {
  /// The present row of a child's object; nil when there is none.
  /// - Parameter isFiring: as for `FaultReader.rowNow(_:isFiring:)`.
  func rowNow(_ object: NSManagedObject, isFiring: Bool = false) throws -> Snapshot? {
    if context.parentContext == nil { return nil }
    if haveChanges {
      let pulled = firstAnswer { AncestorLevel($0).row(for: object, of: context, $1) } ?? .unchanged
      let row = settledRow(pulled, object)
      if case .unchanged = pulled {} else { return row }
    } else {
      KeyExchange(of: context).absorb()
    }
    guard let store = object.table?.store, object.key > 0 else { return nil }
    try prepareToRead(store)
    return try FaultReader(of: context).storedRow(object, isFiring: isFiring)
  }

  /// Takes over a row, and replaces temporary keys in it that have become permanent since it was packed.
  private func settledRow(_ pulled: AncestorLevel.Row, _ object: NSManagedObject) -> Snapshot? {
    let new = KeyExchange(of: context).absorb()
    guard case .row(var row) = pulled, row.fits(object) else { return nil }
    guard row.commit == 0, row.hasTemporaryKeys else { return row }
    if !new.isEmpty, let replaced = row.replacingTemporaryKeys(new.byTemporaryKey) { row = replaced.row }
    KeyExchange(of: context).noteTemporaryKeys(of: object)
    return row
  }

  /// Asks the contexts above, each from inside of it, as long as some context further up has changes.
  /// - Parameter ask: asks one context; it is also given the log of the context at the top.
  private func firstAnswer<Answer>(_ ask: (NSManagedObjectContext, PermanentKeys) -> Answer?) -> Answer? {
    let log = root.nesting.permanentKeys
    var highest = highestChanged
    guard let parent = context.parentContext else { return nil }
    return Ancestors(of: parent).ascend(obeysOverrides: true) { above -> Answer?? in
      if let answer = ask(above, log) { return .some(answer) }
      // The context's changes may have been saved into the next one meanwhile.
      if highest == nil || above === highest { highest = Ancestors(of: above).highestChanged }
      return highest == nil ? .some(nil) : nil
    } ?? nil
  }

  /// The present keys of a child's to-many relationship; nil if no context above has changed them, so that the store has
  /// them.
  func keysNow(of object: NSManagedObject, _ slot: PropertySlot) throws -> KeyArray? {
    if context.parentContext == nil { return nil }
    guard haveChanges else {
      KeyExchange(of: context).absorb()
      return try storeAnswers(for: object) ? nil : KeyArray.empty
    }
    let pulled = firstAnswer { AncestorLevel($0).keys(for: object, slot.key, of: context, $1) }
    let new = KeyExchange(of: context).absorb()
    guard var pulled else { return try storeAnswers(for: object) ? nil : KeyArray.empty }
    guard pulled.hasTemporaryKeys else { return pulled }
    if !new.isEmpty {
      pulled = pulled.replacingTemporaryKeys(
        new.byTemporaryKey, isOrdered: slot.isOrdered, object.layout.entity.managedObjectModel)
    }
    KeyExchange(of: context).noteTemporaryKeys(of: object)
    return pulled
  }

  /// Whether a store has the object; the store is then ready to be read.
  private func storeAnswers(for object: NSManagedObject) throws -> Bool {
    guard object.key > 0, let store = object.table?.store else { return false }
    try prepareToRead(store)
    return true
  }

  /// The objects among `objects` that some context above has changed.
  func changed(among objects: ContiguousArray<NSManagedObject>) -> Set<NSManagedObject> {
    guard haveChanges else { return [] }
    return inside {
      var found: Set<NSManagedObject> = []
      var level = context.parentContext
      while let above = level {
        let known = AncestorLevel(above)
        for object in objects where known.counterpart(of: object)?.hasChanges == true { found.insert(object) }
        level = above.parentContext
      }
      return found
    }
  }
}
