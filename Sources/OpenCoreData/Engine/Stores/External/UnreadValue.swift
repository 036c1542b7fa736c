import Foundation
import Synchronization

/// A value in a file that could not be read together with its row. Its slot counts as null. The file is read again whenever
/// the value is needed, and the value is kept once it was read.
///
/// A missing file is another case: its value is nil.
package final class UnreadValue: Sendable {
  /// The file's name.
  let name: String
  private let storage: ExternalStorage
  private let found = Mutex<SnapshotBlob?>(nil)

  init(_ name: String, in storage: ExternalStorage) { (self.name, self.storage) = (name, storage) }

  /// Reads the value now; nil if its file has gone in the meantime.
  /// - Throws: 257 without permission, otherwise 256, with the file's path and the system's error.
  package func read() throws -> SnapshotBlob? {
    if let known = found.withLock({ $0 }) { return known }
    do {
      let blob = try storage.read(name)
      found.withLock { $0 = blob }
      return blob
    } catch {
      throw storage.error(error, reading: name)
    }
  }

  /// The value for callers that cannot throw: nil if it cannot be read, with a line on standard error.
  var value: StoredValue {
    do {
      return try read().map { .data($0.data) } ?? .null
    } catch {
      ExternalStorage.report(
        storage.path(of: name), "\((error as NSError).localizedDescription) Its value reads as nil until it can be.")
      return .null
    }
  }
}

extension NSManagedObject {
  /// Whether the row has a value that cannot be read now, and nothing was set in its place: it stays as it is.
  final func isUnreadable(_ slot: PropertySlot) -> Bool { readingError(slot) != nil }

  /// The error for a value that cannot be read now; nil if there is no such error.
  final func readingError(_ slot: PropertySlot) -> (any Error)? {
    guard slot.allowsExternalFile, let unread = snapshot?.unread(slot.index),
      changes?.values[slot.index].isUnset ?? true
    else { return nil }
    do {
      _ = try unread.read()
      return nil
    } catch {
      return error
    }
  }
}
