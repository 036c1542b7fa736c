// Apple's codes in NSCocoaErrorDomain for stores that cannot be opened, read or saved.

/// 134000: no class is registered for the type of store.
///
/// The text lists the registered types.
public let NSPersistentStoreInvalidTypeError = 134000
/// 134010: the store at that place is of another kind.
///
/// Never thrown here: a file of another kind gives 259.
public let NSPersistentStoreTypeMismatchError = 134010
/// 134020: the model contradicts itself, or the store cannot hold it.
///
/// The userInfo names entity and property.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// 134030: a save or a batch request failed for a reason in the store.
///
/// Nothing was written; the text and the underlying error say why.
public let NSPersistentStoreSaveError = 134030
/// 134040: some of several stores were saved, and others were not.
///
/// Never thrown here: the save throws the error of the store that failed, and the stores before it are written
/// (D-CTX-22).
public let NSPersistentStoreIncompleteSaveError = 134040
/// 134050: the file of an XML or binary store was written by somebody else since it was read.
///
/// Remove the store and add it again; saving would overwrite the other changes (D-STO-19).
public let NSPersistentStoreSaveConflictsError = 134050
/// 134060: a request does not fit the model or cannot be executed: an unknown key, a predicate that SQL cannot express,
/// a context without stores.
///
/// The text names the part. The cause is a mistake in the program, or in text from outside.
public let NSCoreDataError = 134060
/// 134070: a store cannot carry out an operation: for example, it cannot be destroyed as a file, or its query
/// generation has expired.
///
/// For a store on a server, also a lost connection.
public let NSPersistentStoreOperationError = 134070
/// 134080: a store cannot be opened as requested: it is open already, an option has a wrong value, or the configuration
/// does not exist.
///
/// The text says what was expected.
public let NSPersistentStoreOpenError = 134080
/// 134090: others kept the store locked for longer than `NSPersistentStoreTimeoutOption`, 240 seconds by default.
///
/// Nothing was done: try again later.
public let NSPersistentStoreTimeoutError = 134090
/// 134091: the store does not support requests of that kind, such as batch requests in memory, or history requests if
/// no history is tracked.
///
/// No store was changed.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// 134100: the store was written with another version of the model.
///
/// Open it with `NSMigratePersistentStoresAutomaticallyOption`, or with the model that it was made with.
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// 134180: SQLite failed in a way that has no other code.
///
/// SQLite's own code is in the userInfo under `NSSQLiteErrorDomain`.
public let NSSQLiteError = 134180
/// 134301: the history after a token was deleted, or has never been in this store.
///
/// Start again: read the present contents of the store, and take a new `currentPersistentHistoryToken(fromStores:)`.
public let NSPersistentHistoryTokenExpiredError = 134301

/// The domain of SQLite's own codes in the error under `NSUnderlyingErrorKey`; also the key of the code in userInfo, as
/// in Apple's framework.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
