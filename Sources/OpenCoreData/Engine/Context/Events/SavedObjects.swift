import Foundation

/// The objects of one save by what was done with them.
struct SavedObjects {
  var inserted: Set<NSManagedObject> = []
  var updated: Set<NSManagedObject> = []
  var deleted: Set<NSManagedObject> = []

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
        (inserted, updated, deleted) = (told.inserted, told.updated, told.deleted)
        return
      }
      inserted = Set(work.inserted)
      updated = Set(work.updated)
      deleted = Set(work.deleted)
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
    for object in objects where result.updated.remove(object) != nil { result.inserted.insert(object) }
    return result
  }

  static func identifiers(_ objects: Set<NSManagedObject>) -> Set<NSManagedObjectID> {
    var result = Set<NSManagedObjectID>(minimumCapacity: objects.count)
    var maker = ObjectIDMaker()
    for object in objects { result.insert(maker.id(of: object)) }
    return result
  }
}
