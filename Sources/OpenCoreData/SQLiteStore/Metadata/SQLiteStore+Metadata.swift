import CSQLite
import Foundation

/// What a store's metadata were in the file, and whether others have been set since.
final class PendingMetadata: @unchecked Sendable {  // everything belongs to `lock`
  private let lock = NSLock()
  private var stored: [String: Any] = [:]
  private var changes = 0
  private var savedChanges = 0
  private var inTransaction: (dictionary: [String: Any], changes: Int)?

  /// Notes that metadata were set that the file does not have.
  func change() { lock.withLock { changes += 1 } }

  /// Notes what the file has; nothing is pending any more.
  func settle(_ dictionary: [String: Any]) {
    lock.withLock {
      stored = dictionary
      savedChanges = changes
      inTransaction = nil
    }
  }

  /// Whether the next save has metadata to write.
  var isPending: Bool { lock.withLock { changes != savedChanges } }

  /// Writes what was set into the transaction that is open on the writer; nothing where nothing was.
  ///
  /// `dictionary` is read after the changes have been counted: one that comes in between is pending still.
  func write(_ dictionary: @autoclosure () -> [String: Any], _ connection: SQLiteConnection) throws {
    let (old, number) = lock.withLock { (stored, changes) }
    guard var metadata = try StoreMetadata(connection) else {
      throw NSError(
        coreData: CocoaError.Code.fileReadCorruptFile.rawValue, "The store at \(connection.path) has no metadata.",
        [NSFilePathErrorKey: connection.path])
    }
    // Another process may have changed other keys.
    try metadata.apply(changesFrom: old, to: dictionary())
    try metadata.write(connection)
    lock.withLock { inTransaction = (metadata.dictionary, number) }
  }

  /// The metadata of the transaction that has ended; nil when it wrote none, or when others have been set since.
  func committed() -> [String: Any]? {
    lock.withLock {
      guard let (dictionary, number) = inTransaction else { return nil }
      inTransaction = nil
      stored = dictionary
      savedChanges = number
      return changes == number ? dictionary : nil
    }
  }
}

// Metadata that an application sets are kept here until a save writes them.
extension SQLiteStore {
  /// Takes over what the file says.
  func setStoredMetadata(_ dictionary: [String: Any]) {
    takeMetadata(dictionary)
    pendingMetadata.settle(dictionary)
  }

  /// What an application may make of metadata while the store is open: the framework's own keys stay.
  func completed(_ metadata: [String: Any]) -> [String: Any] {
    let old = self.metadata ?? [:]
    return metadata.merging(old.filter { StoreMetadata.frameworkKeys.contains($0.key) }) { $1 }
  }

  /// A part of every save's transaction.
  func writePendingMetadata(_ connection: SQLiteConnection) throws {
    if pendingMetadata.isPending { try pendingMetadata.write(metadata, connection) }
  }

  /// After a save's commit.
  func publishMetadata() {
    if let dictionary = pendingMetadata.committed() { takeMetadata(dictionary) }
  }

  /// Writes metadata that were set, in a transaction of their own.
  /// - Throws: 513 for a store that is read-only; 3852 for a value that no property list can hold; 134090 when the store
  ///   stays locked.
  func writeMetadata() throws {
    guard pendingMetadata.isPending else { return }
    if isReadOnly { throw readOnlyError }
    try writer.transaction {
      try writePendingMetadata($0)
    } publish: {
      publishMetadata()
    }
  }

  /// Reads again what the file says, after another store was put in its place; that one may have no history yet.
  func takeReplacement() throws {
    let stored = try writer.withConnection { connection in
      if history != nil { try HistoryTables.prepare(schema, connection) }
      return try StoreMetadata(connection)
    }
    if let stored { setStoredMetadata(stored.dictionary) }
  }
}
