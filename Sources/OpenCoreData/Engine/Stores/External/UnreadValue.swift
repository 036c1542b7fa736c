import Foundation
import Synchronization

/// A value whose file could not be read when the row was read. Its slot counts as null. Every access to the value tries
/// again to read the file; a value that was read is kept.
///
/// A value whose file is missing is not an unread value, but nil.
package final class UnreadValue: Sendable {
  /// The file's name.
  let name: String
  private let storage: ExternalStorage
  private let found = Mutex<SnapshotBlob?>(nil)

  init(_ name: String, in storage: ExternalStorage) { (self.name, self.storage) = (name, storage) }

  /// Reads the value now; nil if its file has been removed meanwhile.
  /// - Throws: 257 without permission, else 256, with the file's path and the system's error.
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
  /// Whether the row has a value that cannot be read now, and no other value was set: the value stays as it is.
  final func isUnreadable(_ slot: PropertySlot) -> Bool { readingError(slot) != nil }

  /// Returns the error for a value that cannot be read now; nil if there is no such value.
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
