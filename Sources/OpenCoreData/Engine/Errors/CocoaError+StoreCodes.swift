import Foundation

extension CocoaError.Code {
  /// The kind of store is not known.
  public static var persistentStoreInvalidType: CocoaError.Code { Self(rawValue: NSPersistentStoreInvalidTypeError) }
  /// The store at that place is of another kind.
  public static var persistentStoreTypeMismatch: CocoaError.Code { Self(rawValue: NSPersistentStoreTypeMismatchError) }
  /// The store cannot be used with the model, or the model contradicts itself.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code {
    Self(rawValue: NSPersistentStoreIncompatibleSchemaError)
  }
  /// Saving to a store failed.
  public static var persistentStoreSave: CocoaError.Code { Self(rawValue: NSPersistentStoreSaveError) }
  /// Of several stores some were saved and some were not.
  public static var persistentStoreIncompleteSave: CocoaError.Code {
    Self(rawValue: NSPersistentStoreIncompleteSaveError)
  }
  /// The changes to save are in conflict with changes that another context has saved.
  public static var persistentStoreSaveConflicts: CocoaError.Code {
    Self(rawValue: NSPersistentStoreSaveConflictsError)
  }
  /// A general Core Data error.
  public static var coreData: CocoaError.Code { Self(rawValue: NSCoreDataError) }
  /// Something that a store was asked to do failed.
  public static var persistentStoreOperation: CocoaError.Code { Self(rawValue: NSPersistentStoreOperationError) }
  /// Something about opening the store failed.
  public static var persistentStoreOpen: CocoaError.Code { Self(rawValue: NSPersistentStoreOpenError) }
  /// The store stayed locked past the timeout.
  public static var persistentStoreTimeout: CocoaError.Code { Self(rawValue: NSPersistentStoreTimeoutError) }
  /// The store does not support the request.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
    Self(rawValue: NSPersistentStoreUnsupportedRequestTypeError)
  }
  /// The store was written with another model.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
    Self(rawValue: NSPersistentStoreIncompatibleVersionHashError)
  }
  /// A general SQLite error.
  public static var sqlite: CocoaError.Code { Self(rawValue: NSSQLiteError) }
}

extension CocoaError {
  /// The kind of store is not known.
  public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
  /// The store at that place is of another kind.
  public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
  /// The store cannot be used with the model, or the model contradicts itself.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code { .persistentStoreIncompatibleSchema }
  /// Saving to a store failed.
  public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
  /// Of several stores some were saved and some were not.
  public static var persistentStoreIncompleteSave: CocoaError.Code { .persistentStoreIncompleteSave }
  /// The changes to save are in conflict with changes that another context has saved.
  public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
  /// A general Core Data error.
  public static var coreData: CocoaError.Code { .coreData }
  /// Something that a store was asked to do failed.
  public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
  /// Something about opening the store failed.
  public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
  /// The store stayed locked past the timeout.
  public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
  /// The store does not support the request.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code { .persistentStoreUnsupportedRequestType }
  /// The store was written with another model.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code { .persistentStoreIncompatibleVersionHash }
  /// A general SQLite error.
  public static var sqlite: CocoaError.Code { .sqlite }
}
