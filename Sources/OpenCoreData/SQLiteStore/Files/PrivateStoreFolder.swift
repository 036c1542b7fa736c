import Foundation
import Synchronization

/// Folders of stores that nobody else can reach: those at `/dev/null`.
///
/// In memory where the system has a place for that. A folder goes when its store is closed, at the latest when the
/// program ends; one that a killed program left behind goes when another one makes the next.
enum PrivateStoreFolder {
  private static let folders = Mutex<Set<String>>([])
  private static let prefix = "OpenCoreData-"

  /// Makes a folder and gives the path for the store's file in it.
  /// - Throws: what making a folder throws.
  static func make() throws -> String {
    _ = cleaning
    let folder = base + "/\(prefix)\(getpid())-\(UUID().uuidString)"
    // The base is everybody's.
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    _ = folders.withLock { $0.insert(folder) }
    return folder + "/private.sqlite"
  }

  /// Removes the folder of that store.
  static func remove(storePath: String) {
    let folder = URL(fileURLWithPath: storePath).deletingLastPathComponent().path
    // Only what was made here is ever removed.
    guard folders.withLock({ $0.remove(folder) }) != nil else { return }
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static let base: String = {
    let shared = "/dev/shm"
    return FileManager.default.isWritableFile(atPath: shared) ? shared : FileManager.default.temporaryDirectory.path
  }()

  /// Once in a process: sees to the end of the program, and to what killed programs left.
  private static let cleaning: Void = {
    atexit {
      for folder in PrivateStoreFolder.folders.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: folder) }
    }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? [] where name.hasPrefix(prefix) {
      guard let process = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }) else { continue }
      if kill(process, 0) != 0, errno == ESRCH { try? FileManager.default.removeItem(atPath: "\(base)/\(name)") }
    }
  }()
}
