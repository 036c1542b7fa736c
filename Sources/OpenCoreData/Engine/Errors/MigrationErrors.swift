// Apple's codes in NSCocoaErrorDomain for stores that cannot be brought to another model.

/// A migration failed.
public let NSMigrationError = 134110
/// A migration failed because the migrated rows violate a uniqueness constraint.
public let NSMigrationConstraintViolationError = 134111
/// A migration was cancelled.
public let NSMigrationCancelledError = 134120
/// The model that a store was made with is not to be found.
public let NSMigrationMissingSourceModelError = 134130
/// There is no mapping model from the store's model to the wanted one.
public let NSMigrationMissingMappingModelError = 134140
/// The store to migrate from could not be used.
public let NSMigrationManagerSourceStoreError = 134150
/// The store to migrate to could not be used.
public let NSMigrationManagerDestinationStoreError = 134160
/// An entity's migration policy failed.
public let NSEntityMigrationPolicyError = 134170
/// A mapping model could not be inferred.
public let NSInferredMappingModelError = 134190
/// Records of another kind could not be imported.
public let NSExternalRecordImportError = 134200
/// The model that a reference stands for is not to be found.
public let NSManagedObjectModelReferenceNotFoundError = 134504
/// A staged migration needs another version of the framework.
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// A staged migration would lead to an older model.
public let NSStagedMigrationBackwardMigrationError = 134506
