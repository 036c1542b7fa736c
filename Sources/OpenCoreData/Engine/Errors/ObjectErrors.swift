// Apple's codes in NSCocoaErrorDomain for objects that cannot be locked, found or merged.

/// 132000: a context's lock could not be taken.
///
/// Never thrown here: contexts wait for the lock.
public let NSManagedObjectContextLockingError = 132000
/// 132010: a coordinator's lock could not be taken.
///
/// Never thrown here: coordinators wait for the lock.
public let NSPersistentStoreCoordinatorLockingError = 132010
/// 133000: an object was requested that the store does not contain.
///
/// Thrown by `existingObject(with:)`, and by the save of a child context that refers to an object that its parent has
/// deleted.
public let NSManagedObjectReferentialIntegrityError = 133000
/// 133010: a relationship leads to an object of another store.
///
/// Keep both entities in one store, or keep the URI of the other object in an attribute.
public let NSManagedObjectExternalRelationshipError = 133010
/// 133020: others have changed or deleted rows since the context read them, and its merge policy does not resolve the
/// conflict.
///
/// The `NSMergeConflict`s are under `NSPersistentStoreSaveConflictsErrorKey`: set a policy, or refresh the objects and
/// save again.
public let NSManagedObjectMergeError = 133020
/// 133021: another row already has values that must be unique, and the merge policy does not resolve the conflict.
///
/// The `NSConstraintConflict`s are under `NSPersistentStoreSaveConflictsErrorKey`.
public let NSManagedObjectConstraintMergeError = 133021
