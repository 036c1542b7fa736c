// Apple's codes in NSCocoaErrorDomain for objects that cannot be locked, found or merged.

/// 132000: a context's lock could not be taken.
///
/// Never thrown here: contexts wait.
public let NSManagedObjectContextLockingError = 132000
/// 132010: a coordinator's lock could not be taken.
///
/// Never thrown here: coordinators wait.
public let NSPersistentStoreCoordinatorLockingError = 132010
/// 133000: an object that the store does not hold was asked for.
///
/// `existingObject(with:)` throws it, and the save of a child context that refers to what its parent has deleted.
public let NSManagedObjectReferentialIntegrityError = 133000
/// 133010: a relationship leads to an object of another store.
///
/// Keep both entities in one store, or keep the other's URI in an attribute.
public let NSManagedObjectExternalRelationshipError = 133010
/// 133020: others have changed or deleted rows since the context read them, and its merge policy does not resolve that.
///
/// The `NSMergeConflict`s are under `NSPersistentStoreSaveConflictsErrorKey`: set a policy, or refresh the objects and
/// save again.
public let NSManagedObjectMergeError = 133020
/// 133021: values that must be unique are taken, and the merge policy does not resolve that.
///
/// The `NSConstraintConflict`s are under `NSPersistentStoreSaveConflictsErrorKey`.
public let NSManagedObjectConstraintMergeError = 133021
