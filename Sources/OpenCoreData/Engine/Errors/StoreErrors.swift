// Apple's codes in NSCocoaErrorDomain for stores that cannot be opened, read or saved.

/// 134000: no class is registered for the type of store.
///
/// The text lists the types that there are.
public let NSPersistentStoreInvalidTypeError = 134000
/// 134010: the store at that place is of another kind.
///
/// Never thrown here: a file of another kind is 259.
public let NSPersistentStoreTypeMismatchError = 134010
/// 134020: the model contradicts itself, or the store cannot hold it.
///
/// The userInfo names entity and property.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// 134030: a save or a batch request failed for a reason of the store's.
///
/// Nothing was written; the text and the underlying error say why.
public let NSPersistentStoreSaveError = 134030
/// 134040: some of several stores were saved, and others were not.
///
/// Never thrown here: the save throws the error of the store that failed, and those before it are written (D-CTX-22).
public let NSPersistentStoreIncompleteSaveError = 134040
/// 134050: the file of an XML or binary store was written by another program since it was read.
///
/// Remove the store and add it again; saving would undo the other's work (D-STO-19).
public let NSPersistentStoreSaveConflictsError = 134050
/// 134060: a request does not fit the model or cannot be done: an unknown key, a predicate that SQL cannot express, a
/// context without stores.
///
/// The text names the part. It is a fault of the program, or of text from outside.
public let NSCoreDataError = 134060
/// 134070: a store cannot do what it was asked to do, for instance to be destroyed as a file, or to be read at a
/// generation that has ended.
///
/// For a store in a server also: the connection was lost.
public let NSPersistentStoreOperationError = 134070
/// 134080: a store cannot be opened as asked: it is open already, an option has a wrong value, there is no such
/// configuration.
///
/// The text says what was expected.
public let NSPersistentStoreOpenError = 134080
/// 134090: the store stayed locked by others past `NSPersistentStoreTimeoutOption`, 240 seconds by default.
///
/// Nothing was done: try again later.
public let NSPersistentStoreTimeoutError = 134090
/// 134091: the store does not know requests of that kind, such as batch requests in memory, or history if none
/// is tracked.
///
/// No store was changed.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// 134100: the store was written with another version of the model.
///
/// Open it with `NSMigratePersistentStoresAutomaticallyOption`, or with the model that it was made with.
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// 134180: SQLite failed in a way that has no other code.
///
/// Its own code is in the userInfo under `NSSQLiteErrorDomain`.
public let NSSQLiteError = 134180
/// 134301: the history after a token was deleted, or never was in this store.
///
/// Begin anew: take the store as it is now, and `currentPersistentHistoryToken(fromStores:)`.
public let NSPersistentHistoryTokenExpiredError = 134301

/// The domain of SQLite's own codes, under `NSUnderlyingErrorKey` and as a key in userInfo, as Apple's framework has it.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
