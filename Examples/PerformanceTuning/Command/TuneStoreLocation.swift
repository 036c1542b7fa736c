import CommandSupport
import Foundation
import PerformanceTuning

/// Which file the data is in, and whether it stays.
struct TuneStoreLocation {
  let url: URL
  let isTemporary: Bool

  /// Finds the place, and makes the folder.
  ///
  /// - Parameters:
  ///   - path: The file that was asked for.
  ///   - keep: Whether a file in the cache folder will do; its name says how much it holds.
  ///   - size: How much.
  init(path: String?, keep: Bool, size: SampleSize) throws {
    isTemporary = path == nil && !keep
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

  /// Removes the folder of a temporary store; what cannot be removed is left to the system.
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
