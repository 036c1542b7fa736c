import CommandSupport
import CoreData
import Foundation

/// A store in a temporary folder, to try out on what is not to be changed; it goes with this object.
final class Rehearsal {
  let url: URL
  private let folder: URL

  /// A copy of a store, or nothing yet. No byte of the store and its folder is changed.
  init(of store: URL?, _ kind: StoreKind = .sqlite, options: [AnyHashable: Any]? = nil) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "coredata-\(UUID().uuidString)")
    url = folder.appending(path: store?.lastPathComponent ?? "Store.sqlite")
    do {
      // The temporary folder is everybody's, and what is in the store is not.
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      if let store { try StoreFile.copy(store, to: url, kind, options: options, isQuiet: true) }
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw ToolError(
        store.map { "The store \($0.path) cannot be copied to a temporary folder: \(StoreInput.text(of: error))" }
          ?? StoreInput.text(of: error))
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
