import Foundation
import OpenCocoaFoundation

// The list of objects with changes.
extension NSManagedObjectContext {
  /// Notes that `object` has changes, and keeps it alive until they are saved or dropped.
  final func list(_ object: NSManagedObject) {
    guard !object.state.contains(.listed) else { return }
    object.state.insert(.listed)
    changed.append(object)
  }

  /// Notes that the object has no changes any more.
  final func delist(_ object: NSManagedObject) {
    guard object.state.contains(.listed) else { return }
    object.state.subtract(.recorded)
    changed.remove(object)
  }
}
