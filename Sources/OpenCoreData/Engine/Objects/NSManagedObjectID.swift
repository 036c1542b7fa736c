import Foundation
import OpenCocoaFoundation

/// The identity of an object: its store, entity and primary key, or a temporary one until it is saved.
///
/// IDs are values: they compare by content, may be used on every thread, and outlive objects and contexts. Hand them
/// from queue to queue where objects must not go, and keep them in sets and dictionaries. An object's temporary ID and
/// the permanent one that it gets later are not equal.
///
/// ```swift
/// let id = try fetchEntry("Monday", in: context).objectID
/// let title = await container.performBackgroundTask { context in
///   (context.object(with: id) as? Entry)?.title ?? ""
/// }
/// print(title, id.entity.name ?? "")  // Monday Entry
/// ```
///
/// An ID belongs to the coordinator whose store it names; for another program, or the next start of this one, there is
/// ``uriRepresentation()``.
///
/// See also ``NSManagedObjectContext/object(with:)``, ``NSManagedObjectContext/existingObject(with:)``.
public final class NSManagedObjectID: NSObject, NSCopying, NSFetchRequestResult, NSKeyValueCoding, SQLObjectReference,
  ObjectIdentity, @unchecked Sendable  // immutable
{
  /// The entity of the object itself, maybe a subentity of the one that was fetched.
  public let entity: NSEntityDescription
  /// The store; nil for a temporary ID.
  private let home: StoreReference?
  /// Z_PK, or the negative number of a temporary ID.
  let key: Int64
  /// The text of the store's reference object, where that is not the key itself.
  private let referenceText: String?

  /// An ID of no object and no entity, which equals itself alone. Code names it for IDs that stand in for others.
  public override convenience init() {
    self.init(entity: NSEntityDescription(), home: nil, key: TemporaryKeys.make())
  }

  convenience init(entity: NSEntityDescription, store: NSPersistentStore?, key: Int64) {
    self.init(entity: entity, home: store?.home, key: key)
  }

  init(entity: NSEntityDescription, home: StoreReference?, key: Int64) {
    self.entity = entity
    self.home = home
    self.key = key
    referenceText = key < ReferenceKeys.firstInterned ? nil : home?.store?.referenceText(key, entity)
  }

  convenience init(copying other: NSManagedObjectID) {
    self.init(entity: other.entity, home: other.home, key: other.key)
  }

  private var store: NSPersistentStore? { home?.store }

  /// The store's UUID when the reference to the store was made; nil for a temporary ID.
  var storeIdentifier: String? { home?.identifier }

  /// Whether the object has not been saved and has no permanent ID yet.
  ///
  /// Look before an ID is kept or sent anywhere: a temporary one means nothing to other coordinators and processes, and
  /// nothing here once the object was saved, but for what D-CTX-17 says.
  ///
  /// ```swift
  /// let entry = Entry(context: context)
  /// print(entry.objectID.isTemporaryID)  // true
  /// try context.obtainPermanentIDs(for: [entry])
  /// print(entry.objectID.isTemporaryID)  // false
  /// ```
  public var isTemporaryID: Bool { key < 0 }

  /// The store that holds the object; nil for a temporary ID, or when the store is gone.
  public var persistentStore: NSPersistentStore? { store }

  /// The ID as a URI that can be archived: `x-coredata://<store UUID>/<entity>/p<primary key>`; in stores that are not
  /// SQLite, the store's reference object for the object takes the key's place.
  ///
  /// It stays good as long as the store keeps its UUID: over restarts, moves of the file and lightweight migrations,
  /// but not in a store that a mapping model has made anew, nor where an object moves into another hierarchy's table
  /// (D-MIG-10). A temporary ID's URI has no host and a `t` in place of the `p`; it means nothing outside this process.
  ///
  /// ```swift
  /// let uri = try fetchEntry("Monday", in: context).objectID.uriRepresentation()
  /// let id = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri)
  /// let entry = try id.map { try context.existingObject(with: $0) } as? Entry
  /// print(entry?.title ?? "gone")  // Monday
  /// ```
  ///
  /// See also ``NSPersistentStoreCoordinator/managedObjectID(forURIRepresentation:)``.
  public func uriRepresentation() -> URL {
    let path =
      isTemporaryID
      ? "x-coredata:///\(entity.name ?? "")/t\(TemporaryKeys.prefix)\(-key)"
      : "x-coredata://\(store?.identifier ?? storeIdentifier ?? "")/\(entity.name ?? "")/p\(referenceText ?? String(key))"
    // Entity names are letters, digits and underscores, a UUID is hexadecimal: the text is a URL.
    return URL(string: path) ?? URL(fileURLWithPath: path)
  }

  /// The ID itself, since it never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = Self.identifier(object) else { return false }
    return self === other
      || (key == other.key && entity.layout.rootName == other.entity.layout.rootName && isOfStore(of: other))
  }

  /// The value as an ID. Sets ask for every collision, and a cast costs more than the rest.
  @inline(__always)
  private static func identifier(_ value: Any?) -> NSManagedObjectID? {
    guard let reference = ExactValue.object(value) else { return value as? NSManagedObjectID }
    return reference.read { object in
      type(of: object) == NSManagedObjectID.self ? unsafeDowncast(object, to: NSManagedObjectID.self) : nil
    }
  }

  /// Whether both IDs are of the same store, whose UUID may have been set after one of them was made.
  private func isOfStore(of other: NSManagedObjectID) -> Bool {
    if home === other.home || storeIdentifier == other.storeIdentifier { return true }
    guard let store else { return false }
    return store === other.store
  }

  public override var hash: Int {
    // Sets hash this value again, so different IDs only need different values.
    entity.layout.rootHash ^ Int(key)
  }

  public override var description: String {
    // Several objects may be equal IDs, and equal IDs should have equal descriptions.
    "0x\(String(UInt(bitPattern: hash), radix: 16)) <\(uriRepresentation().absoluteString)>"
  }
}

/// Numbers for objects that have never been saved: below zero, unique in the process.
enum TemporaryKeys {
  /// Makes temporary IDs of two processes differ.
  static let prefix = UUID().uuidString
  private static let next = AtomicCounter()

  static func make() -> Int64 { -next.increment() }
}
