import Foundation

/// The metadata that a store's file has, and whether other metadata have been set since.
package final class PendingMetadata: @unchecked Sendable {  // `lock` guards everything
  private let lock = NSLock()
  private var stored: [String: Any] = [:]
  private var changes = 0
  private var savedChanges = 0
  private var inTransaction: (dictionary: [String: Any], changes: Int)?

  package init() {}

  /// Notes that metadata were set which the file does not have.
  package func change() { lock.withLock { changes += 1 } }

  /// Notes the metadata that the file has; nothing is pending any more.
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
  /// `dictionary` is read after the changes have been counted, so that a change in between is still pending.
  /// - Parameters:
  ///   - read: returns the metadata that the store has now; another process may have changed other keys.
  ///   - write: replaces the store's metadata.
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

  /// Returns the metadata of the transaction that has ended; nil if it wrote none, or if others have been set since.
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
