import CommandSupport
import CoreData
import Foundation

/// A store in a temporary folder, or in a schema of its own, on which changes can be tried. It is removed together with this
/// object.
package final class Rehearsal {
  package let url: URL
  private let kind: StoreKind
  private let options: [AnyHashable: Any]?
  private let folder: URL?

  /// Makes a place for a store, with a copy of a store if one is given. No byte of the given store and its folder is changed.
  package init(
    of store: URL?, _ kind: StoreKind = .sqlite, options: [AnyHashable: Any]? = nil, progress: Progress? = nil
  ) throws {
    (self.kind, self.options) = (kind, options)
    if let store, kind == .postgreSQL {
      folder = nil
      url = StorePlace.schema(beside: store, "~" + UUID().uuidString.prefix(13).lowercased())
      do {
        try StoreFile.copy(store, to: url, kind, options: options)
      } catch {
        throw ToolError("The store \(store.shown) cannot be copied to another schema: \(StoreErrors.text(of: error))")
      }
      return
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "coredata-\(UUID().uuidString)")
    self.folder = folder
    url = folder.appending(path: store?.lastPathComponent ?? "Store.sqlite")
    do {
      // The temporary folder can be read by all users, and the contents of the store must not be.
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      if let store {
        try StoreFile.copy(store, to: url, kind, options: options, progress: progress, isQuiet: true)
      }
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw ToolError(
        store.map { "The store \($0.path) cannot be copied to a temporary folder: \(StoreErrors.text(of: error))" }
          ?? StoreErrors.text(of: error))
    }
  }

  deinit {
    if let folder {
      try? FileManager.default.removeItem(at: folder)
    } else {
      try? NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        .removePersistentStore(at: url, ofType: kind.type, options: options)
    }
  }
}
