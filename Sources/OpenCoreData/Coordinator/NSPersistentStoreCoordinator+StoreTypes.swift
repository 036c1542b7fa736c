import Foundation
import OpenCocoaFoundation

// What takes a kind of store, for code that does not use the names of the kinds.
extension NSPersistentStoreCoordinator {
  /// Opens a store, or creates it, as `addPersistentStore(ofType:configurationName:at:options:)` does.
  @discardableResult
  public final func addPersistentStore(
    type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
  }

  /// Says which class stores of a type are made of, as `registerStoreClass(_:forStoreType:)` does.
  public class func registerStoreClass(_ storeClass: AnyClass?, type: NSPersistentStore.StoreType) {
    registerStoreClass(storeClass, forStoreType: type.rawValue)
  }
}
