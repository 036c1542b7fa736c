import CommandSupport
import CoreData
import Foundation
import PerformanceTuning

#if PostgreSQL
  import CoreDataPostgreSQL
#endif

/// The place of the data, which is a file or a store of a PostgreSQL server, and whether the data stays.
struct TuneStoreLocation {
  let url: URL
  /// The type of the store.
  let type: String
  let isTemporary: Bool

  /// Finds the place, and makes the folder of a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file, or the URL of a store in a server; nil if none was given.
  ///   - keep: Whether to use a file in the cache folder, whose name contains the size, if no path was given.
  ///   - size: The numbers of objects.
  init(path: String?, keep: Bool, size: SampleSize) throws {
    isTemporary = path == nil && !keep
    if let path, let server = try Self.server(path) {
      (url, type) = server
      return
    }
    type = NSSQLiteStoreType
    if let path {
      url = URL(fileURLWithPath: (path as NSString).expandingTildeInPath)
    } else if keep {
      url = try Self.cacheFolder().appending(
        path: "tune-\(size.people)x\(size.selfies)x\(size.networks).sqlite", directoryHint: .notDirectory)
    } else {
      url = FileManager.default.temporaryDirectory.appending(
        path: "coredata-tune-\(UUID().uuidString)/PerformanceTuning.sqlite", directoryHint: .notDirectory)
    }
    let folder = url.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw ToolError("Cannot make the folder \(folder.path) for the store", error)
    }
  }

  /// Returns the store in a server that a URL names, and its type; nil for a path.
  /// - Throws: a ``ToolError`` if this program was built without stores in servers.
  private static func server(_ text: String) throws -> (URL, String)? {
    guard ["postgresql:", "postgres:"].contains(where: text.lowercased().hasPrefix), let url = URL(string: text) else {
      return nil
    }
    #if PostgreSQL
      return (url, NSPostgreSQLStoreType)
    #else
      throw ToolError(
        "The store \(url.shown) is in a PostgreSQL server, and this program was built without them: build it with "
          + "--traits PostgreSQL.")
    #endif
  }

  /// Removes the folder of a temporary store. If that fails, the folder is left to the system's clean-up.
  func removeIfTemporary() {
    guard isTemporary else { return }
    try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }

  private static func cacheFolder() throws -> URL {
    guard let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first else {
      throw ToolError("There is no cache folder to keep the store in; name a file with --store.")
    }
    return caches.appending(path: "opencoredata", directoryHint: .isDirectory)
  }
}
