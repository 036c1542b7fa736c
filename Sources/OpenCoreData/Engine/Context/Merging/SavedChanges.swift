import Foundation

/// The object IDs that a save has inserted, updated and deleted, as one context tells others.
package struct SavedChanges: Sendable {
  package var inserted: [NSManagedObjectID] = []
  package var updated: [NSManagedObjectID] = []
  package var deleted: [NSManagedObjectID] = []
  /// Those of `inserted` that a child has pushed, and that its parent has changed since.
  var altered: Set<NSManagedObjectID> = []
  /// Whether all objects of the context have to be refreshed.
  package var isEverything = false
  /// Whether another program has saved the changes, so that the store may not know yet that rows of its cache are out of
  /// date.
  package var isForeign = false

  package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && !isEverything }

  /// Makes an empty list of changes.
  package init() {}

  init(_ saved: SavedObjects) {
    var maker = ObjectIDMaker()
    inserted = saved.inserted.map { maker.id(of: $0) }
    updated = saved.updated.map { maker.id(of: $0) }
    deleted = saved.deleted.map { maker.id(of: $0) }
  }

  /// Adds what an event has changed.
  mutating func note(_ changes: ContextChanges) {
    var maker = ObjectIDMaker()
    inserted += changes.inserted.map { maker.id(of: $0) }
    updated += changes.updated.union(changes.refreshed).map { maker.id(of: $0) }
    deleted += changes.deleted.map { maker.id(of: $0) }
  }

  /// - Parameter userInfo: the user info of a notification about a save or about the history, or a dictionary like it:
  ///   sets or arrays of objects, IDs or URIs.
  /// - Parameter identifier: turns a URI into an ID; URIs for which it gives nil are left out.
  init(_ userInfo: [AnyHashable: Any]?, _ identifier: (URL) -> NSManagedObjectID?) {
    func all(_ keys: String...) -> [NSManagedObjectID] {
      keys.flatMap { key in
        Self.elements(userInfo?[key]).compactMap { element in
          switch element {
          case let object as NSManagedObject: object.objectID
          case let id as NSManagedObjectID: id
          case let uri as URL: identifier(uri)
          case let uri as NSURL: identifier(uri as URL)
          default: nil
          }
        }
      }
    }
    inserted = all(NSInsertedObjectsKey, NSInsertedObjectIDsKey)
    updated = all(
      NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, NSRefreshedObjectsKey, NSRefreshedObjectIDsKey,
      NSInvalidatedObjectsKey, NSInvalidatedObjectIDsKey)
    deleted = all(NSDeletedObjectsKey, NSDeletedObjectIDsKey)
    isEverything = userInfo?[NSInvalidatedAllObjectsKey] != nil
  }

  private static func elements(_ value: Any?) -> [Any] {
    switch value {
    case let set as Set<NSManagedObject>: Array(set)
    case let set as Set<NSManagedObjectID>: Array(set)
    case let set as Set<URL>: Array(set)
    case let set as NSSet: set.allObjects
    case let set as Set<AnyHashable>: Array(set)
    case let array as [Any]: array
    case let array as NSArray: array.map { $0 }
    default: []
    }
  }

  /// Adds the changes of a later save: objects that it has inserted again do not count as deleted, objects that it has
  /// deleted do not count as inserted or updated.
  mutating func append(_ later: SavedChanges) {
    if !deleted.isEmpty, !later.inserted.isEmpty {
      let returned = Set(later.inserted)
      deleted.removeAll(where: returned.contains)
    }
    if !later.deleted.isEmpty {
      let gone = Set(later.deleted)
      inserted.removeAll(where: gone.contains)
      updated.removeAll(where: gone.contains)
    }
    inserted += later.inserted
    updated += later.updated
    deleted += later.deleted
    altered.formUnion(later.altered)
    isEverything = isEverything || later.isEverything
    isForeign = isForeign || later.isForeign
  }
}

extension SavedChanges {
  /// The changes with the IDs of the context's own stores, each ID once, without IDs of other stores; and whether some
  /// IDs came from another coordinator.
  func inLocalTerms(
    of context: NSManagedObjectContext, _ stores: [NSPersistentStore]
  ) -> (changes: SavedChanges, comesFromElsewhere: Bool) {
    var comesFromElsewhere = false
    func local(_ id: NSManagedObjectID) -> NSManagedObjectID? {
      if id.isTemporaryID || stores.contains(where: { $0 === id.persistentStore }) { return id }
      comesFromElsewhere = true
      return context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: id.uriRepresentation())
    }
    func once(_ ids: [NSManagedObjectID]) -> [NSManagedObjectID] {
      var seen = Set<NSManagedObjectID>(minimumCapacity: ids.count)
      let known = ids.compactMap(local).filter { seen.insert($0).inserted }
      if known.count < 64 { return known }
      // The IDs came from sets, in no order. In the order of their keys, the objects and rows lie one after the other in
      // memory.
      var keyed = known.map { (key: $0.key, id: $0) }
      keyed.sort { $0.key < $1.key }
      return keyed.map(\.id)
    }
    var result = self
    result.deleted = once(deleted)
    result.inserted = once(inserted)
    result.updated = once(updated)
    return (result, comesFromElsewhere)
  }
}
