import Foundation

/// Names of kinds of stores, and the keys of their options and metadata.

/// A SQLite database in Apple's format.
public let NSSQLiteStoreType = "SQLite"

/// A store that is gone when it is removed from its coordinator.
public let NSInMemoryStoreType = "InMemory"

/// An XML file in Apple's format, read and written as a whole.
public let NSXMLStoreType = "XML"

/// A binary file, read and written as a whole.
///
/// Differs from Apple (D-STO-15): the format is one of our own; a file of Apple's gives 259.
public let NSBinaryStoreType = "Binary"

/// In a store's metadata: the kind of store.
public let NSStoreTypeKey = "NSStoreType"
/// In a store's metadata: the store's identifier.
public let NSStoreUUIDKey = "NSStoreUUID"
/// In a store's metadata: the version hash of each entity.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// In a store's metadata: the model's version identifiers.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// In a store's metadata: the checksum of the model that it is of, as `NSManagedObjectModel.versionChecksum` gives it. Stores
/// of older frameworks have none.
public let NSPersistentStoreModelVersionChecksumKey = "NSStoreModelVersionChecksumKey"

/// Option: whether the store may only be read; NSNumber of a Boolean.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Option: seconds to wait for a lock of another process; NSNumber.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Option: SQLite pragmas for every connection; a dictionary of names and values.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Option: whether an XML store is checked strictly when it is opened; NSNumber of a Boolean.
///
/// Then the document type, the declared types, counts and destinations must be those of the model, both ends of each
/// relationship must agree, and `nextObjectID` must not be behind, else opening throws 259. What cannot be read without
/// loss is refused anyway.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"

/// The version of Core Data whose file format new stores have; their metadata say so, too.
public let NSCoreDataVersionNumber = Double(StoreMetadata.frameworkVersion)
