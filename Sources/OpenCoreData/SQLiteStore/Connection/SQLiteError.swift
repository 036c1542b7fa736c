import CSQLite
import Foundation

/// Turns SQLite's result codes into Apple's errors.
enum SQLiteError {
  /// The error for a failed call on `handle`.
  static func make(_ code: Int32, handle: OpaquePointer?, path: String, doing: String) -> NSError {
    let text =
      handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? String(cString: sqlite3_errstr(code))
    if code & 0xff == SQLITE_ERROR, let failure = SQLFunctionFailure.take(text) { return failure }
    if isKeyInUse(code) { return keyInUse(code, text, path) }
    let code = isUnreadable(code, handle) ? unreadable : code
    let cocoa = isOutOfSpace(code, handle) ? CocoaError.Code.fileWriteOutOfSpace.rawValue : cocoaCode(code & 0xff)
    if Watchers.current.contains(.log) {
      FrameworkLog.write(
        .error, "(\(code & 0xff)) I/O error for database at \(path).  SQLite error code:\(code), '\(text)'")
    }
    var info: [String: Any] = [
      NSFilePathErrorKey: path, NSSQLiteErrorDomain: NSNumber(value: code),
      NSLocalizedDescriptionKey: "\(summary(cocoa)) \(path)",
      NSLocalizedFailureReasonErrorKey: "SQLite error code:\(code), '\(text)' while \(doing)",
      "reason": text,
    ]
    if code & 0xff == SQLITE_CANTOPEN, let handle, case let system = sqlite3_system_errno(handle),
      system == EMFILE || system == ENFILE
    {
      // The file is not at fault: the process or the system has too many open files.
      info[NSUnderlyingErrorKey] = NSError(domain: NSPOSIXErrorDomain, code: Int(system))
      info[NSLocalizedFailureReasonErrorKey] =
        "SQLite error code:\(code), '\(text)' (\(String(cString: strerror(system)))) while \(doing)"
    }
    return NSError(domain: NSCocoaErrorDomain, code: cocoa, userInfo: info)
  }

  /// Returns the error for a statement that is larger than SQLite takes, or that nests aggregates; nil for other failures.
  /// Such a statement comes from a request, and the file is not at fault.
  static func limit(_ code: Int32, handle: OpaquePointer, _ sql: String) -> NSError? {
    guard [SQLITE_ERROR, SQLITE_TOOBIG].contains(code & 0xff) else { return nil }
    let verb = sql.prefix { $0.isLetter }.uppercased()
    guard ["SELECT", "UPDATE", "DELETE", "INSERT", "WITH"].contains(verb) else { return nil }
    let text = String(cString: sqlite3_errmsg(handle))
    let limits = [
      "at most ", "too many terms in ", "too many SQL variables", "too many columns in ", "too many FROM clause terms",
      "too many arguments on function", "Expression tree is too large", "parser stack overflow",
      "string or blob too big", "misuse of aggregate",
    ]
    guard limits.contains(where: text.hasPrefix) else { return nil }
    return SQLLoweringError.make("The request makes a statement that SQLite does not take: \(text)")
  }

  /// Whether the key of a new row is in use already. Then no constraint of the model is violated: Z_MAX is behind the keys of
  /// the rows.
  private static func isKeyInUse(_ code: Int32) -> Bool {
    [SQLITE_CONSTRAINT | 6 << 8, SQLITE_CONSTRAINT | 10 << 8].contains(code)  // ..._PRIMARYKEY, ..._ROWID
  }

  /// Whether a row was refused because another row has its key.
  static func isKeyInUse(_ error: any Error) -> Bool {
    ((error as NSError).userInfo[NSSQLiteErrorDomain] as? NSNumber).map { isKeyInUse($0.int32Value) } ?? false
  }

  private static func keyInUse(_ code: Int32, _ text: String, _ path: String) -> NSError {
    NSError(
      coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
      "Z_MAX in Z_PRIMARYKEY is behind the keys that rows of the store at \(path) have: \(text). Nothing was written.",
      [NSFilePathErrorKey: path, NSSQLiteErrorDomain: NSNumber(value: code)])
  }

  /// Whether `error` carries SQLite's code `code`; extended codes are reduced to their primary code first.
  static func has(_ error: any Error, code: Int32) -> Bool {
    guard let number = (error as NSError).userInfo[NSSQLiteErrorDomain] as? NSNumber else { return false }
    return number.int32Value & 0xff == code
  }

  /// Whether SQLite could not read a database because it may not write to the file or make files beside it. A lock for
  /// writing on a file that is open for reading only gives SQLITE_IOERR_LOCK.
  static func isForbidden(_ error: any Error) -> Bool {
    let info = (error as NSError).userInfo
    // An error of the system stands under that of a process with too many open files.
    guard let number = info[NSSQLiteErrorDomain] as? NSNumber, info[NSUnderlyingErrorKey] == nil else { return false }
    let code = number.int32Value
    return [SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM].contains(code & 0xff) || code == SQLITE_IOERR | 15 << 8
  }

  /// Whether a commit that failed with `error` may be on the disk all the same. The part of a commit that makes it valid is
  /// written last: if there was no room to write it, nothing was committed.
  static func leavesOpen(_ error: any Error) -> Bool {
    has(error, code: SQLITE_IOERR) && (error as NSError).code != CocoaError.Code.fileWriteOutOfSpace.rawValue
  }

  /// Whether a row was refused because another row has the same values in the columns of a UNIQUE index.
  static func isNotUnique(_ error: any Error) -> Bool {
    guard let number = (error as NSError).userInfo[NSSQLiteErrorDomain] as? NSNumber else { return false }
    return number.int32Value == SQLITE_CONSTRAINT | 8 << 8  // SQLITE_CONSTRAINT_UNIQUE
  }

  /// Whether there is no room. SQLite reports a full disk only if the system does: to SQLite, exceeded quotas and file size
  /// limits are I/O errors.
  private static func isOutOfSpace(_ code: Int32, _ handle: OpaquePointer?) -> Bool {
    guard code & 0xff == SQLITE_IOERR, let handle else { return false }
    return ([sqlite3_system_errno(handle)] + lastErrors(handle)).contains { [ENOSPC, EDQUOT, EFBIG].contains($0) }
  }

  /// SQLITE_IOERR_CORRUPTFS, the code of an error for which SQLite reports SQLITE_CORRUPT although the disk could not be
  /// read.
  static let unreadable = SQLITE_IOERR | 33 << 8

  /// Whether the disk could not be read. SQLite reports that as a damaged database, and a user who believes that replaces an
  /// intact file.
  static func isUnreadable(_ code: Int32, _ handle: OpaquePointer?) -> Bool {
    guard code & 0xff == SQLITE_CORRUPT, let handle else { return false }
    return lastErrors(handle).contains { [EIO, ENXIO, ERANGE].contains($0) }
  }

  /// Returns the errors of the last system calls that failed on the database and on its journal; 0 for a file on which none
  /// has failed.
  private static func lastErrors(_ handle: OpaquePointer) -> [Int32] {
    var errors: [Int32] = []
    for kind in [SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER] {
      var file: UnsafeMutablePointer<sqlite3_file>?
      var last: Int32 = 0
      guard sqlite3_file_control(handle, "main", kind, &file) == SQLITE_OK, let file,
        let methods = file.pointee.pMethods,
        methods.pointee.xFileControl?(file, SQLITE_FCNTL_LAST_ERRNO, &last) == SQLITE_OK
      else { continue }
      errors.append(last)
    }
    return errors
  }

  private static func cocoaCode(_ code: Int32) -> Int {
    switch code {
    case SQLITE_NOTADB, SQLITE_CORRUPT: CocoaError.Code.fileReadCorruptFile.rawValue
    case SQLITE_CANTOPEN: CocoaError.Code.fileReadUnknown.rawValue
    case SQLITE_READONLY, SQLITE_PERM: CocoaError.Code.fileWriteNoPermission.rawValue
    case SQLITE_FULL: CocoaError.Code.fileWriteOutOfSpace.rawValue
    case SQLITE_BUSY, SQLITE_LOCKED: NSPersistentStoreTimeoutError
    case SQLITE_CONSTRAINT: NSManagedObjectConstraintMergeError
    default: NSSQLiteError
    }
  }

  private static func summary(_ code: Int) -> String {
    switch code {
    case CocoaError.Code.fileReadCorruptFile.rawValue: "The file isn't a readable SQLite database:"
    case CocoaError.Code.fileReadUnknown.rawValue: "The file couldn't be opened:"
    case CocoaError.Code.fileWriteNoPermission.rawValue: "The file couldn't be written for want of permission:"
    case CocoaError.Code.fileWriteOutOfSpace.rawValue: "There is no room left to write the file:"
    case NSPersistentStoreTimeoutError: "Another process kept the store locked past the timeout:"
    case NSManagedObjectConstraintMergeError: "A constraint of the store was violated:"
    default: "SQLite reported an error for"
    }
  }
}
