import Foundation

// What a process leaves that is killed while it installs a copy's values, and how others know it.
extension StoreCopy {
  /// Returns a copy whose files are on the file system of the values at `destination`, so that each of them comes to its place
  /// in one step, and keeps its inode; nil if they are there already, or if nobody would find the files of a killed process.
  func staged(at destination: StoreFiles) throws -> StoreCopy? {
    guard let support, noteFolder(for: destination) != nil else { return nil }
    let name = InstallationNote.newStagingName()
    do throws(POSIXError) {
      guard let place = try otherPlace(at: destination, than: support.home) else { return nil }
      try leaveNote([], staging: name, for: destination)
      do throws(POSIXError) {
        try support.home.copyAll(support.name, to: place, as: name, mode: mode, isSynced: true)
        try place.synchronize()
      } catch {
        try? place.removeAll(name)
        throw error
      }
      return StoreCopy(path: path, support: (place, name), mode: mode, working: working)
    } catch {
      throw SystemError.writing("The folder of external values", destination.supportFolder.path, error)
    }
  }

  /// The folder of values at `destination`, or the support folder if there is no such folder yet; nil if there is none, or if it
  /// is on the file system of `home`.
  private func otherPlace(at destination: StoreFiles, than home: FolderHandle) throws(POSIXError) -> FolderHandle? {
    let parent = try FolderHandle(destination.supportFolder.deletingLastPathComponent().path)
    guard let target = try parent.folderIfPresent(destination.supportFolder.lastPathComponent) else { return nil }
    let place = try target.folderIfPresent(ExternalStorage.valuesFolder) ?? target
    return try place.status(".").st_dev == home.status(".").st_dev ? nil : place
  }

  /// The working folder, in which others look for a note about `destination`; nil if the copy has none.
  private func noteFolder(for destination: StoreFiles) -> URL? {
    let working = URL(fileURLWithPath: path).deletingLastPathComponent()
    let isBeside =
      working.deletingLastPathComponent().path
      == URL(fileURLWithPath: destination.path).deletingLastPathComponent().path
    return isBeside && WorkingFolder.isName(working.lastPathComponent) ? working : nil
  }

  /// Notes in the working folder which values are installed before the database, in case this process is killed in between.
  func leaveNote(_ names: [[CChar]], for destination: StoreFiles) throws {
    guard let support, !names.isEmpty else { return }
    do throws(POSIXError) {
      let values = try support.home.folder(support.name).folder(ExternalStorage.valuesFolder)
      var files: [InstallationNote.File] = []
      for name in names {
        let inode = UInt64(try values.status(name).st_ino)
        files.append(InstallationNote.File(name: FolderHandle.text(name), inode: inode))
      }
      try leaveNote(files, staging: InstallationNote.isStaging(support.name) ? support.name : nil, for: destination)
    } catch {
      throw SystemError.writing("The folder of external values", destination.supportFolder.path, error)
    }
  }

  private func leaveNote(
    _ files: [InstallationNote.File], staging: String?, for destination: StoreFiles
  ) throws(POSIXError) {
    guard let folder = noteFolder(for: destination) else { return }
    let note = InstallationNote(
      source: URL(fileURLWithPath: path).lastPathComponent,
      target: URL(fileURLWithPath: destination.path).lastPathComponent,
      supportFolder: destination.supportFolder.lastPathComponent, valuesFolder: ExternalStorage.valuesFolder,
      staging: staging, files: files)
    try note.write(in: FolderHandle(folder.path))
  }
}
