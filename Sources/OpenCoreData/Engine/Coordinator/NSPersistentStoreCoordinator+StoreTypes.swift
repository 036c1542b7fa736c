import Foundation
import OpenCocoaFoundation

// Methods that take a `StoreType` in place of a type's name.
extension NSPersistentStoreCoordinator {
  /// Registers the class for stores of a type, as `registerStoreClass(_:forStoreType:)` does.
  public class func registerStoreClass(_ storeClass: AnyClass?, type: NSPersistentStore.StoreType) {
    registerStoreClass(storeClass, forStoreType: type.rawValue)
  }
}
