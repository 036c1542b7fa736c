import Foundation

/// The objects of one save by what was done with them.
struct SavedObjects {
  var inserted: Set<NSManagedObject> = []
  var updated: Set<NSManagedObject> = []
  var deleted: Set<NSManagedObject> = []
  /// The work of the save, if its objects are those of the sets: in its order they lie beside each other in memory.
  private(set) var work: SaveWork?

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  /// Sorts objects that are about to be saved.
  init(_ changed: ChangedObjects) {
    for object in changed {
      if object.state.contains(.deleted) {
        // A deleted object that never had a row, or has none any more, is not reported: it just leaves the context.
        if object.state.isDisjoint(with: [.inserted, .inaccessible]) { deleted.insert(object) }
      } else if object.state.contains(.inserted) {
        inserted.insert(object)
      } else {
        updated.insert(object)
      }
    }
  }

  /// The objects written to the stores. An object that was merged and written again may be in several works.
  /// - Parameter told: the changes of all objects that an event has reported, of which the objects here are a part. If it
  ///   has as many objects of each kind, they are the same objects.
  init(_ written: [SaveWork] = [], told: ContextChanges? = nil) {
    if written.count == 1, let work = written.first {
      if let told, told.inserted.count == work.inserted.count, told.updated.count == work.updated.count,
        told.deleted.count == work.deleted.count
      {
        (inserted, updated, deleted, self.work) = (told.inserted, told.updated, told.deleted, work)
        return
      }
      inserted = Set(work.inserted)
      updated = Set(work.updated)
      deleted = Set(work.deleted)
      self.work = work
      return
    }
    for work in written {
      inserted.formUnion(work.inserted)
      updated.formUnion(work.updated)
      deleted.formUnion(work.deleted)
    }
    updated.subtract(inserted)
  }

  /// The same objects, with those of `objects` that were updated among the inserted ones.
  func telling(asInserted objects: [NSManagedObject]) -> SavedObjects {
    var result = self
    result.work = nil
    for object in objects where result.updated.remove(object) != nil { result.inserted.insert(object) }
    return result
  }

  /// The IDs of one of the sets.
  /// - Parameter list: the same objects in the order of the save. A set has them in the order of hashes, so that of many
  ///   objects each would be fetched from memory by itself.
  static func identifiers(
    _ objects: Set<NSManagedObject>, listed list: ContiguousArray<NSManagedObject>? = nil
  ) -> Set<NSManagedObjectID> {
    var result = Set<NSManagedObjectID>(minimumCapacity: objects.count)
    var maker = ObjectIDMaker()
    if let list, list.count == objects.count {
      for object in list { result.insert(maker.id(of: object)) }
    } else {
      for object in objects { result.insert(maker.id(of: object)) }
    }
    return result
  }
}
