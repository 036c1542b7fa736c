import CSQLite
import Foundation
import OpenCocoaFoundation

/// Keeps an error that a SQL function has thrown, because SQLite itself only passes on a text. The error is kept for the
/// thread until the statement has ended; the code that runs the statement then throws it.
enum SQLFunctionFailure {
  private static let key = "OCDSQLFunctionFailure"

  /// Ends the statement with an error.
  static func note(_ error: any Error, in context: OpaquePointer) {
    Thread.current.threadDictionary[key] = error
    sqlite3_result_error(context, "\(error)", -1)
  }

  /// Returns the error that a function has thrown, if `text` is the text with which the statement ended; otherwise nil.
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
