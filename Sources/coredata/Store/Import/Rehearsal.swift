import CoreData
import Foundation

/// A store in a temporary folder, to try out on what is not to be changed; it goes with this object.
final class Rehearsal {
  let url: URL
  private let folder: URL

  /// A copy of a store, or nothing yet.
  init(of store: URL?) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "coredata-\(UUID().uuidString)")
    url = folder.appending(path: store?.lastPathComponent ?? "Store.sqlite")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      if let store { try NSPersistentStoreCoordinator.backUpPersistentStore(at: store, to: url) }
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw ToolError((error as NSError).localizedDescription)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
