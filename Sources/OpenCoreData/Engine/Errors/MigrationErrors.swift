// Apple's codes in NSCocoaErrorDomain for stores that cannot be migrated to another model.

/// 134110: a migration failed.
///
/// The store is unchanged; the text and the underlying error name entity, property and reason.
public let NSMigrationError = 134110
/// 134111: the migrated rows violate a uniqueness constraint of the new model.
///
/// The store is unchanged: make the values unique in the old version first.
public let NSMigrationConstraintViolationError = 134111
/// 134120: a migration was cancelled.
///
/// The store is unchanged; the underlying error is the one that the migration was cancelled with.
public let NSMigrationCancelledError = 134120
/// 134130: the model that a store was made with is found neither in the bundles nor in the store.
///
/// Ship the old versions of the model with the program.
public let NSMigrationMissingSourceModelError = 134130
/// 134140: there is no mapping model from the store's version to the wanted one, and none can be inferred.
///
/// The underlying error, 134190, gives the reason.
public let NSMigrationMissingMappingModelError = 134140
/// 134150: the store to migrate from cannot be read.
///
/// The underlying error says why.
public let NSMigrationManagerSourceStoreError = 134150
/// 134160: the store to migrate to cannot be written, for example because the disk is full.
///
/// The underlying error says why; no part of the new store is left.
public let NSMigrationManagerDestinationStoreError = 134160
/// 134170: a migration policy has thrown.
///
/// The underlying error is the one that the policy threw.
public let NSEntityMigrationPolicyError = 134170
/// 134190: the mapping from one version to the other cannot be inferred.
///
/// The userInfo has entity, property and reason; if there are several reasons, they are under `NSDetailedErrorsKey`.
/// Write a mapping model, or migrate in stages.
public let NSInferredMappingModelError = 134190
/// 134200: records for Spotlight could not be imported.
///
/// Never thrown here: there is no Spotlight (D-MIS-05).
public let NSExternalRecordImportError = 134200
/// 134504: the model of a reference is missing or has another checksum; also if no stage knows the store's version.
///
/// Thrown by staged migrations.
public let NSManagedObjectModelReferenceNotFoundError = 134504
/// 134505: a staged migration needs another version of the framework.
///
/// Never thrown here (D-MIG-06).
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// 134506: the wanted version of the model is older than the store's version.
///
/// Stages only lead forward: open the store with the newer model.
public let NSStagedMigrationBackwardMigrationError = 134506
