import Foundation
import OpenCocoaFoundation

/// The objects of a context that a merge has changed.
struct MergedChanges {
  var inserted: [NSManagedObject] = []
  var deleted: Set<NSManagedObject> = []
  var refreshed: Set<NSManagedObjectID> = []
  /// Those whose rows others had deleted and have made again; they are refreshed, not inserted.
  var returned: Set<NSManagedObjectID> = []

  func userInfo(_ changes: SavedChanges) -> [AnyHashable: Any] {
    var info: [AnyHashable: Any] = [:]
    if !changes.inserted.isEmpty { info[NSInsertedObjectIDsKey] = Set(changes.inserted) }
    if !changes.updated.isEmpty { info[NSUpdatedObjectIDsKey] = Set(changes.updated) }
    if !changes.deleted.isEmpty { info[NSDeletedObjectIDsKey] = Set(changes.deleted) }
    if !refreshed.isEmpty { info[NSRefreshedObjectIDsKey] = refreshed }
    return info
  }
}
