import Foundation
import Synchronization

/// Folders of stores that no other program can reach: those at `/dev/null`.
///
/// They are in memory if the system has a place for that. A folder is removed when its store is closed, at the latest when
/// the program ends. A folder that a killed program has left is removed when another program makes one.
enum PrivateStoreFolder {
  /// Descriptors of the folders that this process has made, which hold their locks.
  private static let folders = Mutex<[String: Int32]>([:])
  private static let prefix = "OpenCoreData-"

  /// Makes a folder and gives the path for the store's file in it.
  /// - Throws: what making a folder throws.
  static func make() throws -> String {
    _ = cleaning
    while true {
      let folder = base + "/\(prefix)\(getpid())-\(UUID().uuidString)"
      // The base is everybody's.
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      // Another container with the same base may have removed the folder as an abandoned one before the folder was locked.
      guard let descriptor = lock(folder) else { continue }
      folders.withLock { $0[folder] = descriptor }
      return folder + "/private.sqlite"
    }
  }

  /// Removes the folder of that store.
  static func remove(storePath: String) {
    let folder = URL(fileURLWithPath: storePath).deletingLastPathComponent().path
    // Only folders that were made here are ever removed.
    guard let descriptor = folders.withLock({ $0.removeValue(forKey: folder) }) else { return }
    try? FileManager.default.removeItem(atPath: folder)
    close(descriptor)
  }

  /// The place where folders are made.
  static let base: String = {
    let shared = "/dev/shm"
    return FileManager.default.isWritableFile(atPath: shared) ? shared : FileManager.default.temporaryDirectory.path
  }()

  /// Once in a process: sees to the end of the program, and to what killed programs left.
  private static let cleaning: Void = {
    atexit {
      for folder in PrivateStoreFolder.folders.withLock({ $0.keys }) {
        try? FileManager.default.removeItem(atPath: folder)
      }
    }
    removeAbandoned()
  }()

  /// Removes the folders whose programs have ended.
  ///
  /// The number in a folder's name is that of its process, but a container with process numbers of its own does not find that
  /// process. So the lock decides: the system releases it when a process ends, however it ends.
  static func removeAbandoned() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? [] where name.hasPrefix(prefix) {
      guard let process = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }) else { continue }
      // The folder of a running process may not be locked yet.
      guard kill(process, 0) != 0, errno == ESRCH, let descriptor = lock("\(base)/\(name)") else { continue }
      try? FileManager.default.removeItem(atPath: "\(base)/\(name)")
      close(descriptor)
    }
  }

  /// Locks a folder.
  /// - Returns: a descriptor that holds the lock until it is closed; nil if another process has the lock, or the folder is
  ///   gone.
  private static func lock(_ folder: String) -> Int32? {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // A folder that was removed in the meantime can still be locked.
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0, access(folder, F_OK) == 0 { return descriptor }
    close(descriptor)
    return nil
  }
}
