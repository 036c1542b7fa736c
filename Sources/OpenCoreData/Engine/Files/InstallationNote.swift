import Foundation

/// A note in a working folder about the values of a copied store. The values are put in place before the database, so that
/// every process that finds the database finds its values.
///
/// A process that is killed in between leaves the values at a place without a store. The process that removes the working
/// folder takes them back if the database is still in the working folder. It removes only the files of the note. It knows
/// them by their inodes, which do not change when files are moved: another process may have put other files in their place
/// since.
struct InstallationNote: Equatable {
  private static let name = "Installing"
  /// A note is no larger, in bytes.
  private static let largest = 256 << 20

  struct File: Equatable {
    let name: String
    let inode: UInt64
  }

  /// The name of the database in the working folder.
  let source: String
  /// Its name where it is to be, in the folder that the working folder is in.
  let target: String
  /// The folder of the values beside the database, and the folder within it.
  let supportFolder: String
  let valuesFolder: String
  let files: [File]

  // MARK: Writing

  /// Leaves the note in the working folder. Names with line breaks are not noted, since a note has a line for each.
  func write(in folder: FolderHandle) throws(POSIXError) {
    let lines = [source, target, supportFolder, valuesFolder] + files.map { "\($0.inode) \($0.name)" }
    if lines.contains(where: { $0.utf8.contains(UInt8(ascii: "\n")) }) { return }
    let text = lines.joined(separator: "\n")
    try folder.remove(Self.name)
    let file = try folder.makeFile(Self.name, mode: 0o600)
    let failure = MappedFile.fill(file, Data(text.utf8))
    if let error = close(file) == 0 ? failure : failure ?? .last { throw error }
  }

  /// Nil if there is no note, or none that the framework has written completely.
  init?(in folder: FolderHandle) {
    guard let file = try? folder.openFile(Self.name) else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_size <= Self.largest,
      let data = try? MappedFile.bytes(file, Int(status.st_size)).get()
    else { return nil }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count >= 4, lines.prefix(4).allSatisfy(Self.isName), lines[2].hasPrefix(".") else { return nil }
    (source, target) = (String(lines[0]), String(lines[1]))
    (supportFolder, valuesFolder) = (String(lines[2]), String(lines[3]))
    files = lines.dropFirst(4).compactMap { line in
      guard let space = line.firstIndex(of: " "), let inode = UInt64(line[..<space]) else { return nil }
      let name = String(line[line.index(after: space)...])
      return UUID(uuidString: name)?.uuidString == name ? File(name: name, inode: inode) : nil
    }
  }

  init(source: String, target: String, supportFolder: String, valuesFolder: String, files: [File]) {
    self.source = source
    self.target = target
    self.supportFolder = supportFolder
    self.valuesFolder = valuesFolder
    self.files = files
  }

  /// Whether it is one part of a path, that leads to no other folder.
  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text != "." && text != ".." && !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }

  // MARK: Taking back

  /// Removes the values that a killed process has put in place without their database.
  /// - Parameters:
  ///   - working: its working folder.
  ///   - parent: the folder that this one is in.
  static func takeBack(from working: FolderHandle, in parent: FolderHandle) {
    guard let note = InstallationNote(in: working), note.isUnfinished(working, parent),
      let support = try? parent.folderIfPresent(note.supportFolder),
      let values = try? support.folderIfPresent(note.valuesFolder)
    else { return }
    for file in note.files {
      guard let status = try? values.status(file.name), status.st_mode & S_IFMT == S_IFREG,
        UInt64(status.st_ino) == file.inode
      else { continue }
      try? values.remove(file.name)
    }
    // Folders that hold anything else stay.
    unlinkat(support.descriptor, note.valuesFolder, AT_REMOVEDIR)
    unlinkat(parent.descriptor, note.supportFolder, AT_REMOVEDIR)
  }

  /// Whether the database has not left the working folder: neither moved nor linked to its place, nor is another there.
  private func isUnfinished(_ working: FolderHandle, _ parent: FolderHandle) -> Bool {
    guard let own = try? working.status(source), own.st_nlink == 1 else { return false }
    do throws(POSIXError) {
      _ = try parent.status(target)
      return false
    } catch {
      return error.code == .ENOENT
    }
  }
}
