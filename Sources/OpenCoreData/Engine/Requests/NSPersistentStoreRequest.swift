import Foundation

/// A task that a context gives to its stores: a fetch, a save or a batch operation. Use its subclasses.
///
/// ``affectedStores`` limits a request to some of a coordinator's stores.
open class NSPersistentStoreRequest: NSObject, NSCopying {
  /// The stores that `affectedStores` keeps.
  var storesToAsk: [AnyObject]?

  /// The stores that execute the request; nil for all stores of the coordinator. A subclass may override it.
  open var affectedStores: [NSPersistentStore]? {
    get { storesToAsk as? [NSPersistentStore] }
    set { storesToAsk = newValue }
  }

  /// The kind of request, by which an incremental store of yours tells them apart.
  open var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// A copy of the request, of the same class and with the same settings; each can be changed without the other.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentStoreRequest()
    copy.storesToAsk = affectedStores
    return copy
  }
}

/// The kinds of requests that an incremental store is handed, and the kinds that only SQLite's and a server's stores get.
public enum NSPersistentStoreRequestType: UInt, Sendable {
  /// An `NSFetchRequest`.
  case fetchRequestType = 1
  /// An `NSSaveChangesRequest`: what a save hands to an incremental store.
  case saveRequestType = 2
  /// An `NSBatchInsertRequest`.
  case batchInsertRequestType = 5
  /// An `NSBatchUpdateRequest`.
  case batchUpdateRequestType = 6
  /// An `NSBatchDeleteRequest`.
  case batchDeleteRequestType = 7
}

/// The result of ``NSManagedObjectContext/execute(_:)``; cast it to the class of the request's own result.
open class NSPersistentStoreResult: NSObject {}

/// A type that a fetch may return: managed objects, object IDs, dictionaries, numbers.
///
/// Code of Apple's platforms writes `NSFetchRequest<NSFetchRequestResult>` where the type is not known; the same works
/// here. Classes of your own need not conform: subclasses of `NSManagedObject` do.
///
/// ```swift
/// let request: NSFetchRequest<NSFetchRequestResult> = Tag.fetchRequest()
/// print(try context.fetch(request).count)  // 2
/// ```
///
/// Differs from Apple (D-FET-17): the protocol exists for the compiler alone, so that it conforms to itself and
/// `NSFetchRequest<NSFetchRequestResult>` compiles as it does with Objective-C. `as? NSFetchRequestResult` and `is` are
/// errors for it. A Swift dictionary of strings conforms, too (D-FET-09).
@_marker public protocol NSFetchRequestResult {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
/// Apple's systems do not have this, since an NSDictionary conforms there: it allows to cast results, and to ask for
/// dictionaries.
extension Dictionary: NSFetchRequestResult where Key == String, Value == Any {}

/// The kind of results of a fetch, for ``NSFetchRequest/resultType``.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  /// Apple's number for the result type.
  public let rawValue: UInt

  /// The result type of that number.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Objects, which a context keeps, can change and save. The default.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Tag>(entityName: "Tag")
  /// print(request.resultType == .managedObjectResultType, try context.fetch(request).count)  // true 2
  /// ```
  public static let managedObjectResultType = NSFetchRequestResultType([])
  /// The IDs of the objects, for another queue, or for a batch delete. With ``NSFetchRequest/includesPropertyValues``
  /// at its default, true, the rows are read into the cache all the same, so that faults of these IDs need no
  /// statement; false reads keys alone.
  ///
  /// ```swift
  /// let request = NSFetchRequest<NSManagedObjectID>(entityName: "Tag")
  /// request.resultType = .managedObjectIDResultType
  /// request.includesPropertyValues = false  // keys alone
  /// print(try context.fetch(request).allSatisfy { !$0.isTemporaryID })  // true
  /// ```
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
  /// Dictionaries of some values of the rows: NSDictionary, or `[String: Any]` where the request's type says so
  /// (D-FET-09).
  ///
  /// For lists, statistics and exports: no objects, nothing in the row cache, and only the columns of
  /// ``NSFetchRequest/propertiesToFetch``. They show what is in the store; unsaved changes are not in them.
  ///
  /// ```swift
  /// let request = NSFetchRequest<[String: Any]>(entityName: "Tag")
  /// request.resultType = .dictionaryResultType
  /// request.propertiesToFetch = ["name"]
  /// request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
  /// print(try context.fetch(request).compactMap { $0["name"] as? String })  // ["swift", "work"]
  /// ```
  public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
  /// The number of the objects, as the only element of the result, an NSNumber.
  /// ``NSManagedObjectContext/count(for:)-(NSFetchRequest<ResultType>)`` gives it as an `Int`, and reads nothing else
  /// either.
  ///
  /// ```swift
  /// let request = NSFetchRequest<NSNumber>(entityName: "Tag")
  /// request.resultType = .countResultType
  /// print(try context.fetch(request).map(\.intValue))  // [2]
  /// ```
  public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}
