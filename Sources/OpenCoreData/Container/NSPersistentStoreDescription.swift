import Foundation

// Sendable: it is set up before use, by one thread, and then only read.
/// The way in which a container opens one store: the file, the type and the options. Set it up before the container
/// loads its stores; later changes count for the next loading.
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Archive.sqlite"))
/// description.isReadOnly = false
/// description.timeout = 5  // seconds that a save waits for another process
/// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
/// print(description.type, description.shouldMigrateStoreAutomatically)  // SQLite true
/// ```
///
/// Differs from Apple (D-MIS-01): there is no `cloudKitContainerOptions`. An option whose value is of the wrong type is
/// refused when the store is opened, with 134080 (D-STO-22).
///
/// See also ``NSPersistentContainer/persistentStoreDescriptions``.
open class NSPersistentStoreDescription: NSObject, NSCopying, @unchecked Sendable {
  /// The kind of store: `NSSQLiteStoreType` unless it is set, or a type that a class is registered for.
  ///
  /// A store in memory suits tests of logic. For tests of stored data, a SQLite store at `/dev/null` behaves as a store
  /// in a file does, batch requests included.
  ///
  /// ```swift
  /// let memory = NSPersistentContainer(name: "Diary", managedObjectModel: container.managedObjectModel)
  /// memory.persistentStoreDescriptions[0].type = NSInMemoryStoreType
  /// memory.loadPersistentStores { description, error in
  ///   print(description.type, error == nil)  // InMemory true
  /// }
  /// ```
  ///
  /// If no class is registered for the type, opening the store fails with 134000.
  ///
  /// See also ``NSPersistentStoreCoordinator/registerStoreClass(_:forStoreType:)``.
  public final var type = NSSQLiteStoreType
  /// The model's configuration that the store holds; nil, the value at first, stands for all entities. Objects go to
  /// the first store that holds their entity.
  public final var configuration: String?
  /// The place of the store: a file, or the address of a server's store. A file and its `-wal` and `-shm` companions
  /// are made if they do not exist. `/dev/null` stands for a private store that is gone when it is closed.
  ///
  /// Copy or remove a store with the coordinator, never by its file alone: the last saves may be in the companion
  /// files, and large values in a folder beside the file.
  ///
  /// ```swift
  /// print(container.persistentStoreDescriptions[0].url?.lastPathComponent ?? "none")  // Diary.sqlite
  /// print(NSPersistentStoreDescription().url?.path ?? "none")  // /dev/null
  /// ```
  ///
  /// Differs from Apple (D-STO-02, D-STO-21): `/dev/null` makes private stores of XML and binary type, too. Stores of
  /// type `NSInMemoryStoreType` ignore the URL.
  ///
  /// See also
  /// ``NSPersistentStoreCoordinator/replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)``.
  public final var url: URL?
  /// The options that are passed to the store. At first they say that the store is migrated, and that the mapping may
  /// be inferred.
  public final private(set) var options: [String: NSObject] = [
    NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
    NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
  ]
  /// Whether the store is opened on another thread, and the completion handler called there. False at first.
  ///
  /// Use it for a store whose migration would delay the start of the program. Until the handler has been called,
  /// contexts find nothing and saves fail: show something else until then.
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

  /// Describes the SQLite store at `url`, which is migrated if necessary. For another kind of store, set ``type``.
  public init(url: URL) {
    self.url = url
    super.init()
  }

  /// Describes a private store, at `/dev/null`.
  public override convenience init() { self.init(url: URL(fileURLWithPath: "/dev/null")) }

  /// Whether the store may only be read. If so, a save of its objects fails with 513, and opening a store that does not
  /// exist fails with 260. False at first.
  public final var isReadOnly: Bool {
    get { (options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false }
    set { options[NSReadOnlyPersistentStoreOption] = NSNumber(value: newValue) }
  }

  /// The number of seconds that opening and saving wait for a lock of another process before they fail with 134090; 240
  /// at first.
  public final var timeout: TimeInterval {
    get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { options[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
  }

  /// Whether a store of another version of the model is migrated when it is opened; true at first. If it is false,
  /// opening such a store fails with 134100.
  ///
  /// A program that wants to rehearse the migration, make a backup or ask first sets it to false, and calls
  /// ``NSMigrationManager`` or `coredata migrate` itself. A SQLite store is migrated in one transaction: it is either
  /// the old store or the new store, whatever happens.
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

  /// Whether the mapping is inferred if no mapping model is found; true at first. If it is false, opening a store of
  /// another version that no mapping model fits fails with 134140.
  ///
  /// These changes can be inferred: entities and properties added, removed and renamed (by renaming identifiers),
  /// attributes that become optional, mandatory with a default, or another kind of number, and relationships that gain
  /// members or an order. Other changes fail with 134140; its underlying error 134190 names entity, property and
  /// reason.
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

  /// Sets an option of the store; nil removes it. The keys are the constants beside ``NSPersistentStoreCoordinator``.
  ///
  /// ```swift
  /// let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Diary.sqlite"))
  /// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
  /// description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
  /// print(description.options.count)  // 4
  /// ```
  /// - Parameters:
  ///   - option: a number, a dictionary or another value that the key requires. `true` alone is no NSObject: write
  ///     `true as NSNumber`. With a value of the wrong type, opening the store fails with 134080 (D-STO-22).
  ///   - key: the option's key. A key that no store knows is ignored.
  ///
  /// See also ``options``.
  public final func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

  /// Sets a SQLite pragma for the store's connections, such as `"synchronous"` or `"cache_size"`; nil removes it. With
  /// `locking_mode` EXCLUSIVE opening the store fails with 134080, because a store has several connections (D-SQL-05).
  public final func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas = sqlitePragmas
    pragmas[name] = value
    options[NSSQLitePragmasOption] = NSDictionary(dictionary: pragmas)
  }

  /// Returns an independent copy: changes of the one do not show in the other.
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
