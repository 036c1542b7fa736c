import Foundation

// Names of kinds of stores, and the keys of their options.

/// A SQLite database in Apple's format, which an iPhone or a Mac can read and write, too. This is the type that the
/// framework is made for, and the default of store descriptions.
///
/// Reads run beside writes (a write-ahead log), each context sees the store at one moment, and rows are read when they are
/// needed. At `/dev/null` the store is a private store for tests, with the same behaviour.
///
/// ```swift
/// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: container.managedObjectModel)
/// let store = try coordinator.addPersistentStore(
///   ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
/// print(store.type)  // SQLite
/// ```
///
/// The lines D-SQL-01 to D-SQL-16 of the deviations say where the store differs from Apple's.
public let NSSQLiteStoreType = "SQLite"

/// A store in memory that is gone when it is removed from its coordinator, or when the coordinator is gone. For tests of
/// logic, and for data that need not be kept.
///
/// Predicates are evaluated on the objects, so predicates that SQL refuses may work here, but key paths that do not fit the
/// model are refused in all stores (D-STO-05). The store has no batch requests (134091), no history, and no query
/// generations; a SQLite store at `/dev/null` has all of these.
///
/// ```swift
/// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: container.managedObjectModel)
/// try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
/// let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
/// context.persistentStoreCoordinator = coordinator
/// let update = NSBatchUpdateRequest(entityName: "Entry")
/// update.propertiesToUpdate = ["rating": 1]
/// do { try context.execute(update) } catch { print((error as NSError).code) }  // 134091
/// ```
///
/// The store enforces uniqueness constraints, too (D-STO-25).
public let NSInMemoryStoreType = "InMemory"

/// An XML file in Apple's format, read and written as a whole.
public let NSXMLStoreType = "XML"

/// A binary file, read and written as a whole.
///
/// Differs from Apple (D-STO-15): the format is one of our own; a file in Apple's binary format gives 259.
public let NSBinaryStoreType = "Binary"

/// Option: whether the store may only be read; NSNumber of a Boolean. A read-only store is neither made nor migrated, so it
/// must exist (260) and have this version of the model (134100).
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Option: seconds to wait for a lock of another process before 134090; NSNumber, 240 if the option is missing.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Option: SQLite pragmas for every connection; a dictionary of names and values.
/// ``NSPersistentStoreDescription/setValue(_:forPragmaNamed:)`` sets them one by one.
///
/// The journal is a write-ahead log unless `journal_mode` sets another one; with another journal, reads and writes wait for
/// each other. `synchronous` OFF or `NORMAL` makes saves faster, but a power failure may lose the latest saves.
///
/// ```swift
/// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: container.managedObjectModel)
/// let store = try coordinator.addPersistentStore(
///   ofType: NSSQLiteStoreType, configurationName: nil, at: folder.appendingPathComponent("fast.sqlite"),
///   options: [NSSQLitePragmasOption: ["synchronous": "NORMAL", "cache_size": "-20000"]])
/// print(store.options?.count ?? 0)  // 1
/// ```
///
/// Differs from Apple (D-SQL-05): `locking_mode` EXCLUSIVE is 134080.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Option: whether an XML store is checked strictly when it is opened; NSNumber of a Boolean.
///
/// A strict check requires that the document type, the declared types, counts and destinations are those of the model, that
/// both ends of each relationship agree, and that `nextObjectID` is not behind, else opening throws 259. Contents that
/// cannot be read without loss are refused even without this option.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"
