/// Option: how many connections may read a SQLite store at once; NSNumber, 8 if it is not there.
///
/// A context that reads holds one until its block ends, or until another context needs it.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSizeKey"
/// Option: gathers statistics for SQLite's query planner when the store is opened; NSNumber of a Boolean.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Option: rewrites the file without its unused pages when the store is opened; NSNumber of a Boolean.
///
/// This needs room for a second copy of the file, and no other program may read or write the file at that time.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// Option: opens a store of another version of the model as if it had this version; NSNumber of a Boolean.
///
/// Properties and entities that the file does not have cause errors when they are read or written.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// Option for destroying a store: also one that stays locked, is damaged or is no store at all; NSNumber of a Boolean.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"

/// In a store's metadata: the earliest system that can use the store. Kept as it is; nothing here writes it.
public let NSPersistentStoreOSCompatibility = "NSPersistentStoreOSCompatibility"
/// Option: whether a store in memory enforces the model's uniqueness constraints, as a SQLite store does, with the context's
/// merge policy; NSNumber of a Boolean, true if it is not there. Not in Apple's framework.
public let OCDInMemoryStoreEnforcesUniquenessOption = "OCDInMemoryStoreEnforcesUniquenessOption"
