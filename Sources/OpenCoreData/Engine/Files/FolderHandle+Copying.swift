import Foundation

// Files copied from folder to folder.
extension FolderHandle {
  private static let chunk = 1 << 20
  /// SEEK_DATA and SEEK_HOLE, which Swift does not import.
  private static let (data, hole): (Int32, Int32) = (3, 4)

  /// Copies a regular file; its holes stay holes.
  /// - Parameter mode: the copy's mode; nil for the original's mode.
  /// - Throws: EEXIST if the new name exists, EINVAL and ELOOP if the original is no regular file. There is no copy then.
  func copyFile(
    _ name: UnsafePointer<CChar>, to other: FolderHandle, as newName: UnsafePointer<CChar>, mode: mode_t?
  ) throws(POSIXError) {
    let from = try openFile(name)
    defer { close(from) }
    var status = stat()
    guard fstat(from, &status) == 0 else { throw .last }
    let to = try other.makeFile(newName, mode: mode ?? status.st_mode & 0o666)
    let failure: POSIXError?
    do {
      try Self.copy(from, status.st_size, to)
      failure = nil
    } catch {
      failure = error
    }
    let isClosed = close(to) == 0
    guard let error = failure ?? (isClosed ? nil : .last) else { return }
    unlinkat(other.descriptor, newName, 0)
    throw error
  }

  /// Copies a regular file, or a folder with its files and folders. Links, pipes and the like are never part of a store, and
  /// are left out.
  /// - Parameters:
  ///   - newName: the name of the copy; nil for the same.
  ///   - isSynced: whether all is on the disk in the end, but for the name of the copy itself.
  func copyAll(
    _ name: UnsafePointer<CChar>, to other: FolderHandle, as newName: UnsafePointer<CChar>? = nil, mode: mode_t,
    isSynced: Bool = false,
    depth: Int = 0
  ) throws(POSIXError) {
    guard depth < Self.deepest else { throw POSIXError(.ENAMETOOLONG) }
    let kind = try status(name).st_mode & S_IFMT
    let new = newName ?? name
    if kind == S_IFREG {
      try copyFile(name, to: other, as: new, mode: mode)
      if isSynced { try other.synchronizeFile(new) }
    } else if kind == S_IFDIR {
      let from = try folder(name)
      let to = try other.madeFolder(String(cString: new), mode: FileMode.folder(mode)).folder
      for entry in try from.entries() {
        try from.copyAll(entry, to: to, mode: mode, isSynced: isSynced, depth: depth + 1)
      }
      if isSynced { try to.synchronize() }
    }
  }

  private static func copy(_ from: Int32, _ size: off_t, _ to: Int32) throws(POSIXError) {
    guard ftruncate(to, size) == 0 else { throw .last }
    var buffer = [UInt8](repeating: 0, count: Int(min(off_t(chunk), max(size, 1))))
    var place: off_t = 0
    while place < size {
      // A file system that knows no holes reports everything as data, or EINVAL.
      let start = lseek(from, place, data)
      if start < 0, errno == ENXIO { break }
      place = max(start, place)
      let hole = lseek(from, place, Self.hole)
      let end = hole > place ? min(hole, size) : size
      while place < end {
        let wanted = Int(min(off_t(buffer.count), end - place))
        let got = pread(from, &buffer, wanted, place)
        if got < 0, errno == EINTR { continue }
        if got < 0 { throw .last }
        // The file was cut off meanwhile.
        if got == 0 { throw POSIXError(.EIO) }
        try write(buffer, got, to, at: place)
        place += off_t(got)
      }
    }
  }

  private static func write(_ bytes: [UInt8], _ count: Int, _ file: Int32, at place: off_t) throws(POSIXError) {
    var done = 0
    while done < count {
      let written = bytes.withUnsafeBytes {
        pwrite(file, $0.baseAddress.map { $0 + done }, count - done, place + off_t(done))
      }
      if written < 0, errno == EINTR { continue }
      if written < 0 { throw .last }
      done += written
    }
  }
}
