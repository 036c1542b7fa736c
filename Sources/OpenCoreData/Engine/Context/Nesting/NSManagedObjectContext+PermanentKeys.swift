import Foundation
import OpenCocoaFoundation
import Synchronization

// How the contexts of a tree learn that an object has got its permanent key, wherever that happened.
extension NSManagedObjectContext {
  /// Re-registers an object under its permanent key, and lets the other contexts of the tree know.
  final func givePermanentKey(_ key: Int64, to object: NSManagedObject, in store: NSPersistentStore) {
    if !isAlone {
      rootContext.nesting.permanentKeys.add(
        PermanentKeys.Entry(
          temporary: object.key, permanent: key, rootNumber: object.layout.rootNumber, store: store))
    }
    if !nestedKeys.homes.isEmpty { nestedKeys.homes[object.key] = nil }
    move(object, to: store, key: key)
  }

  /// The same for objects that were inserted together, as far as they have no permanent keys yet.
  final func givePermanentKeys(
    _ keys: ContiguousArray<Int64>, to objects: ContiguousArray<NSManagedObject>, in store: NSPersistentStore
  ) {
    if let first = objects.first, let old = first.table, isAlone, nestedKeys.homes.isEmpty {
      let isOfOneKind = objects.allSatisfy { object in
        object.key < 0 && object.table === old && object.layout.rootNumber == first.layout.rootNumber
          && !object.state.contains(.refreshed)
      }
      if isOfOneKind {
        old.remove(objects)
        return table(for: first.layout, store: store).register(objects, keys)
      }
    }
    for (index, object) in objects.enumerated() where object.key < 0 {
      givePermanentKey(keys[index], to: object, in: store)
    }
  }

  /// Whether no other context has to be told of keys.
  private final var isAlone: Bool { parentContext == nil && nesting.children.load(ordering: .relaxed) == 0 }

  /// Takes over the permanent keys that objects of the tree have got since the last time.
  /// - Returns: these.
  @inline(__always)
  @discardableResult
  final func absorbPermanentKeys() -> ContiguousArray<PermanentKeys.Entry> {
    if isAlone { return [] }
    let log = rootContext.nesting.permanentKeys
    return absorb(log, upTo: log.count)
  }

  /// Makes this context and `child`, which waits for it, know the same keys.
  /// - Parameter log: that of the context at the top, where the caller has looked for it.
  final func matchKeys(with child: NSManagedObjectContext, _ log: PermanentKeys? = nil) {
    let log = log ?? rootContext.nesting.permanentKeys
    let count = log.count
    absorb(log, upTo: count)
    child.absorb(log, upTo: count)
  }

  /// Takes over the keys of the log of the context at the top.
  @discardableResult
  final func absorb(_ log: PermanentKeys, upTo end: Int) -> ContiguousArray<PermanentKeys.Entry> {
    if nestedKeys.log !== log { change(to: log) }
    return nestedKeys.seen < end ? take(log, upTo: end) : []
  }

  /// The context at the top is another: a context between has got another parent.
  private final func change(to log: PermanentKeys) {
    nestedKeys.log?.leave(self)
    nestedKeys.log = log
    // The one at the top gives the keys, and need not be waited for.
    nestedKeys.seen = parentContext == nil ? 0 : log.join(self, knowsAll: false)
  }

  private final func take(_ log: PermanentKeys, upTo end: Int) -> ContiguousArray<PermanentKeys.Entry> {
    let entries = log.read(from: nestedKeys.seen, to: end, by: self)
    nestedKeys.seen = end
    if let new = families.first(where: { $0.store == nil }) {
      for entry in entries {
        nestedKeys.homes[entry.temporary] = nil
        guard let object = new.known(entry.rootNumber)?.object(entry.temporary) else { continue }
        move(object, to: entry.store, key: entry.permanent)
      }
    }
    replaceTemporaryKeys(entries)
    return entries
  }

  /// Puts the permanent keys in the place of the temporary ones that rows and relationships name.
  private final func replaceTemporaryKeys(_ entries: ContiguousArray<PermanentKeys.Entry>) {
    if nestedKeys.holders.isEmpty || entries.isEmpty { return }
    let known = entries.byTemporaryKey
    let holders = nestedKeys.holders
    nestedKeys.holders = []
    for (table, key) in holders {
      var object = table.object(key)
      if object == nil, let entry = known[key] {
        object = tables(for: entry.store, model: table.model).table(entry.rootNumber).object(entry.permanent)
      }
      guard let object, object.state.contains(.holdsTemporaryKeys) else { continue }
      object.state.remove(.holdsTemporaryKeys)
      if object.replaceTemporaryKeys(known) { noteTemporaryKeys(of: object) }
    }
  }

  /// Remembers that an object's row or relationships name objects that have temporary keys.
  final func noteTemporaryKeys(of object: NSManagedObject) {
    guard !object.state.contains(.holdsTemporaryKeys), let table = object.table else { return }
    object.state.insert(.holdsTemporaryKeys)
    nestedKeys.holders.append((table, object.key))
  }

  /// The permanent key that a temporary key has been replaced by.
  final func permanentKey(of temporary: Int64) -> PermanentKeys.Entry? {
    if isAlone { return nil }
    return rootContext.nesting.permanentKeys.entry(of: temporary)
  }
}

extension ContiguousArray<PermanentKeys.Entry> {
  var byTemporaryKey: [Int64: PermanentKeys.Entry] {
    Dictionary(lazy.map { ($0.temporary, $0) }, uniquingKeysWith: { $1 })
  }
}
