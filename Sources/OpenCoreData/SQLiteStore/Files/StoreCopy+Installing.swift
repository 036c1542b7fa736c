import CSQLite
import Foundation

// A copy put in its place.
extension StoreCopy {
  /// Installs the copy at a place where no database is. The values are installed first, because a program that finds the
  /// database must find its values. Returns false if there is a database by now.
  /// - Throws: the errors of moving the files; then the files that were moved are removed again.
  func install(at destination: StoreFiles) throws -> Bool {
    try requireWhole()
    let new = try namesOfNewValues(at: destination)
    var isInstalled = false
    defer {
      // The values stay if somebody else has made a store there meanwhile: it may be a copy with the same values.
      if !isInstalled, access(destination.path, F_OK) != 0, errno == ENOENT { Self.takeBack(new, at: destination) }
    }
    try installValues(new, at: destination)
    isInstalled = try installDatabase(at: destination)
    return isInstalled
  }

  /// Leaves a note of the values named `new`, which the destination does not have, and then installs all external values of
  /// the copy.
  func installValues(_ new: [[CChar]], at destination: StoreFiles) throws {
    let staged = try new.isEmpty ? nil : self.staged(at: destination)
    do {
      try (staged ?? self).leaveNote(new, for: destination)
      try (staged ?? self).installFiles(at: destination)
    } catch {
      if let place = staged?.support { try? place.home.removeAll(place.name) }
      throw error
    }
  }

  /// Returns the names of the copy's values that the destination does not have. It has some if it shares the support folder
  /// with another store.
  func namesOfNewValues(at destination: StoreFiles) throws -> [[CChar]] {
    guard let support else { return [] }
    do {
      guard let values = try support.home.folder(support.name).folderIfPresent(ExternalStorage.valuesFolder) else {
        return []
      }
      let names = try values.entries()
      let home = try FolderHandle(destination.supportFolder.deletingLastPathComponent().path)
      let target = try home.folderIfPresent(destination.supportFolder.lastPathComponent)
      let known = Set(try target?.folderIfPresent(ExternalStorage.valuesFolder)?.entries() ?? [])
      return names.filter { !known.contains($0) }
    } catch {
      throw SystemError.reading("The folder of external values", destination.supportFolder.path, error)
    }
  }

  private static func takeBack(_ names: [[CChar]], at destination: StoreFiles) {
    let support = destination.supportFolder
    if let values = try? destination.external.open() {
      for name in names { try? values.remove(name) }
    }
    // Folders that are not empty stay.
    rmdir(support.appendingPathComponent(ExternalStorage.valuesFolder).path)
    rmdir(support.path)
  }

  /// Adds the external values of the copy to those of the store at `destination`, which keeps its own.
  func installFiles(at destination: StoreFiles) throws {
    guard let support else { return }
    let name = destination.supportFolder.lastPathComponent
    let home = try destination.home()
    do {
      if !destination.hasSupportFolder { return try support.home.move(support.name, to: home, as: name) }
      let from = try support.home.folder(support.name)
      let target = try make(name, in: home)
      for entry in try from.entries() where FolderHandle.text(entry) != ExternalStorage.valuesFolder {
        try from.moveAll(entry, to: target.support)
      }
      if let values = try from.folderIfPresent(ExternalStorage.valuesFolder) {
        for entry in try values.entries() { try values.moveAll(entry, to: target.values) }
      }
      try support.home.removeAll(support.name)
    } catch let error as POSIXError {
      throw SystemError.writing("The folder of external values", destination.supportFolder.path, error)
    }
  }

  /// Moves the database of the copy to `destination`, where no database may be; returns false if there is one nevertheless.
  private func installDatabase(at destination: StoreFiles) throws -> Bool {
    // SQLite would use a log that an earlier database has left for this database.
    for path in destination.besides { try StoreFiles.remove(path) }
    if link(path, destination.path) == 0 {
      unlink(path)
      return true
    }
    if errno == EEXIST { return false }
    // On a file system without hard links, the copy is renamed, which may replace a file that somebody else has just made.
    if rename(path, destination.path) == 0 { return true }
    throw SystemError.writing("The store", destination.path, .last)
  }

  /// Makes sure that the whole copy is in the one file that is moved: SQLite does not report it if it could not move the log
  /// into the database when it closed the database.
  private func requireWhole() throws {
    var status = stat()
    if stat(path + "-wal", &status) != 0, errno == ENOENT { return }
    do {
      let connection = try SQLiteConnection(path: path, readOnly: false, create: false, timeout: 0, pragmas: [])
      let isBusy = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?[0] != "0"
      if isBusy { throw SQLiteError.make(SQLITE_BUSY, handle: nil, path: path, doing: "moving its log into the store") }
    }
    if stat(path + "-wal", &status) == 0, status.st_size > 0 {
      throw SQLiteError.make(SQLITE_IOERR, handle: nil, path: path, doing: "moving its log into the store")
    }
  }
}
