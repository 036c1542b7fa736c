import Foundation

/// Reads and writes whole files of other programs: reading does not wait for pipes, and writing replaces the file in
/// one step.
package enum RegularFile {
  /// Reads a file at a path that the client named; links in the path are followed.
  /// - Throws: 260 if nothing is there, 257 without permission, 256 if it is no regular file.
  package static func contents(_ url: URL) throws -> Data {
    do {
      return try read(url.path, O_NONBLOCK)
    } catch {
      throw SystemError.reading("The file", url.path, error)
    }
  }

  /// Whether a path leads to a regular file, so that opening it does not wait.
  package static func isThere(_ url: URL) -> Bool {
    var status = stat()
    return stat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Reads a file that this framework has made for itself; nil for a link, or anything else that the framework did not
  /// make.
  static func ownContents(_ url: URL) -> Data? { try? read(url.path, O_NONBLOCK | O_NOFOLLOW) }

  private static func read(_ path: String, _ flags: Int32) throws(POSIXError) -> Data {
    let file = open(path, O_RDONLY | O_CLOEXEC | flags)
    guard file >= 0 else { throw errno == ENXIO ? POSIXError(.EINVAL) : .last }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .last }
    if status.st_mode & S_IFMT == S_IFDIR { throw POSIXError(.EISDIR) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw POSIXError(.EINVAL) }
    guard status.st_size <= MappedFile.largest else { throw POSIXError(.EFBIG) }
    return try MappedFile.bytes(file, Int(status.st_size)).get()
  }

  /// Writes a new file of that mode beside the place and moves it there; a file or a link at the place is replaced.
  static func write(_ data: Data, to url: URL, mode: mode_t) throws(POSIXError) {
    let folder = try FolderHandle(url.deletingLastPathComponent().path)
    let new = ".\(UUID().uuidString).tmp"
    let file = try folder.makeFile(new, mode: mode)
    do throws(POSIXError) {
      let failure = MappedFile.fill(file, data)
      if let error = close(file) == 0 ? failure : failure ?? .last { throw error }
      try folder.move(new, to: folder, as: url.lastPathComponent)
    } catch {
      unlinkat(folder.descriptor, new, 0)
      throw error
    }
  }

  /// Copies a store that is one file to an empty place; the copy has the store's mode.
  /// - Throws: 516 if there is something at the place, and the errors of reading and writing.
  package static func copy(_ source: URL, to destination: URL) throws {
    // Resolves links, because other processes save to the file that a link leads to.
    let source = source.resolvingSymlinksInPath()
    let from: FolderHandle
    do {
      from = try FolderHandle(source.deletingLastPathComponent().path)
    } catch {
      throw SystemError.reading("The store", source.path, error)
    }
    do {
      let to = try FolderHandle(destination.deletingLastPathComponent().path)
      try from.copyFile(source.lastPathComponent, to: to, as: destination.lastPathComponent, mode: nil)
    } catch {
      if error.code == .EEXIST {
        throw NSError(
          coreData: CocoaError.Code.fileWriteFileExists.rawValue, "There is something at \(destination.path) already.",
          [NSFilePathErrorKey: destination.path])
      }
      throw SystemError.writing("The copy", destination.path, error)
    }
  }
}
