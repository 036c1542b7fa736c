import CSQLite
import Foundation
import OpenCocoaFoundation

/// Keeps an error that a SQL function has thrown, since SQLite itself passes on only a text. The error stays with the
/// thread until the statement has ended; the code that ran the statement throws it then.
enum SQLFunctionFailure {
  private static let key = "OCDSQLFunctionFailure"

  /// Ends the statement with an error.
  static func note(_ error: any Error, in context: OpaquePointer) {
    Thread.current.threadDictionary[key] = error
    sqlite3_result_error(context, "\(error)", -1)
  }

  /// The error that has ended the statement which ended with that text; nil if no function has.
  static func take(_ text: String) -> NSError? {
    guard let error = Thread.current.threadDictionary[key] as? any Error, text == "\(error)" else { return nil }
    Thread.current.threadDictionary.removeObject(forKey: key)
    switch error {
    case let error as OCDEvaluationError: return SQLLoweringError.make(error.description)
    case let error as InvalidPattern: return SQLLoweringError.make(error.description)
    default: return error as NSError
    }
  }
}
