import Foundation

/// A note in a working folder about the external values of a copied store. The values are put in place before the database,
/// so that a process that finds the database also finds its values.
///
/// If a process is killed in between, it leaves values at a place without a store. The process that later removes the
/// working folder also removes these values, as long as the database is only in the working folder. It removes only the
/// files in the note, and knows them by their inodes, which do not change when files are moved: another process may have put
/// other files in their place since. Moved to another file system, on which a support folder may be mounted, a file has
/// another inode; so all files are copied to a folder there first (`staging`), and moved from that.
struct InstallationNote: Equatable {
  private static let name = "Installing"
  /// The greatest size of a note in bytes.
  private static let largest = 256 << 20

  struct File: Equatable {
    let name: String
    let inode: UInt64
  }

  /// The name of the database in the working folder.
  let source: String
  /// The name that the database is to have in the folder that contains the working folder.
  let target: String
  /// The name of the support folder beside the database, and that of the folder of values in it.
  let supportFolder: String
  let valuesFolder: String
  /// The name of the folder, in the folder of values or in the support folder, from which the files are moved; nil if that is
  /// the working folder. It goes even if the database is in its place.
  let staging: String?
  let files: [File]

  private static let stagingSuffix = ".OCDStaging"

  static func newStagingName() -> String { ".\(UUID().uuidString)\(stagingSuffix)" }

  static func isStaging(_ name: String) -> Bool {
    guard name.hasPrefix("."), name.hasSuffix(stagingSuffix) else { return false }
    let identifier = String(name.dropFirst().dropLast(stagingSuffix.count))
    return UUID(uuidString: identifier)?.uuidString == identifier
  }

  // MARK: Writing

  /// The word that a line begins with in place of an inode. Earlier versions pass over such a line.
  private static let stagingWord = "staging"

  /// Writes the note to the working folder, in the place of an earlier one. If a name has a line break, there is no note, because each name is one line.
  func write(in folder: FolderHandle) throws(POSIXError) {
    let lines =
      [source, target, supportFolder, valuesFolder] + (staging.map { ["\(Self.stagingWord) \($0)"] } ?? [])
      + files.map { "\($0.inode) \($0.name)" }
    if lines.contains(where: { $0.utf8.contains(UInt8(ascii: "\n")) }) { return }
    let text = lines.joined(separator: "\n")
    let new = Self.name + "-new"
    try folder.remove(new)
    let file = try folder.makeFile(new, mode: 0o600)
    let failure = MappedFile.fill(file, Data(text.utf8))
    if let error = close(file) == 0 ? failure : failure ?? .last { throw error }
    // A process that is killed meanwhile leaves the one note or the other.
    try folder.move(new, to: folder, as: Self.name)
  }

  /// Reads the note; nil if there is none, or none that this framework has written completely.
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
    staging = lines.dropFirst(4).first.flatMap { line in
      let name = String(line.dropFirst(Self.stagingWord.count + 1))
      return line.hasPrefix(Self.stagingWord + " ") && Self.isStaging(name) ? name : nil
    }
    files = lines.dropFirst(4).compactMap { line in
      guard let space = line.firstIndex(of: " "), let inode = UInt64(line[..<space]) else { return nil }
      let name = String(line[line.index(after: space)...])
      return UUID(uuidString: name)?.uuidString == name ? File(name: name, inode: inode) : nil
    }
  }

  init(
    source: String, target: String, supportFolder: String, valuesFolder: String, staging: String? = nil, files: [File]
  ) {
    self.source = source
    self.target = target
    self.supportFolder = supportFolder
    self.valuesFolder = valuesFolder
    self.staging = staging
    self.files = files
  }

  /// Whether the text is one part of a path that leads to no other folder.
  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text != "." && text != ".." && !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }

  // MARK: Taking back

  /// Removes the values that a killed process has put in place without their database.
  /// - Parameters:
  ///   - working: the working folder of that process.
  ///   - parent: the folder that contains the working folder.
  static func takeBack(from working: FolderHandle, in parent: FolderHandle) {
    guard let note = InstallationNote(in: working),
      let support = try? parent.folderIfPresent(note.supportFolder)
    else { return }
    let folder = try? support.folderIfPresent(note.valuesFolder)
    if let staging = note.staging {
      try? support.removeAll(staging)
      try? folder?.removeAll(staging)
    }
    guard note.isUnfinished(working, parent), let values = folder else { return }
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

  /// Whether the database is only in the working folder: it was not moved or linked to its place, and no other is there.
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
