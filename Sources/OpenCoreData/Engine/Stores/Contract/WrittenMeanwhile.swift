import Foundation

/// Repeats work on a store that another process has written while the store that replaces it was made.
package enum WrittenMeanwhile {
  /// The number of attempts if others keep writing the store.
  private static let mostAttempts = 20

  /// Returns whether an error says that others have written the store: 134050.
  package static func isReason(_ error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreSaveConflictsError
  }

  /// Does the work, and repeats it if others have written the store meanwhile.
  package static func retrying(_ work: () throws -> Void) throws {
    for _ in 1..<mostAttempts {
      do { return try work() } catch  where isReason(error) {}
    }
    try work()
  }
}
