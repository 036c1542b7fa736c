import Foundation

extension CocoaError.Code {
  /// 134000: no class is registered for the type of store.
  ///
  /// The text lists the registered types.
  public static var persistentStoreInvalidType: CocoaError.Code { Self(rawValue: NSPersistentStoreInvalidTypeError) }
  /// 134010: the store at that place is of another kind.
  ///
  /// Never thrown here: a file of another kind gives 259.
  public static var persistentStoreTypeMismatch: CocoaError.Code { Self(rawValue: NSPersistentStoreTypeMismatchError) }
  /// 134020: the model contradicts itself, or the store cannot hold it.
  ///
  /// The userInfo names entity and property.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code {
    Self(rawValue: NSPersistentStoreIncompatibleSchemaError)
  }
  /// 134030: a save or a batch request failed for a reason in the store.
  ///
  /// Nothing was written; the text and the underlying error say why.
  public static var persistentStoreSave: CocoaError.Code { Self(rawValue: NSPersistentStoreSaveError) }
  /// 134040: some of several stores were saved, and others were not.
  ///
  /// Never thrown here: the save throws the error of the store that failed, and the stores before it are written
  /// (D-CTX-22).
  public static var persistentStoreIncompleteSave: CocoaError.Code {
    Self(rawValue: NSPersistentStoreIncompleteSaveError)
  }
  /// 134050: the file of an XML or binary store was written by somebody else since it was read.
  ///
  /// Remove the store and add it again; saving would overwrite the other changes (D-STO-19).
  public static var persistentStoreSaveConflicts: CocoaError.Code {
    Self(rawValue: NSPersistentStoreSaveConflictsError)
  }
  /// 134060: a request does not fit the model or cannot be executed: an unknown key, a predicate that SQL cannot
  /// express, a context without stores.
  ///
  /// The text names the part. The cause is a mistake in the program, or in text from outside.
  public static var coreData: CocoaError.Code { Self(rawValue: NSCoreDataError) }
  /// 134070: a store cannot carry out an operation: for example, it cannot be destroyed as a file, or its query
  /// generation has expired.
  ///
  /// For a store on a server, also a lost connection.
  public static var persistentStoreOperation: CocoaError.Code { Self(rawValue: NSPersistentStoreOperationError) }
  /// 134080: a store cannot be opened as requested: it is open already, an option has a wrong value, or the
  /// configuration does not exist.
  ///
  /// The text says what was expected.
  public static var persistentStoreOpen: CocoaError.Code { Self(rawValue: NSPersistentStoreOpenError) }
  /// 134090: others kept the store locked for longer than `NSPersistentStoreTimeoutOption`, 240 seconds by default.
  ///
  /// Nothing was done: try again later.
  public static var persistentStoreTimeout: CocoaError.Code { Self(rawValue: NSPersistentStoreTimeoutError) }
  /// 134091: the store does not support requests of that kind, such as batch requests in memory, or history requests if
  /// no history is tracked.
  ///
  /// No store was changed.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
    Self(rawValue: NSPersistentStoreUnsupportedRequestTypeError)
  }
  /// 134100: the store was written with another version of the model.
  ///
  /// Open it with `NSMigratePersistentStoresAutomaticallyOption`, or with the model that it was made with.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
    Self(rawValue: NSPersistentStoreIncompatibleVersionHashError)
  }
  /// 134180: SQLite failed in a way that has no other code.
  ///
  /// SQLite's own code is in the userInfo under `NSSQLiteErrorDomain`.
  public static var sqlite: CocoaError.Code { Self(rawValue: NSSQLiteError) }
}

extension CocoaError {
  /// 134000: no class is registered for the type of store.
  ///
  /// The text lists the registered types.
  public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
  /// 134010: the store at that place is of another kind.
  ///
  /// Never thrown here: a file of another kind gives 259.
  public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
  /// 134020: the model contradicts itself, or the store cannot hold it.
  ///
  /// The userInfo names entity and property.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code { .persistentStoreIncompatibleSchema }
  /// 134030: a save or a batch request failed for a reason in the store.
  ///
  /// Nothing was written; the text and the underlying error say why.
  public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
  /// 134040: some of several stores were saved, and others were not.
  ///
  /// Never thrown here: the save throws the error of the store that failed, and the stores before it are written
  /// (D-CTX-22).
  public static var persistentStoreIncompleteSave: CocoaError.Code { .persistentStoreIncompleteSave }
  /// 134050: the file of an XML or binary store was written by somebody else since it was read.
  ///
  /// Remove the store and add it again; saving would overwrite the other changes (D-STO-19).
  public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
  /// 134060: a request does not fit the model or cannot be executed: an unknown key, a predicate that SQL cannot
  /// express, a context without stores.
  ///
  /// The text names the part. The cause is a mistake in the program, or in text from outside.
  public static var coreData: CocoaError.Code { .coreData }
  /// 134070: a store cannot carry out an operation: for example, it cannot be destroyed as a file, or its query
  /// generation has expired.
  ///
  /// For a store on a server, also a lost connection.
  public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
  /// 134080: a store cannot be opened as requested: it is open already, an option has a wrong value, or the
  /// configuration does not exist.
  ///
  /// The text says what was expected.
  public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
  /// 134090: others kept the store locked for longer than `NSPersistentStoreTimeoutOption`, 240 seconds by default.
  ///
  /// Nothing was done: try again later.
  public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
  /// 134091: the store does not support requests of that kind, such as batch requests in memory, or history requests if
  /// no history is tracked.
  ///
  /// No store was changed.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code { .persistentStoreUnsupportedRequestType }
  /// 134100: the store was written with another version of the model.
  ///
  /// Open it with `NSMigratePersistentStoresAutomaticallyOption`, or with the model that it was made with.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code { .persistentStoreIncompatibleVersionHash }
  /// 134180: SQLite failed in a way that has no other code.
  ///
  /// SQLite's own code is in the userInfo under `NSSQLiteErrorDomain`.
  public static var sqlite: CocoaError.Code { .sqlite }
}
