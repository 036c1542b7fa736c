import Foundation
import Synchronization

/// The folders of private stores, which nobody else can reach: those at `/dev/null`, and copies that are only read.
///
/// The folders of stores at `/dev/null` are in memory if the system has a place for that. A folder is removed when its store
/// is closed, or else when the program ends. A folder that a killed program has left is removed when another program makes its
/// first folder in the same place.
enum PrivateStoreFolder {
  /// The descriptors of the folders that this process has made; each holds its folder's lock.
  private static let folders = Mutex<[String: Int32]>([:])
  /// The places in which this process has looked for abandoned folders.
  private static let cleaned = Mutex<Set<String>>([])
  private static let prefix = "OpenCoreData-"

  /// Makes a folder in a place, and returns the path for the store's file in the folder.
  /// - Throws: the error of making a folder.
  static func make(in base: String = base) throws -> String {
    _ = removingAtExit
    if cleaned.withLock({ $0.insert(base).inserted }) { removeAbandoned(in: base) }
    while true {
      let folder = base + "/\(prefix)\(getpid())-\(UUID().uuidString)"
      // Other users can write to the base folder, so the new folder is closed to them.
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      // A container that shares the base folder may have taken the new folder for an abandoned one before it was locked.
      guard let descriptor = lock(folder) else { continue }
      folders.withLock { $0[folder] = descriptor }
      return folder + "/private.sqlite"
    }
  }

  /// Removes the folder of the store at `storePath`.
  static func remove(storePath: String) {
    let folder = URL(fileURLWithPath: storePath).deletingLastPathComponent().path
    // Only folders that this process has made are ever removed here.
    guard let descriptor = folders.withLock({ $0.removeValue(forKey: folder) }) else { return }
    try? FileManager.default.removeItem(atPath: folder)
    close(descriptor)
  }

  /// The place in which the folders of stores at `/dev/null` are made.
  static let base: String = {
    let shared = "/dev/shm"
    return FileManager.default.isWritableFile(atPath: shared) ? shared : FileManager.default.temporaryDirectory.path
  }()

  /// Runs once in a process: arranges that this program's folders are removed when it ends.
  private static let removingAtExit: Void = {
    atexit {
      for folder in PrivateStoreFolder.folders.withLock({ $0.keys }) {
        try? FileManager.default.removeItem(atPath: folder)
      }
    }
  }()

  /// Removes the folders whose programs have ended.
  ///
  /// The number in a folder's name is that of its process. But a process in a container with its own process numbers cannot
  /// find it. So the lock decides: the system releases it when a process ends, in whatever way it ends.
  static func removeAbandoned(in base: String = base) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? [] where name.hasPrefix(prefix) {
      guard let process = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }) else { continue }
      // If the process exists, its folder may be one that is not locked yet.
      guard kill(process, 0) != 0, errno == ESRCH, let descriptor = lock("\(base)/\(name)") else { continue }
      try? FileManager.default.removeItem(atPath: "\(base)/\(name)")
      close(descriptor)
    }
  }

  /// Locks a folder.
  /// - Returns: a descriptor that holds the lock until it is closed; nil if another process has the lock, or if the folder
  ///   has been removed.
  private static func lock(_ folder: String) -> Int32? {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // A folder that was removed meanwhile can still be locked.
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0, access(folder, F_OK) == 0 { return descriptor }
    close(descriptor)
    return nil
  }
}
