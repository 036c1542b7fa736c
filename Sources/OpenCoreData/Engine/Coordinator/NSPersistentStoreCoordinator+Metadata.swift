import Foundation
import OpenCocoaFoundation

// Metadata of stores, read from a file or from a store that is open.
extension NSPersistentStoreCoordinator {
  /// The metadata of the store at a place. The store is neither opened for use nor changed, so this can be asked before
  /// a migration, and while others use the store.
  ///
  /// The version hashes in it tell whether a model fits:
  /// ``NSManagedObjectModel/isConfiguration(withName:compatibleWithStoreMetadata:)``.
  ///
  /// ```swift
  /// let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
  ///   ofType: NSSQLiteStoreType, at: folder.appendingPathComponent("Diary.sqlite"))
  /// print(metadata[NSStoreTypeKey] as? String ?? "")  // SQLite
  /// let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
  /// print(hashes.keys.sorted())  // ["Entry", "Page", "Tag"]
  /// ```
  ///
  /// For a type of the application's own, the type's class is asked.
  /// - Parameters:
  ///   - storeType: the type that the store is expected to be of.
  ///   - url: where it is.
  ///   - options: `NSPersistentStoreTimeoutOption`; for a server the options that are needed to connect to it.
  /// - Throws: 134000 for an unknown type, 260 where there is no file, 259 if it is not a store of that type, 256 if it
  ///   cannot be read, 134090 if it stays locked.
  ///
  /// See also ``metadata(for:)``.
  public class func metadataForPersistentStore(
    ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try storeClass(forType: storeType).metadata(at: url, options: options)
  }

  /// The metadata of the store at a place. The store is neither opened for use nor changed.
  /// - Throws: as `metadataForPersistentStore(ofType:at:options:)`.
  public class func metadataForPersistentStore(
    type storeType: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(ofType: storeType.rawValue, at: storeURL, options: options)
  }

  /// The metadata of the store at a place; if the type is nil, the file determines it.
  @available(*, deprecated, message: "Use metadataForPersistentStore(type:at:options:) instead.")
  @_disfavoredOverload
  public class func metadataForPersistentStore(ofType storeType: String?, at url: URL) throws -> [String: Any] {
    try metadataForPersistentStore(ofType: storeType ?? NSSQLiteStoreType, at: url, options: nil)
  }

  /// The metadata of the store at a place.
  @available(*, deprecated, message: "Use metadataForPersistentStore(type:at:options:) instead.")
  public class func metadataForPersistentStore(with url: URL) throws -> [AnyHashable: Any] {
    try metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url, options: nil)
  }

  /// Replaces the metadata of the store at a place: keys that are left out are removed.
  ///
  /// The type stays as it is. The UUID, the version hashes and the framework's other keys stay unless the dictionary has
  /// a new value for them.
  ///
  /// Differs from Apple (D-STO-10): the framework's keys cannot be removed.
  /// - Throws: errors of reading the metadata; 513 for a file that cannot be written; 3852 for a value that no property
  ///   list can hold.
  public class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try storeClass(forType: storeType).setMetadata(metadata, at: url, options: options)
  }

  /// Replaces the metadata of the store at a place, as `setMetadata(_:forPersistentStoreOfType:at:options:)` does.
  public class func setMetadata(
    _ metadata: [String: Any]?, type storeType: NSPersistentStore.StoreType, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try setMetadata(metadata, forPersistentStoreOfType: storeType.rawValue, at: storeURL, options: options)
  }

  /// Replaces the metadata of the store at a place; if the type is nil, the file determines it.
  @available(*, deprecated, message: "Use setMetadata(_:type:at:options:) instead.")
  @_disfavoredOverload
  public class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String?, at url: URL
  ) throws {
    try setMetadata(metadata, forPersistentStoreOfType: storeType ?? NSSQLiteStoreType, at: url, options: nil)
  }

  /// Sets the metadata of an open store. It is written when a context saves, also if the context has no changes.
  ///
  /// Keys that are left out are removed, except for the framework's keys.
  public final func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
    store.metadata = metadata ?? [:]
  }
}
