import Foundation

extension CocoaError.Code {
  /// 132000: a context's lock could not be taken.
  ///
  /// Never thrown here: contexts wait for the lock.
  public static var managedObjectContextLocking: CocoaError.Code { Self(rawValue: NSManagedObjectContextLockingError) }
  /// 132010: a coordinator's lock could not be taken.
  ///
  /// Never thrown here: coordinators wait for the lock.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code {
    Self(rawValue: NSPersistentStoreCoordinatorLockingError)
  }
  /// 133000: an object was requested that the store does not contain.
  ///
  /// Thrown by `existingObject(with:)`, and by the save of a child context that refers to an object that its parent has
  /// deleted.
  public static var managedObjectReferentialIntegrity: CocoaError.Code {
    Self(rawValue: NSManagedObjectReferentialIntegrityError)
  }
  /// 133010: a relationship leads to an object of another store.
  ///
  /// Keep both entities in one store, or keep the URI of the other object in an attribute.
  public static var managedObjectExternalRelationship: CocoaError.Code {
    Self(rawValue: NSManagedObjectExternalRelationshipError)
  }
  /// 133020: others have changed or deleted rows since the context read them, and its merge policy does not resolve the
  /// conflict.
  ///
  /// The `NSMergeConflict`s are under `NSPersistentStoreSaveConflictsErrorKey`: set a policy, or refresh the objects
  /// and save again.
  public static var managedObjectMerge: CocoaError.Code { Self(rawValue: NSManagedObjectMergeError) }
  /// 133021: another row already has values that must be unique, and the merge policy does not resolve the conflict.
  ///
  /// The `NSConstraintConflict`s are under `NSPersistentStoreSaveConflictsErrorKey`.
  public static var managedObjectConstraintMerge: CocoaError.Code {
    Self(rawValue: NSManagedObjectConstraintMergeError)
  }
}

extension CocoaError {
  /// 132000: a context's lock could not be taken.
  ///
  /// Never thrown here: contexts wait for the lock.
  public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
  /// 132010: a coordinator's lock could not be taken.
  ///
  /// Never thrown here: coordinators wait for the lock.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code { .persistentStoreCoordinatorLocking }
  /// 133000: an object was requested that the store does not contain.
  ///
  /// Thrown by `existingObject(with:)`, and by the save of a child context that refers to an object that its parent has
  /// deleted.
  public static var managedObjectReferentialIntegrity: CocoaError.Code { .managedObjectReferentialIntegrity }
  /// 133010: a relationship leads to an object of another store.
  ///
  /// Keep both entities in one store, or keep the URI of the other object in an attribute.
  public static var managedObjectExternalRelationship: CocoaError.Code { .managedObjectExternalRelationship }
  /// 133020: others have changed or deleted rows since the context read them, and its merge policy does not resolve the
  /// conflict.
  ///
  /// The `NSMergeConflict`s are under `NSPersistentStoreSaveConflictsErrorKey`: set a policy, or refresh the objects
  /// and save again.
  public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
  /// 133021: another row already has values that must be unique, and the merge policy does not resolve the conflict.
  ///
  /// The `NSConstraintConflict`s are under `NSPersistentStoreSaveConflictsErrorKey`.
  public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
}
