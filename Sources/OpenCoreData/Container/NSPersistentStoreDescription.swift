import Foundation

// Sendable: it is set up before use, by one thread, and then only read.
/// How a container opens one store.
open class NSPersistentStoreDescription: NSObject, NSCopying, @unchecked Sendable {
  /// The kind of store.
  public final var type = NSSQLiteStoreType
  /// The model's configuration that the store holds; nil for all entities.
  public final var configuration: String?
  /// The file; `/dev/null` for a private store.
  public final var url: URL?
  /// The store's options as they are passed on.
  public final private(set) var options: [String: NSObject] = [
    NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
    NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
  ]
  /// Whether the store is opened on another thread, and the completion handler called there.
  public final var shouldAddStoreAsynchronously = false

  /// Describes the store at `url`.
  public init(url: URL) {
    self.url = url
    super.init()
  }

  /// Describes a private store, at `/dev/null`.
  public override convenience init() { self.init(url: URL(fileURLWithPath: "/dev/null")) }

  /// Whether the store may only be read.
  public final var isReadOnly: Bool {
    get { (options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false }
    set { options[NSReadOnlyPersistentStoreOption] = NSNumber(value: newValue) }
  }

  /// Seconds to wait for a lock of another process.
  public final var timeout: TimeInterval {
    get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { options[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
  }

  /// Whether a store of another version of the model is migrated when it is opened; true unless it is set.
  public final var shouldMigrateStoreAutomatically: Bool {
    get { (options[NSMigratePersistentStoresAutomaticallyOption] as? NSNumber)?.boolValue ?? false }
    set { options[NSMigratePersistentStoresAutomaticallyOption] = NSNumber(value: newValue) }
  }

  /// Whether the mapping for that is inferred where no mapping model is found; true unless it is set.
  public final var shouldInferMappingModelAutomatically: Bool {
    get { (options[NSInferMappingModelAutomaticallyOption] as? NSNumber)?.boolValue ?? false }
    set { options[NSInferMappingModelAutomaticallyOption] = NSNumber(value: newValue) }
  }

  /// The SQLite pragmas for the store's connections.
  public final var sqlitePragmas: [String: NSObject] {
    options[NSSQLitePragmasOption] as? NSDictionary as? [String: NSObject] ?? [:]
  }

  /// Sets an option; nil takes it away.
  public final func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

  /// Sets a SQLite pragma for the store's connections; nil takes it away.
  public final func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas = sqlitePragmas
    pragmas[name] = value
    options[NSSQLitePragmasOption] = NSDictionary(dictionary: pragmas)
  }

  /// An independent copy.
  public final func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentStoreDescription(url: url ?? URL(fileURLWithPath: "/dev/null"))
    copy.type = type
    copy.configuration = configuration
    copy.options = options
    copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
    return copy
  }

  open override var description: String { "<NSPersistentStoreDescription> (type: \(type), url: \(url?.path ?? "nil"))" }
}
