// Apple's codes in NSCocoaErrorDomain for objects that cannot be locked, found or merged.

/// A context's lock could not be taken.
public let NSManagedObjectContextLockingError = 132000
/// A coordinator's lock could not be taken.
public let NSPersistentStoreCoordinatorLockingError = 132010
/// An object that the store does not hold was asked for.
public let NSManagedObjectReferentialIntegrityError = 133000
/// A relationship leads to an object of another store.
public let NSManagedObjectExternalRelationshipError = 133010
/// Another context or process has changed rows since they were read.
public let NSManagedObjectMergeError = 133020
/// A uniqueness constraint would be violated.
public let NSManagedObjectConstraintMergeError = 133021
