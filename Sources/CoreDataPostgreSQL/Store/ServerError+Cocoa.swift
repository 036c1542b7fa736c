#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // The translation of the server's codes to Core Data's errors. The server's details, which contain values of rows,
  // are left out.
  extension ServerError {
    /// Returns the error that a request or a save throws.
    ///
    /// If a table or column is missing and the store has another version by now, the error is that the store was
    /// migrated.
    func cocoaError(_ store: ServerStore, isWriting: Bool) -> NSError {
      if ["42P01", "42703", "3F000"].contains(sqlState), store.isOfAnotherVersion { return store.noteMigration() }
      return cocoaError(place: store.place, isWriting: isWriting)
    }

    func cocoaError(place: String, isWriting: Bool) -> NSError {
      let (code, advice) = meaning(isWriting: isWriting)
      var info: [String: Any] = [
        NSUnderlyingErrorKey: NSError(
          domain: PostgreSQLStore.errorDomain, code: 0,
          userInfo: [
            NSLocalizedDescriptionKey: message, PostgreSQLStore.sqlStateKey: sqlState,
            PostgreSQLStore.statementKey: text ?? "",
          ]),
        NSLocalizedFailureReasonErrorKey: "\(message)\(sqlState.isEmpty ? "" : " (SQLSTATE \(sqlState))")",
        NSFilePathErrorKey: place,
      ]
      if let constraint { info["constraint"] = constraint }
      return NSError(coreData: code, "\(advice) The store is \(place): \(message).", info)
    }

    private func meaning(isWriting: Bool) -> (code: Int, advice: String) {
      let usual = isWriting ? NSPersistentStoreSaveError : NSCoreDataError
      if isOfSettings {
        return (
          NSPersistentStoreOpenError,
          "The settings of the connection, in the URL, the environment or a service file, do not lead to a session."
        )
      }
      if isTimedOut {
        return (
          NSPersistentStoreTimeoutError,
          "The server did not answer in time. The request can be made again, or get more time by the store's options."
        )
      }
      if isConnectionLost || sqlState.hasPrefix("08") {
        return (
          NSPersistentStoreOperationError,
          "The connection to the server is lost. The request can be made again when there is a server."
        )
      }
      switch sqlState {
      case "55P03":
        return (NSPersistentStoreTimeoutError, "Others kept a lock past the timeout. The request can be made again.")
      case "57014", "25P03", "25P02":
        return (
          NSPersistentStoreTimeoutError,
          "The server has stopped the statement, or the transaction. The request can be made again, or get more time."
        )
      case "40001", "40P01":
        return (usual, "Others were in the way again and again. The request can be made again.")
      case "57P01", "57P02", "57P03", "53300", "53400":
        return (
          NSPersistentStoreTimeoutError, "The server takes no connections now. The request can be made again later."
        )
      case "53100":
        return (
          CocoaError.Code.fileWriteOutOfSpace.rawValue,
          "The server has no room left. When it has, the context can save again what it has kept."
        )
      case "53200": return (usual, "The server has no memory left.")
      case "25006", "42501":
        return (CocoaError.Code.fileWriteNoPermission.rawValue, "The server does not let this user do that.")
      case "28000", "28P01":
        return (CocoaError.Code.fileReadNoPermission.rawValue, "The server does not let this user in.")
      case "3D000", "3F000":
        return (CocoaError.Code.fileReadNoSuchFile.rawValue, "There is no such database or schema.")
      case "42P01", "42703", "0A000":
        return (NSPersistentStoreIncompatibleSchemaError, "The tables are not those of the store's model.")
      case "54000" where isOfIndexRow:
        return (usual, "A value is too long for the index that it is in.")
      case "54000", "54001", "54011", "54023":
        return (usual, "The request makes a statement that the server does not take.")
      default: return (usual, isWriting ? "The save failed." : "The request failed.")
      }
    }
  }

  extension PostgreSQLStore {
    /// The domain of the errors that are under those of stores.
    public static let errorDomain = "PostgreSQL"
    /// In such an error: the server's code of five characters, SQLSTATE, as String; empty for errors of libpq.
    public static let sqlStateKey = "PostgreSQLState"
    /// In such an error: the text of the statement, as String, without its values.
    public static let statementKey = "PostgreSQLStatement"
  }
#endif
