// Apple's codes in NSCocoaErrorDomain for stores that cannot be brought to another model.

/// 134110: a migration failed.
///
/// The store is as it was; the text and the underlying error name entity, property and reason.
public let NSMigrationError = 134110
/// 134111: the migrated rows violate a uniqueness constraint of the new model.
///
/// The store is as it was: make the values unique in the old version first.
public let NSMigrationConstraintViolationError = 134111
/// 134120: a migration was cancelled.
///
/// The store is as it was; the error that it was cancelled with is the underlying one.
public let NSMigrationCancelledError = 134120
/// 134130: the model that a store was made with is found neither in the bundles nor in the store.
///
/// Ship the old versions of the model with the program.
public let NSMigrationMissingSourceModelError = 134130
/// 134140: there is no mapping model from the store's version to the wanted one, and none can be inferred.
///
/// The underlying error, 134190, says what prevents it.
public let NSMigrationMissingMappingModelError = 134140
/// 134150: the store to migrate from cannot be read.
///
/// The underlying error says why.
public let NSMigrationManagerSourceStoreError = 134150
/// 134160: the store to migrate to cannot be written, as on a full disk.
///
/// The underlying error says why; nothing is left of it.
public let NSMigrationManagerDestinationStoreError = 134160
/// 134170: a migration policy has thrown.
///
/// The underlying error is the one that it threw.
public let NSEntityMigrationPolicyError = 134170
/// 134190: the mapping from one version to the other cannot be inferred.
///
/// The userInfo has entity, property and reason; several are under `NSDetailedErrorsKey`. Write a mapping model, or go
/// by stages.
public let NSInferredMappingModelError = 134190
/// 134200: records for Spotlight could not be imported.
///
/// Never thrown here: there is no Spotlight (D-MIS-05).
public let NSExternalRecordImportError = 134200
/// 134504: the model that a reference stands for does not exist, or has another checksum; or no stage knows the
/// version of a store.
///
/// Thrown by staged migrations.
public let NSManagedObjectModelReferenceNotFoundError = 134504
/// 134505: a staged migration needs another version of the framework.
///
/// Never thrown here (D-MIG-06).
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// 134506: the version that is wanted is an older one than the store has.
///
/// Stages lead forward alone: open the store with the newer model.
public let NSStagedMigrationBackwardMigrationError = 134506
