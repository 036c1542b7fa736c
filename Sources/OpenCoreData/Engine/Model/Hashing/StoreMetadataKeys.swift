// The keys of a store's metadata, which tell the version of the model that the store is of.

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
