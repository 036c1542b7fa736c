import Foundation
import OpenCocoaFoundation
import Synchronization

/// How a context and the other contexts of its tree learn that an object has got its permanent key, in whichever context
/// that happened. For the context's queue.
struct KeyExchange {
  let context: NSManagedObjectContext

  @inline(__always)
  init(of context: NSManagedObjectContext) { self.context = context }

  /// Re-registers an object under its permanent key, and tells the other contexts of the tree.
  func give(_ key: Int64, to object: NSManagedObject, in store: NSPersistentStore) {
    if !isAlone {
      Ancestors(of: context).root.nesting.permanentKeys.add(
        PermanentKeys.Entry(
          temporary: object.key, permanent: key, rootNumber: object.layout.rootNumber, store: store))
    }
    context.nestedKeys.forgetHome(of: object.key)
    context.objects.move(object, to: store, key: key)
  }

  /// The same for objects that were inserted together, as far as they have no permanent keys yet.
  func give(
    _ keys: ContiguousArray<Int64>, to objects: ContiguousArray<NSManagedObject>, in store: NSPersistentStore
  ) {
    if let first = objects.first, let old = first.table, isAlone, !context.nestedKeys.hasHomes {
      let isOfOneKind = objects.allSatisfy { object in
        object.key < 0 && object.table === old && object.layout.rootNumber == first.layout.rootNumber
          && !object.state.contains(.refreshed)
      }
      if isOfOneKind {
        old.remove(objects)
        return context.objects.table(for: first.layout, store: store).register(objects, keys)
      }
    }
    for (index, object) in objects.enumerated() where object.key < 0 {
      give(keys[index], to: object, in: store)
    }
  }

  /// Whether no other context has to be told of keys.
  private var isAlone: Bool { context.parentContext == nil && context.nesting.children.load(ordering: .relaxed) == 0 }

  /// Takes over the permanent keys that objects of the tree have got since the last time.
  /// - Returns: the keys that are new to the context.
  @inline(__always)
  @discardableResult
  func absorb() -> ContiguousArray<PermanentKeys.Entry> {
    if isAlone { return [] }
    let log = Ancestors(of: context).root.nesting.permanentKeys
    return absorb(log, upTo: log.count)
  }

  /// Makes sure that this context and `child`, which waits for it, know the same keys.
  /// - Parameter log: the log of the context at the top, if the caller knows it already.
  func match(with child: NSManagedObjectContext, _ log: PermanentKeys? = nil) {
    let log = log ?? Ancestors(of: context).root.nesting.permanentKeys
    let count = log.count
    absorb(log, upTo: count)
    KeyExchange(of: child).absorb(log, upTo: count)
  }

  /// Takes over the keys of the log of the context at the top.
  @discardableResult
  func absorb(_ log: PermanentKeys, upTo end: Int) -> ContiguousArray<PermanentKeys.Entry> {
    if context.nestedKeys.log !== log { change(to: log) }
    return context.nestedKeys.seen < end ? take(log, upTo: end) : []
  }

  /// Changes to another log: the context at the top is another one since a context between has got another parent.
  private func change(to log: PermanentKeys) {
    // The context at the top gives the keys itself, so entries need not be kept for it.
    context.nestedKeys.follow(log, by: context, from: context.parentContext == nil ? 0 : nil)
    for map in context.identityMaps.all { map.follow(log) }
  }

  private func take(_ log: PermanentKeys, upTo end: Int) -> ContiguousArray<PermanentKeys.Entry> {
    let entries = log.read(from: context.nestedKeys.seen, to: end, by: context)
    context.nestedKeys.see(upTo: end)
    if let new = context.identityMaps.family(of: nil) {
      for entry in entries {
        context.nestedKeys.forgetHome(of: entry.temporary)
        guard let object = new.known(entry.rootNumber)?.object(entry.temporary) else { continue }
        context.objects.move(object, to: entry.store, key: entry.permanent)
      }
    }
    replaceTemporaryKeys(entries)
    return entries
  }

  /// Replaces the temporary keys that rows and relationships name by permanent ones.
  private func replaceTemporaryKeys(_ entries: ContiguousArray<PermanentKeys.Entry>) {
    if !context.nestedKeys.hasHolders || entries.isEmpty { return }
    let known = entries.byTemporaryKey
    for (table, key) in context.nestedKeys.takeHolders() {
      var object = table.object(key)
      if object == nil, let entry = known[key] {
        object = context.objects.tables(for: entry.store, model: table.model).table(entry.rootNumber).object(
          entry.permanent)
      }
      guard let object, object.state.contains(.holdsTemporaryKeys) else { continue }
      object.state.remove(.holdsTemporaryKeys)
      if object.replaceTemporaryKeys(known) { noteTemporaryKeys(of: object) }
    }
  }

  /// Notes that an object's row or relationships name objects that have temporary keys.
  func noteTemporaryKeys(of object: NSManagedObject) {
    guard !object.state.contains(.holdsTemporaryKeys), let table = object.table else { return }
    object.state.insert(.holdsTemporaryKeys)
    context.nestedKeys.noteHolder(object.key, in: table)
  }

  /// The permanent key that a temporary key has been replaced by.
  func permanentKey(of temporary: Int64) -> PermanentKeys.Entry? {
    if isAlone { return nil }
    return Ancestors(of: context).root.nesting.permanentKeys.entry(of: temporary)
  }
}

extension ContiguousArray<PermanentKeys.Entry> {
  var byTemporaryKey: [Int64: PermanentKeys.Entry] {
    Dictionary(lazy.map { ($0.temporary, $0) }, uniquingKeysWith: { $1 })
  }
}
