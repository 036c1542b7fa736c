// The keys of a store's metadata that identify the store and the version of its model.

/// In a store's metadata: the kind of store, for example `NSSQLiteStoreType`. It cannot be changed.
public let NSStoreTypeKey = "NSStoreType"
/// In a store's metadata: the store's UUID, a string, which is the host of its objects' URIs.
public let NSStoreUUIDKey = "NSStoreUUID"
/// In a store's metadata: the version hash of each entity, `[String: Data]`, by which a store knows its version of the
/// model.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// In a store's metadata: the model's version identifiers, an array of the names that people gave the version.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// In a store's metadata: the checksum of the store's model, equal to `NSManagedObjectModel.versionChecksum`. Stores of
/// older frameworks do not have it.
public let NSPersistentStoreModelVersionChecksumKey = "NSStoreModelVersionChecksumKey"
