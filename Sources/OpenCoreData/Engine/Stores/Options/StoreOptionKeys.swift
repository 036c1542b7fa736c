/// Option: how many connections may read a SQLite store at once; NSNumber, 8 if the option is missing.
///
/// A context that reads holds one connection until its block ends, or until another context needs the connection.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSizeKey"
/// Option: whether statistics for SQLite's query planner are gathered when the store is opened; NSNumber of a Boolean.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Option: whether the file is rewritten without its unused pages when the store is opened; NSNumber of a Boolean.
///
/// Rewriting needs room for a second copy of the file, and nobody else may be reading or writing the file.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// Option: whether a store of another version of the model is opened as if it had this version; NSNumber of a Boolean.
///
/// Tables and columns that the file does not have give errors when they are read or written.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// Option: whether a binary store decodes values without secure coding; NSNumber of a Boolean.
///
/// It makes no difference here, and a value of another type is 134080: the values are decoded as their attributes'
/// transformers say, whatever the store (D-STO-15).
public let NSBinaryStoreInsecureDecodingCompatibilityOption = "NSBinaryStoreInsecureDecodingCompatibilityOption"
/// Option for destroying a store: whether to destroy it even if it stays locked, is damaged or is no store; NSNumber of a
/// Boolean.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"

/// In a store's metadata: the earliest system that can use the store. A value that is there is kept; nothing here sets it.
public let NSPersistentStoreOSCompatibility = "NSPersistentStoreOSCompatibility"
/// Option: whether a store in memory enforces the model's uniqueness constraints, as a SQLite store does, with the context's
/// merge policy; NSNumber of a Boolean, true if the option is missing. Not in Apple's framework.
public let OCDInMemoryStoreEnforcesUniquenessOption = "OCDInMemoryStoreEnforcesUniquenessOption"
/// Option: whether a SQLite store that CloudKit mirrors is migrated by a mapping model; NSNumber of a Boolean. Not in Apple's
/// framework.
///
/// Such a migration gives the objects new keys, while CloudKit's tables name them by the old ones. So it throws 134110 unless
/// this option is true; then the rows of these tables name no object any more. A lightweight migration carries the tables
/// along and needs no option (D-MIS-03).
public let OCDMigrateMirroredStoreOption = "OCDMigrateMirroredStoreOption"
