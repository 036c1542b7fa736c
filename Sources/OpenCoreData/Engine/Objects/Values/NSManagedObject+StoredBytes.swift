import Foundation
import OpenCocoaFoundation

extension NSManagedObject {
  /// Sets the bytes that a store keeps for a transformable attribute: a save writes them as they are.
  ///
  /// For programs that carry over values whose classes they do not have. Any other key stops the program.
  package final func setStoredBytes(_ bytes: Data, forKey key: String) {
    guard let slot = layout.slot(named: key), slot.kind == .transformable else {
      raise(.invalidArgument, "\(layout.name) has no transformable attribute '\(key)'.")
    }
    setValue(.data(bytes), slot)
  }
}
