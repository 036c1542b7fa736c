import Foundation

// Sendable: it is set up before use, by one thread, and then only read.
/// How a container opens one store: which file, which kind, which options. Set it up before the container loads its
/// stores; what is set later counts for the next loading.
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Archive.sqlite"))
/// description.isReadOnly = false
/// description.timeout = 5  // seconds that a save waits for another process
/// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
/// print(description.type, description.shouldMigrateStoreAutomatically)  // SQLite true
/// ```
///
/// Differs from Apple (D-MIS-01): `cloudKitContainerOptions` is not there. An option whose value is of the wrong type
/// is refused when the store is opened, with 134080 (D-STO-22).
///
/// See also ``NSPersistentContainer/persistentStoreDescriptions``.
open class NSPersistentStoreDescription: NSObject, NSCopying, @unchecked Sendable {
  /// The kind of store: `NSSQLiteStoreType` unless it is set, or a type that a class is registered for.
  ///
  /// A store in memory suits tests of logic; for tests of what is stored, SQLite at `/dev/null` behaves as the real one
  /// does, batch requests included.
  ///
  /// ```swift
  /// let memory = NSPersistentContainer(name: "Diary", managedObjectModel: container.managedObjectModel)
  /// memory.persistentStoreDescriptions[0].type = NSInMemoryStoreType
  /// memory.loadPersistentStores { description, error in
  ///   print(description.type, error == nil)  // InMemory true
  /// }
  /// ```
  ///
  /// A type that no class is registered for is 134000 when the store is opened.
  ///
  /// See also ``NSPersistentStoreCoordinator/registerStoreClass(_:forStoreType:)``.
  public final var type = NSSQLiteStoreType
  /// The model's configuration that the store holds; nil, as at first, for all entities. Objects go to the first store
  /// that holds their entity.
  public final var configuration: String?
  /// Where the store is: a file, which with its `-wal` and `-shm` companions is made if it is not there, or the address
  /// of a server's store. `/dev/null` is a private store that is gone when it is closed.
  ///
  /// Copy or remove a store by the coordinator, never by its file alone: what was saved last may be in the companion
  /// files, and large values in a folder beside.
  ///
  /// ```swift
  /// print(container.persistentStoreDescriptions[0].url?.lastPathComponent ?? "none")  // Diary.sqlite
  /// print(NSPersistentStoreDescription().url?.path ?? "none")  // /dev/null
  /// ```
  ///
  /// Differs from Apple (D-STO-02, D-STO-21): `/dev/null` makes private stores of XML and binary type, too. Stores of
  /// type `NSInMemoryStoreType` pay no attention to it.
  ///
  /// See also
  /// ``NSPersistentStoreCoordinator/replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)``.
  public final var url: URL?
  /// The store's options as they are passed on: that it is migrated, and that the mapping may be inferred, unless they
  /// are set otherwise.
  public final private(set) var options: [String: NSObject] = [
    NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
    NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
  ]
  /// Whether the store is opened on another thread, and the completion handler called there. False at first.
  ///
  /// For a store whose migration would hold up the start. Until the handler was called, contexts find nothing and saves
  /// fail: show something else meanwhile.
  ///
  /// ```swift
  /// let later = NSPersistentContainer(name: "Diary", managedObjectModel: container.managedObjectModel)
  /// later.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))]
  /// later.persistentStoreDescriptions[0].shouldAddStoreAsynchronously = true
  /// await withCheckedContinuation { continuation in
  ///   later.loadPersistentStores { _, _ in continuation.resume() }
  /// }
  /// print(later.persistentStoreCoordinator.persistentStores.count)  // 1
  /// ```
  public final var shouldAddStoreAsynchronously = false

  /// Describes the SQLite store at `url`, which is migrated if need be: for another kind set ``type``.
  public init(url: URL) {
    self.url = url
    super.init()
  }

  /// Describes a private store, at `/dev/null`.
  public override convenience init() { self.init(url: URL(fileURLWithPath: "/dev/null")) }

  /// Whether the store may only be read. A save of its objects is then 513, and a store that is not there 260. False at
  /// first.
  public final var isReadOnly: Bool {
    get { (options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false }
    set { options[NSReadOnlyPersistentStoreOption] = NSNumber(value: newValue) }
  }

  /// Seconds to wait for a lock of another process, in opening and in saves, before 134090; 240 unless it is set.
  public final var timeout: TimeInterval {
    get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { options[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
  }

  /// Whether a store of another version of the model is migrated when it is opened; true unless it is set. With false,
  /// opening such a store throws 134100.
  ///
  /// A program that wants to rehearse, back up or ask first sets it to false and calls ``NSMigrationManager`` or
  /// `coredata migrate` itself. A SQLite store is migrated in one transaction: it is the old one or the new one,
  /// whatever happens.
  ///
  /// ```swift
  /// let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Diary.sqlite"))
  /// print(description.shouldMigrateStoreAutomatically)  // true
  /// description.shouldMigrateStoreAutomatically = false
  /// print(description.options[NSMigratePersistentStoresAutomaticallyOption] as? Bool ?? true)  // false
  /// ```
  ///
  /// See also ``shouldInferMappingModelAutomatically``, ``NSStagedMigrationManager``.
  public final var shouldMigrateStoreAutomatically: Bool {
    get { (options[NSMigratePersistentStoresAutomaticallyOption] as? NSNumber)?.boolValue ?? false }
    set { options[NSMigratePersistentStoresAutomaticallyOption] = NSNumber(value: newValue) }
  }

  /// Whether the mapping is inferred where no mapping model is found; true unless it is set. With false, a store of
  /// another version that no mapping model fits is 134140.
  ///
  /// What can be inferred: entities and properties added, removed and renamed (by renaming identifiers), attributes
  /// that become optional, mandatory with a default, or another kind of number, and relationships that gain members or
  /// an order. Other changes are 134140 with 134190 under it, which names entity, property and reason.
  ///
  /// ```swift
  /// let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Diary.sqlite"))
  /// description.shouldInferMappingModelAutomatically = false
  /// print(description.options[NSInferMappingModelAutomaticallyOption] as? Bool ?? true)  // false
  /// ```
  ///
  /// See also ``NSMappingModel/inferredMappingModel(forSourceModel:destinationModel:)``.
  public final var shouldInferMappingModelAutomatically: Bool {
    get { (options[NSInferMappingModelAutomaticallyOption] as? NSNumber)?.boolValue ?? false }
    set { options[NSInferMappingModelAutomaticallyOption] = NSNumber(value: newValue) }
  }

  /// The SQLite pragmas for the store's connections, as ``setValue(_:forPragmaNamed:)`` has set them.
  public final var sqlitePragmas: [String: NSObject] {
    options[NSSQLitePragmasOption] as? NSDictionary as? [String: NSObject] ?? [:]
  }

  /// Sets an option of the store; nil takes it away. The constants beside ``NSPersistentStoreCoordinator`` are the
  /// keys.
  ///
  /// ```swift
  /// let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Diary.sqlite"))
  /// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
  /// description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
  /// print(description.options.count)  // 4
  /// ```
  /// - Parameters:
  ///   - option: a number, a dictionary or what the key says. `true` alone is no NSObject: write `true as NSNumber`. A
  ///     value of the wrong type is 134080 when the store is opened (D-STO-22).
  ///   - key: the option. One that no store knows is passed over.
  ///
  /// See also ``options``.
  public final func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

  /// Sets a SQLite pragma for the store's connections, as `"synchronous"` or `"cache_size"`; nil takes it away.
  /// `locking_mode` EXCLUSIVE is 134080 when the store is opened, since a store has several connections (D-SQL-05).
  public final func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas = sqlitePragmas
    pragmas[name] = value
    options[NSSQLitePragmasOption] = NSDictionary(dictionary: pragmas)
  }

  /// An independent copy: changes of one do not show in the other.
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
