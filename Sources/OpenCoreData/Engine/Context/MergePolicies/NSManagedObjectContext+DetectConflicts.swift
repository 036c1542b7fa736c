import Foundation
import OpenCocoaFoundation

extension NSManagedObjectContext {
  final func baseDetectConflicts(for object: NSManagedObject) {
    checkQueue()
    guard object.table?.context === self else {
      raise(.invalidArgument, "An NSManagedObjectContext cannot detect conflicts for objects in other contexts.")
    }
    guarded.insert(object)
  }

  /// The objects that are to be looked at and are not written, by store.
  final var guardedObjects: [(store: NSPersistentStore, objects: ContiguousArray<NSManagedObject>)] {
    var result: [(store: NSPersistentStore, objects: ContiguousArray<NSManagedObject>)] = []
    for object in guarded where object.snapshot != nil && !object.hasChanges {
      guard let store = object.table?.store else { continue }
      if let place = result.firstIndex(where: { $0.store === store }) {
        result[place].objects.append(object)
      } else {
        result.append((store, [object]))
      }
    }
    return result
  }
}
