import Foundation

// Names of kinds of stores, and the keys of their options.

/// A SQLite database in Apple's format, which an iPhone or a Mac can read and write, too: the type that everything here
/// is made for, and the default of descriptions.
///
/// Reads take place beside writes (a write-ahead log), each context sees one moment, and rows are read as they are
/// needed. At `/dev/null` it is a private store for tests, of the same behaviour.
///
/// ```swift
/// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: container.managedObjectModel)
/// let store = try coordinator.addPersistentStore(
///   ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
/// print(store.type)  // SQLite
/// ```
///
/// Where Apple's differs, the lines D-SQL-01 to D-SQL-15 say.
public let NSSQLiteStoreType = "SQLite"

/// A store in memory that is gone when it is removed from its coordinator, or with it. For tests of logic, and for what
/// need not be kept.
///
/// Predicates are evaluated on the objects, so what SQL refuses may work here, though key paths that do not fit the
/// model are refused in all stores (D-STO-05). It knows no batch requests (134091), no history, and no query
/// generations: a SQLite store at `/dev/null` does.
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
/// Uniqueness constraints are kept here, too (D-STO-25).
public let NSInMemoryStoreType = "InMemory"

/// An XML file in Apple's format, read and written as a whole.
public let NSXMLStoreType = "XML"

/// A binary file, read and written as a whole.
///
/// Differs from Apple (D-STO-15): the format is one of our own; a file of Apple's gives 259.
public let NSBinaryStoreType = "Binary"

/// Option: whether the store may only be read; NSNumber of a Boolean. It must be there (260) and of this version of the
/// model (134100), since it is neither made nor migrated then.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Option: seconds to wait for a lock of another process before 134090; NSNumber, 240 if it is not there.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Option: SQLite pragmas for every connection; a dictionary of names and values.
/// ``NSPersistentStoreDescription/setValue(_:forPragmaNamed:)`` sets them one by one.
///
/// The journal is a write-ahead log unless `journal_mode` says otherwise; then reads and writes wait for each other.
/// `synchronous` OFF or `NORMAL` makes saves faster, and may lose the latest ones when the power fails.
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
/// Then the document type, the declared types, counts and destinations must be those of the model, both ends of each
/// relationship must agree, and `nextObjectID` must not be behind, else opening throws 259. What cannot be read without
/// loss is refused anyway.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"
