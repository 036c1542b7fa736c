import Foundation
import OpenCocoaFoundation
import Synchronization

// The classes of the types of store.
extension NSPersistentStoreCoordinator {
  private static let storeClasses = Mutex(EngineParts.own.storeClasses)

  /// Registers the subclass of `NSAtomicStore` or `NSIncrementalStore` for stores of a type; nil removes the registration.
  ///
  /// A class that is a subclass of neither stops the program.
  public class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
    guard let storeClass else { return storeClasses.withLock { $0[storeType] = nil } }
    guard let known = storeClass as? NSPersistentStore.Type else {
      raise(.invalidArgument, "Store classes must be subclasses of NSAtomicStore or NSIncrementalStore: \(storeClass)")
    }
    storeClasses.withLock { $0[storeType] = known }
  }

  /// The class of each type.
  ///
  /// Differs from Apple (D-STO-04): classes, and not NSValues of them, which Foundation does not have here.
  public class var registeredStoreTypes: [String: NSPersistentStore.Type] { storeClasses.withLock { $0 } }

  /// - Throws: 134000 for a type that no class is registered for.
  final class func storeClass(forType type: String) throws -> NSPersistentStore.Type {
    let (known, all) = storeClasses.withLock { ($0[type], $0.keys.sorted()) }
    if let known { return known }
    throw NSError(
      coreData: NSPersistentStoreInvalidTypeError,
      "There is no store of type '\(type)'; the registered types are \(all.joined(separator: ", ")).")
  }
}
