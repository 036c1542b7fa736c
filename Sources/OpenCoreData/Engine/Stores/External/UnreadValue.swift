import Foundation
import Synchronization

/// A value whose file could not be read when the row was read. Its slot counts as null. Every access to the value tries
/// again to read the file; a value that was read is kept.
///
/// A value whose file was missing when the row was read is not an unread value, but nil. A file that goes missing later says
/// that another program has replaced or removed the value: the value is unknown until a fetch reads the row again.
package final class UnreadValue: Sendable {
  /// The file's name.
  let name: String
  private let storage: ExternalStorage
  private let found = Mutex<SnapshotBlob?>(nil)

  init(_ name: String, in storage: ExternalStorage) { (self.name, self.storage) = (name, storage) }

  /// Reads the value now.
  /// - Throws: 260 if its file has been removed meanwhile, 257 without permission, else 256, with the file's path and the
  ///   system's error.
  package func read() throws -> SnapshotBlob {
    if let known = found.withLock({ $0 }) { return known }
    let blob: SnapshotBlob?
    do {
      blob = try storage.find(name)
    } catch {
      throw storage.error(error, reading: name)
    }
    guard let blob else {
      let path = storage.path(of: name)
      throw NSError(
        coreData: CocoaError.Code.fileReadNoSuchFile.rawValue,
        "The external data at \(path) has been replaced or removed since its object was read. Fetch the object again.",
        [NSFilePathErrorKey: path])
    }
    found.withLock { $0 = blob }
    return blob
  }

  /// The value for callers that cannot throw: nil if it cannot be read, with a line on standard error.
  var value: StoredValue {
    do {
      return .data(try read().data)
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
