import Foundation

/// A folder for work in progress beside a store or another file, `.<file>-<UUID>.OCDWorking`. Only its owner can read it, and
/// a lock on it shows that a process is at work. A folder of a killed process has no lock. It is removed when the next working
/// folder is made, together with the files that its `InstallationNote` names.
package final class WorkingFolder: Sendable {
  private static let suffix = ".OCDWorking"

  package let path: String
  let folder: FolderHandle
  private let parent: FolderHandle
  private let name: String
  /// The lock on the folder, which the system releases when the process ends.
  private let lock: Int32

  /// Makes a working folder beside a file, and removes the working folders that killed processes have left there.
  package init(beside file: String) throws(POSIXError) {
    let file = URL(fileURLWithPath: file)
    parent = try FolderHandle(file.deletingLastPathComponent().path)
    Self.removeLeftOver(in: parent)
    // A long name is cut, so that there is room for the rest of the folder's name.
    let stem = String(decoding: file.lastPathComponent.utf8.prefix(180), as: UTF8.self)
    let made = try Self.make(stem, in: parent)
    (name, folder, lock, path) = (made.name, made.folder, made.lock, made.folder.path)
  }

  private static func make(
    _ stem: String, in parent: FolderHandle
  ) throws(POSIXError) -> (name: String, folder: FolderHandle, lock: Int32) {
    var failure = POSIXError(.EAGAIN)
    for _ in 0..<100 {
      let name = ".\(stem)-\(UUID().uuidString)\(suffix)"
      do throws(POSIXError) {
        let (folder, lock) = try self.lock(name, in: parent)
        return (name, folder, lock)
      } catch {
        // Another process's clean-up may have removed the folder before it was locked.
        guard [.ENOENT, .EAGAIN].contains(error.code) else { throw error }
        failure = error
      }
    }
    throw failure
  }

  private static func lock(
    _ name: String, in parent: FolderHandle
  ) throws(POSIXError) -> (folder: FolderHandle, lock: Int32) {
    let folder = try parent.madeFolder(name, mode: 0o700).folder
    let lock = try folder.openForReading()
    // On a file system without locks no process removes other processes' folders, so the folder is safe without a lock.
    if flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK, isThere(lock, name, parent) {
      return (folder, lock)
    }
    close(lock)
    throw POSIXError(.EAGAIN)
  }

  deinit { close(lock) }

  /// Removes the folder with all its contents.
  package func remove() { try? parent.removeAll(name) }

  // MARK: Folders that others have left

  /// Removes the working folders beside a store that no process has locked.
  package static func removeLeftOver(beside file: String) {
    guard let parent = try? FolderHandle(URL(fileURLWithPath: file).deletingLastPathComponent().path) else { return }
    removeLeftOver(in: parent)
  }

  /// Returns the names of the working folders beside a store that no process has locked.
  static func leftOver(beside file: String) -> [String] {
    guard let parent = try? FolderHandle(URL(fileURLWithPath: file).deletingLastPathComponent().path) else { return [] }
    var names: [String] = []
    withLeftOver(in: parent) { names.append($0) }
    return names.sorted()
  }

  private static func removeLeftOver(in parent: FolderHandle) {
    withLeftOver(in: parent) { name in
      if let working = try? parent.folder(name) { InstallationNote.takeBack(from: working, in: parent) }
      try? parent.removeAll(name)
    }
  }

  /// Calls `body` with the name of each working folder that no process has locked, while its lock is held.
  private static func withLeftOver(in parent: FolderHandle, _ body: (String) -> Void) {
    for name in (try? parent.names()) ?? [] where isName(name) {
      guard let folder = try? parent.folder(name), let lock = try? folder.openForReading() else { continue }
      defer { close(lock) }
      var status = stat()
      guard fstat(lock, &status) == 0, status.st_uid == geteuid(), flock(lock, LOCK_EX | LOCK_NB) == 0,
        isThere(lock, name, parent)
      else { continue }
      body(name)
    }
  }

  /// Whether a working folder may have that name.
  static func isName(_ name: String) -> Bool {
    guard name.hasPrefix("."), name.hasSuffix(suffix) else { return false }
    let identifier = name.dropLast(suffix.count).suffix(36)
    return identifier.count == 36 && UUID(uuidString: String(identifier)) != nil
  }

  private static func isThere(_ lock: Int32, _ name: String, _ parent: FolderHandle) -> Bool {
    var own = stat()
    guard fstat(lock, &own) == 0, let there = try? parent.status(name) else { return false }
    return own.st_ino == there.st_ino && own.st_dev == there.st_dev
  }
}
