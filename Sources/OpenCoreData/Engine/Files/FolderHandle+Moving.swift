import Foundation

// Files and folders moved to folders that may be on another file system, where nothing can be moved by a new name. What is
// moved is removed when its copy is on the disk and in its place, and never before.
extension FolderHandle {
  /// Moves a file, or a folder with all that is in it, in the place of what has its name there.
  func moveAll(_ name: UnsafePointer<CChar>, to other: FolderHandle) throws(POSIXError) {
    do {
      return try other.take(name, from: self, as: name)
    } catch {
      guard error.code == .EXDEV else { throw error }
    }
    let mode = try status(name).st_mode
    switch mode & S_IFMT {
    case S_IFREG, S_IFDIR: try moveAcross(name, to: other, mode: mode & 0o666)
    // Links and the like are never part of a store.
    default: try removeAll(name)
    }
  }

  /// Moves a regular file in the place of what is there, such as a copy that was cut off or a file that rows still name.
  /// - Parameter mode: the permissions of a copy; nil for those of the file.
  func moveFile(_ name: UnsafePointer<CChar>, to other: FolderHandle, mode: mode_t?) throws(POSIXError) {
    do {
      return try move(name, to: other, as: name)
    } catch {
      guard error.code == .EXDEV else { throw error }
    }
    let status = try status(name)
    guard status.st_mode & S_IFMT == S_IFREG else { throw POSIXError(.EINVAL) }
    try moveAcross(name, to: other, mode: mode ?? status.st_mode & 0o666)
  }

  /// Whether what is moved to a folder keeps its bytes where they are, and is never copied.
  func isOnFileSystem(of other: FolderHandle) -> Bool {
    var (own, others) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && fstat(other.descriptor, &others) == 0 && own.st_dev == others.st_dev
  }

  private func moveAcross(_ name: UnsafePointer<CChar>, to other: FolderHandle, mode: mode_t) throws(POSIXError) {
    // The name that a value's file would have: what a killed process leaves among these is found with them
    // (`ExternalFileCleaning`).
    let copy = UUID().uuidString
    do throws(POSIXError) {
      try copyAll(name, to: other, as: copy, mode: mode, isSynced: true)
      try other.take(copy, from: other, as: name)
    } catch {
      try? other.removeAll(copy)
      throw error
    }
    try other.synchronize()
    try removeAll(name)
  }

  /// Gives an entry of another folder a name in this one. What has the name goes when the entry is there, and stays if it
  /// cannot be moved.
  private func take(
    _ entry: UnsafePointer<CChar>, from folder: FolderHandle, as name: UnsafePointer<CChar>
  ) throws(POSIXError) {
    do {
      return try folder.move(entry, to: self, as: name)
    } catch {
      // The system replaces no folder by another one, unless it is empty, and neither by a file.
      guard [.EEXIST, .ENOTEMPTY, .EISDIR, .ENOTDIR].contains(error.code) else { throw error }
    }
    let old = UUID().uuidString
    try move(name, to: self, as: old)
    do throws(POSIXError) {
      try folder.move(entry, to: self, as: name)
    } catch {
      try? move(old, to: self, as: name)
      throw error
    }
    try removeAll(old)
  }

  /// Makes sure that the bytes of a file are on the disk.
  func synchronizeFile(_ name: UnsafePointer<CChar>) throws(POSIXError) {
    let file = try openFile(name)
    let failure: POSIXError? = fsync(file) == 0 ? nil : .last
    close(file)
    if let failure { throw failure }
  }
}
