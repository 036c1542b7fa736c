import Foundation

/// Handles a store that another process has written while its successor was made.
package enum WrittenMeanwhile {
  /// The number of attempts to migrate a store that others keep writing.
  private static let mostAttempts = 20

  /// Whether that is why something has failed: 134050.
  package static func isReason(_ error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreSaveConflictsError
  }

  /// Does the work, and does it again if others have written the store in the meantime.
  package static func retrying(_ work: () throws -> Void) throws {
    for _ in 1..<mostAttempts {
      do { return try work() } catch  where isReason(error) {}
    }
    try work()
  }
}
