import Foundation

// Destroying and replacing a store that is one file.
extension NSAtomicStore {
  /// Removes the store's file, to which a link may lead; the link stays.
  static func destroyFile(at url: URL, letGo: () throws -> Void) throws {
    let files = try StoreFiles(url)
    switch files.isPrivate ? .missing : files.kind {
    case .missing: try letGo()
    case .folder, .other: throw files.unreadable("it is no regular file")
    case .file:
      try letGo()
      try StoreFiles.remove(files.path)
    }
  }

  /// Removes the store's file, and the link by which it was named.
  static func removeFile(at url: URL) throws {
    try destroyFile(at: url) {}
    if let link = try StoreFiles(url).links.first { try StoreFiles.remove(link) }
  }

  /// Moves a closed store's file to a place where nothing was. Returns false if there is something by now.
  static func installFile(_ working: StoreFiles, at destination: StoreFiles) throws -> Bool {
    try working.requireFile()
    try StoreFiles.synchronize(working.path)
    if link(working.path, destination.path) == 0 {
      unlink(working.path)
      return true
    }
    if errno == EEXIST { return false }
    // On a file system without hard links, the file is renamed, which may replace a file that somebody else has just made.
    if rename(working.path, destination.path) == 0 { return true }
    throw SystemError.writing("The store", destination.path, .last)
  }

  /// Replaces a file by a copy of another one, for stores that are one file each.
  static func replaceFile(_ destination: StoreFiles, with source: StoreFiles) throws {
    try source.requireFile()
    switch destination.isPrivate ? .other : destination.kind {
    case .folder, .other: throw destination.unreadable("it is no regular file")
    case .missing, .file: break
    }
    if source.isSame(as: destination) { return }
    let place = URL(fileURLWithPath: source.path)
    let working = try destination.workingFolder()
    defer { working.remove() }
    do throws(POSIXError) {
      let from = try FolderHandle(place.deletingLastPathComponent().path)
      try from.copyFile(place.lastPathComponent, to: working.folder, as: "Copy", mode: nil)
    } catch {
      throw SystemError.writing("The copy of the store", destination.path, error)
    }
    let copy = working.path + "/Copy"
    try StoreFiles.synchronize(copy)
    guard rename(copy, destination.path) == 0 else {
      throw SystemError.writing("The store", destination.path, .last)
    }
  }
}
