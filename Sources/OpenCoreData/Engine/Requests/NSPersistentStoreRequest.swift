import Foundation

/// Something that a context asks of its stores: a fetch, a save or a batch operation.
open class NSPersistentStoreRequest: NSObject, NSCopying {
  /// The stores of `affectedStores`. Requests do not name the class of stores, so that models, which keep requests, do
  /// not depend on it.
  var storesToAsk: [AnyObject]?

  /// The kind of request.
  open var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// A request of the same class that asks for the same; each can be changed without the other.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentStoreRequest()
    copy.storesToAsk = storesToAsk
    return copy
  }
}

/// The kinds of requests.
public enum NSPersistentStoreRequestType: UInt, Sendable {
  /// An `NSFetchRequest`.
  case fetchRequestType = 1
  /// An `NSSaveChangesRequest`.
  case saveRequestType = 2
  /// A batch insert.
  case batchInsertRequestType = 5
  /// An `NSBatchUpdateRequest`.
  case batchUpdateRequestType = 6
  /// A batch delete.
  case batchDeleteRequestType = 7
}

/// The result of `NSManagedObjectContext.execute(_:)`.
open class NSPersistentStoreResult: NSObject {}

/// A type that a fetch may return: managed objects, object IDs, dictionaries, numbers.
public protocol NSFetchRequestResult {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
/// Not on Apple's systems, where an NSDictionary is one by itself: so that results can be cast, and asked for as such.
extension Dictionary: NSFetchRequestResult where Key == String, Value == Any {}

/// The kind of results of a fetch.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  /// Apple's number for it.
  public let rawValue: UInt

  /// The result type of that number.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Objects.
  public static let managedObjectResultType = NSFetchRequestResultType([])
  /// Their IDs.
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
  /// Dictionaries of some of their values.
  public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
  /// Their number.
  public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}
