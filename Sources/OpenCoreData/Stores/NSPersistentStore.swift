import Foundation

/// A SQLite database in Apple's format.
public let NSSQLiteStoreType = "SQLite"

/// In a store's metadata: the kind of store.
public let NSStoreTypeKey = "NSStoreType"
/// In a store's metadata: the store's identifier.
public let NSStoreUUIDKey = "NSStoreUUID"
/// In a store's metadata: the version hash of each entity.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// In a store's metadata: the model's version identifiers.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"

/// Option: whether the store may only be read; NSNumber of a Boolean.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Option: seconds to wait for a lock of another process; NSNumber.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Option: SQLite pragmas for every connection; a dictionary of names and values.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"

// Sendable: the metadata belong to `metadataLock`, and the rest never changes.
/// A place where objects are kept, as a coordinator sees it.
open class NSPersistentStore: NSObject, @unchecked Sendable {
  /// Where the store is.
  public final let url: URL?
  /// The model's configuration that the store holds; nil for all entities.
  public final let configurationName: String
  /// The options that the store was added with.
  public final let options: [AnyHashable: Any]?
  /// Whether the store refuses to be written.
  public final let isReadOnly: Bool
  private final let metadataLock = NSLock()
  private final var storedMetadata: [String: Any] = [:]
  final weak var coordinator: NSPersistentStoreCoordinator?

  init(url: URL?, configurationName: String?, options: [AnyHashable: Any]?, isReadOnly: Bool) {
    self.url = url
    self.configurationName = configurationName ?? "PF_DEFAULT_CONFIGURATION_NAME"
    self.options = options
    self.isReadOnly = isReadOnly
    super.init()
  }

  /// The coordinator that the store was added to; nil once it was removed.
  public final var persistentStoreCoordinator: NSPersistentStoreCoordinator? { coordinator }

  /// The kind of store, such as `NSSQLiteStoreType`.
  open var type: String { NSSQLiteStoreType }

  /// The store's UUID, which is the host of its objects' URIs.
  open var identifier: String { metadata[NSStoreUUIDKey] as? String ?? "" }

  /// What the store says about itself: type, UUID, version hashes, and what the application added.
  public internal(set) final var metadata: [String: Any] {
    get {
      metadataLock.lock()
      defer { metadataLock.unlock() }
      return storedMetadata
    }
    set {
      metadataLock.lock()
      storedMetadata = newValue
      metadataLock.unlock()
    }
  }
}
