import Foundation
import OpenCocoaFoundation

extension NSManagedObjectContext {
  /// Has the next save look whether others have changed the object's row, although it is not changed here.
  ///
  /// A calculation that depends on an object which it does not change is saved only if that object still is what it was.
  /// The context keeps the object until a save succeeds. Objects that are changed or deleted are looked at anyway; one
  /// whose values have not been read cannot be out of date.
  public final func detectConflicts(for object: NSManagedObject) {
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
