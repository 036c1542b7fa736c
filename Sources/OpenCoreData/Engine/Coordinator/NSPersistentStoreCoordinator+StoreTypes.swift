import Foundation
import OpenCocoaFoundation

// What takes a kind of store, for code that does not use the names of the kinds.
extension NSPersistentStoreCoordinator {
  /// Says which class stores of a type are made of, as `registerStoreClass(_:forStoreType:)` does.
  public class func registerStoreClass(_ storeClass: AnyClass?, type: NSPersistentStore.StoreType) {
    registerStoreClass(storeClass, forStoreType: type.rawValue)
  }
}
