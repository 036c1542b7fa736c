import Foundation

extension CocoaError.Code {
  /// A context's lock could not be taken.
  public static var managedObjectContextLocking: CocoaError.Code { Self(rawValue: NSManagedObjectContextLockingError) }
  /// A coordinator's lock could not be taken.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code {
    Self(rawValue: NSPersistentStoreCoordinatorLockingError)
  }
  /// An object that the store does not hold was asked for.
  public static var managedObjectReferentialIntegrity: CocoaError.Code {
    Self(rawValue: NSManagedObjectReferentialIntegrityError)
  }
  /// A relationship leads to an object of another store.
  public static var managedObjectExternalRelationship: CocoaError.Code {
    Self(rawValue: NSManagedObjectExternalRelationshipError)
  }
  /// Another context or process has changed rows since they were read.
  public static var managedObjectMerge: CocoaError.Code { Self(rawValue: NSManagedObjectMergeError) }
  /// A uniqueness constraint would be violated.
  public static var managedObjectConstraintMerge: CocoaError.Code {
    Self(rawValue: NSManagedObjectConstraintMergeError)
  }
}

extension CocoaError {
  /// A context's lock could not be taken.
  public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
  /// A coordinator's lock could not be taken.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code { .persistentStoreCoordinatorLocking }
  /// An object that the store does not hold was asked for.
  public static var managedObjectReferentialIntegrity: CocoaError.Code { .managedObjectReferentialIntegrity }
  /// A relationship leads to an object of another store.
  public static var managedObjectExternalRelationship: CocoaError.Code { .managedObjectExternalRelationship }
  /// Another context or process has changed rows since they were read.
  public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
  /// A uniqueness constraint would be violated.
  public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
}
