// Apple's codes in NSCocoaErrorDomain for stores that cannot be opened, read or saved.

/// The kind of store is not known.
public let NSPersistentStoreInvalidTypeError = 134000
/// The store at that place is of another kind.
public let NSPersistentStoreTypeMismatchError = 134010
/// The store cannot be used with the model, or the model contradicts itself.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// Saving to a store failed.
public let NSPersistentStoreSaveError = 134030
/// Of several stores some were saved and some were not.
public let NSPersistentStoreIncompleteSaveError = 134040
/// The changes to save are in conflict with changes that another context has saved.
public let NSPersistentStoreSaveConflictsError = 134050
/// A general Core Data error.
public let NSCoreDataError = 134060
/// Something that a store was asked to do failed.
public let NSPersistentStoreOperationError = 134070
/// Something about opening the store failed.
public let NSPersistentStoreOpenError = 134080
/// The store stayed locked past the timeout.
public let NSPersistentStoreTimeoutError = 134090
/// The store does not support the request.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// The store was written with another model.
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// A general SQLite error.
public let NSSQLiteError = 134180
/// The history after a token is not there any more, or never was in this store.
public let NSPersistentHistoryTokenExpiredError = 134301

/// The domain of SQLite's own codes, under `NSUnderlyingErrorKey` and as a key in userInfo, as Apple's framework has it.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
