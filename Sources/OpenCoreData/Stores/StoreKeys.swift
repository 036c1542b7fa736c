import Foundation

/// Names of kinds of stores, and the keys of their options and metadata.

/// A SQLite database in Apple's format.
public let NSSQLiteStoreType = "SQLite"

/// A store that is gone when it is removed from its coordinator.
public let NSInMemoryStoreType = "InMemory"

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
