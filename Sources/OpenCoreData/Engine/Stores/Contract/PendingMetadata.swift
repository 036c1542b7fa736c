import Foundation

/// The metadata in a store's file, and whether others have been set since.
package final class PendingMetadata: @unchecked Sendable {  // everything belongs to `lock`
  private let lock = NSLock()
  private var stored: [String: Any] = [:]
  private var changes = 0
  private var savedChanges = 0
  private var inTransaction: (dictionary: [String: Any], changes: Int)?

  package init() {}

  /// Notes that metadata were set that the file does not have.
  package func change() { lock.withLock { changes += 1 } }

  /// Notes what the file has; nothing is pending any more.
  package func settle(_ dictionary: [String: Any]) {
    lock.withLock {
      stored = dictionary
      savedChanges = changes
      inTransaction = nil
    }
  }

  /// Whether the next save has metadata to write.
  package var isPending: Bool { lock.withLock { changes != savedChanges } }

  /// Writes the metadata that were set, as a part of a transaction.
  ///
  /// `dictionary` is read after the number of changes: a change in between is still pending afterwards.
  /// - Parameters:
  ///   - read: returns the store's present metadata; another process may have changed other keys.
  ///   - write: replaces them.
  package func write(
    _ dictionary: @autoclosure () -> [String: Any], reading read: () throws -> StoreMetadata,
    writing write: (StoreMetadata) throws -> Void
  ) throws {
    let (old, number) = lock.withLock { (stored, changes) }
    var metadata = try read()
    try metadata.apply(changesFrom: old, to: dictionary())
    try write(metadata)
    lock.withLock { inTransaction = (metadata.dictionary, number) }
  }

  /// The metadata of the transaction that has ended; nil when it wrote none, or when others have been set since.
  package func committed() -> [String: Any]? {
    lock.withLock {
      guard let (dictionary, number) = inTransaction else { return nil }
      inTransaction = nil
      stored = dictionary
      savedChanges = number
      return changes == number ? dictionary : nil
    }
  }
}
