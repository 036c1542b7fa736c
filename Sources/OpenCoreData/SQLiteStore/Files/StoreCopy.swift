import CSQLite
import Foundation

/// A copy of a store in its state at one moment, including the files of its external values, while others write the store.
///
/// Database and support folder are made in a working folder beside their destination.
struct StoreCopy {
  /// The database of the copy. No other program knows of it.
  let path: String
  /// The folder with the contents of the support folder, and its name; nil for a store without external values.
  private let support: (home: FolderHandle, name: String)?
  /// The permissions of the files that the copy makes.
  private let mode: mode_t
  private let working: WorkingFolder?

  /// Makes a copy beside `destination`.
  /// - Parameter isQuiet: Whether no byte of the source and its folder may change. Others that write the source in the
  ///   meantime are noticed then, and not made to wait.
  /// - Throws: the errors of reading the source and of writing beside the destination; 256 or 257 for a value whose file
  ///   cannot be read; 3072 after a cancellation; 134090 for a source that was written while it was read quietly.
  init(
    of source: StoreFiles, beside destination: StoreFiles, timeout: TimeInterval, progress: Progress?,
    isQuiet: Bool = false
  ) throws {
    let working = try destination.workingFolder()
    self.working = working
    path = working.path + "/Copy"
    mode = FileMode.ofFile(source.path)
    support = source.hasSupportFolder ? (working.folder, "Support") : nil
    do {
      // A file that was not there the last time either is missing from the store itself.
      var missing: Set<String> = []
      for attempt in 0..<100 {
        clear()
        // If values change faster than they can be copied, writers are locked out.
        let lock = attempt < 5 || isQuiet ? nil : try? Self.lock(source, timeout: timeout)
        defer { withExtendedLifetime(lock) {} }
        try copyDatabase(source, timeout: timeout, progress: progress, isQuiet: isQuiet)
        let gone = try copyFiles(source, to: destination)
        if gone.isSubset(of: missing) { return }
        missing = gone
      }
      throw source.unreadable("its external values change too fast to be copied")
    } catch {
      working.remove()
      throw error
    }
  }

  /// A store beside its destination that no program has open.
  /// - Throws: 256 or 257 if its folder cannot be opened.
  init(ofClosedStore files: StoreFiles) throws {
    path = files.path
    mode = FileMode.ofFile(files.path)
    support = files.hasSupportFolder ? (try files.home(), files.supportFolder.lastPathComponent) : nil
    working = nil
  }

  /// Removes the copy, or the incomplete copy.
  func remove() { working?.remove() }

  private func clear() {
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    if let support { try? support.home.removeAll(support.name) }
  }

  /// A connection that keeps others from writing as long as it exists.
  private static func lock(_ source: StoreFiles, timeout: TimeInterval) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(
      path: source.path, readOnly: false, create: false, timeout: timeout, pragmas: [])
    try connection.execute("BEGIN IMMEDIATE")
    return connection
  }

  private func copyDatabase(
    _ source: StoreFiles, timeout: TimeInterval, progress: Progress?, isQuiet: Bool
  ) throws {
    // The copy gets the store's permissions, so that the same users may read it.
    var status = stat()
    let mode = stat(source.path, &status) == 0 ? status.st_mode & 0o777 : 0o600
    do {
      close(try working?.folder.makeFile("Copy", mode: mode | 0o600) ?? -1)
    } catch {
      throw SystemError.writing("The copy", path, error)
    }
    // Reads without locks if no program has the store open.
    let isAlone = isQuiet && !FileManager.default.fileExists(atPath: source.path + "-shm")
    let state = isAlone ? FileState(source.path) : nil
    let from =
      try isQuiet
      ? StoreInspection.open(source.path, timeout: timeout)
      : StoreInspection.openToCopy(source.path, timeout: timeout)
    let to = try SQLiteConnection(path: path, readOnly: false, create: true, timeout: timeout, pragmas: [])
    try SQLiteBackup.copy(from, to: to, timeout: timeout, progress: progress)
    guard state == nil || FileState(source.path) == state else {
      throw NSError(
        coreData: NSPersistentStoreTimeoutError,
        "The store at \(source.url.path) was written while it was copied. Try again.",
        [NSFilePathErrorKey: source.url.path])
    }
  }

  // MARK: External values

  /// Copies what the copied rows name; gives the names of the files that are not there.
  private func copyFiles(_ source: StoreFiles, to destination: StoreFiles) throws -> Set<String> {
    guard let support else { return [] }
    let values = try make(support.name, in: support.home)
    // Stores whose names differ only in their extensions share one folder. Its contents are there already, and each value of
    // the copy needs a file of another name, since the source's file is removed when its row changes.
    let isShared = source.sharesFolder(with: destination)
    if !isShared { try copyOther(source, to: values.support) }
    let connection = try SQLiteConnection(
      path: path, readOnly: !isShared, create: false, immutable: !isShared, timeout: 0, pragmas: [])
    let external = ExternalStorage(storePath: source.url.path)
    var opened: Result<FolderHandle, POSIXError>?
    var copied: Set<String> = []
    var gone: Set<String> = []
    try connection.execute("BEGIN")
    for reference in try ExternalFileReport.references(in: connection)
    where isShared || copied.insert(reference.name).inserted {
      let from = opened ?? Result { () throws(POSIXError) in try external.open() }
      opened = from
      let new = isShared ? ExternalReference() : nil
      do {
        try from.get().copyFile(reference.name, to: values.values, as: new?.name ?? reference.name, mode: mode)
      } catch {
        guard error.code == .ENOENT else { throw external.error(error, reading: reference.name) }
        gone.insert(reference.name)
        continue
      }
      if let new { try new.replace(reference, connection) }
    }
    try connection.execute("COMMIT")
    return gone
  }

  /// Copies what else is in the support folder: regular files, and folders of such.
  private func copyOther(_ source: StoreFiles, to target: FolderHandle) throws {
    let home = try source.home()
    do {
      // A link has nothing of this store's.
      guard let from = try home.folderIfPresent(source.supportFolder.lastPathComponent) else { return }
      for entry in try from.entries() where FolderHandle.text(entry) != ExternalStorage.valuesFolder {
        try from.copyAll(entry, to: target, mode: mode)
      }
    } catch {
      throw SystemError.reading("The folder of the store's files", source.supportFolder.path, error)
    }
  }

  private func make(
    _ name: String, in home: FolderHandle
  ) throws -> (support: FolderHandle, values: FolderHandle) {
    do {
      let support = try home.madeFolder(name, mode: FileMode.folder(mode)).folder
      return (support, try support.madeFolder(ExternalStorage.valuesFolder, mode: FileMode.folder(mode)).folder)
    } catch {
      throw SystemError.writing("The folder of external values", "\(home.path)/\(name)", error)
    }
  }

  // MARK: Putting it in place

  /// Puts the copy at an empty place: the values first, since a program that finds the database must find its values. Returns
  /// false if a database has appeared there.
  /// - Throws: the errors of moving the files; files that were moved are taken back then.
  func install(at destination: StoreFiles) throws -> Bool {
    try requireWhole()
    let new = try namesOfNewValues(at: destination)
    var isInstalled = false
    defer {
      // The values stay if another program has made a store there in the meantime: it may be a copy with the same values.
      if !isInstalled, access(destination.path, F_OK) != 0, errno == ENOENT { Self.takeBack(new, at: destination) }
    }
    try installValues(new, at: destination)
    isInstalled = try installDatabase(at: destination)
    return isInstalled
  }

  /// Puts the copy's external values in place, and leaves a note about those named `new`, which the destination does not have
  /// yet.
  func installValues(_ new: [[CChar]], at destination: StoreFiles) throws {
    try leaveNote(new, for: destination)
    try installFiles(at: destination)
  }

  /// If two stores differ only in their extensions, values of the other one are at the destination already.
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

  /// Notes in the working folder which values are in place before the database, for the case that this process is killed in
  /// between.
  ///
  /// If the database's place is a link, the values are in another folder than the database, and there is no note.
  private func leaveNote(_ names: [[CChar]], for destination: StoreFiles) throws {
    guard let support, !names.isEmpty else { return }
    let database = URL(fileURLWithPath: path), target = URL(fileURLWithPath: destination.path)
    let working = database.deletingLastPathComponent()
    guard WorkingFolder.isName(working.lastPathComponent),
      working.deletingLastPathComponent().path == target.deletingLastPathComponent().path,
      destination.supportFolder.deletingLastPathComponent().resolvingSymlinksInPath().path
        == target.deletingLastPathComponent().path
    else { return }
    do throws(POSIXError) {
      let values = try support.home.folder(support.name).folder(ExternalStorage.valuesFolder)
      var files: [InstallationNote.File] = []
      for name in names {
        files.append(
          InstallationNote.File(name: FolderHandle.text(name), inode: UInt64(try values.status(name).st_ino)))
      }
      let note = InstallationNote(
        source: database.lastPathComponent, target: target.lastPathComponent,
        supportFolder: destination.supportFolder.lastPathComponent, valuesFolder: ExternalStorage.valuesFolder,
        files: files)
      try note.write(in: FolderHandle(working.path))
    } catch {
      throw SystemError.writing("The folder of external values", destination.supportFolder.path, error)
    }
  }

  private static func takeBack(_ names: [[CChar]], at destination: StoreFiles) {
    let support = destination.supportFolder
    if let values = try? ExternalStorage(storePath: destination.url.path).open() {
      for name in names { try? values.remove(name) }
    }
    // Folders that hold anything stay.
    rmdir(support.appendingPathComponent(ExternalStorage.valuesFolder).path)
    rmdir(support.path)
  }

  /// Adds the copy's external values to those of the store at `destination`, which keeps its own.
  func installFiles(at destination: StoreFiles) throws {
    guard let support else { return }
    let name = destination.supportFolder.lastPathComponent
    let home = try destination.home()
    do {
      if !destination.hasSupportFolder { return try support.home.move(support.name, to: home, as: name) }
      let from = try support.home.folder(support.name)
      let target = try make(name, in: home)
      for entry in try from.entries() where FolderHandle.text(entry) != ExternalStorage.valuesFolder {
        try Self.move(entry, from, to: target.support)
      }
      if let values = try from.folderIfPresent(ExternalStorage.valuesFolder) {
        for entry in try values.entries() { try Self.move(entry, values, to: target.values) }
      }
      try support.home.removeAll(support.name)
    } catch let error as POSIXError {
      throw SystemError.writing("The folder of external values", destination.supportFolder.path, error)
    }
  }

  /// Makes the copy the database at `destination`; returns false if there is a database already.
  private func installDatabase(at destination: StoreFiles) throws -> Bool {
    // A log that an earlier database left would be taken for this one's.
    for path in destination.besides { try StoreFiles.remove(path) }
    if link(path, destination.path) == 0 {
      unlink(path)
      return true
    }
    if errno == EEXIST { return false }
    // Not every file system has links. Without them a new file of another program could be replaced.
    if rename(path, destination.path) == 0 { return true }
    throw SystemError.writing("The store", destination.path, .last)
  }

  /// Makes sure that all of the copy is in the one file that is put in place: SQLite says nothing where closing a database
  /// could not move its log there.
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

  private static func move(_ name: [CChar], _ from: FolderHandle, to target: FolderHandle) throws(POSIXError) {
    do {
      try from.move(name, to: target, as: name)
    } catch {
      // The system does not replace a folder by a folder, so the existing folder is removed first.
      guard [.EEXIST, .ENOTEMPTY, .EISDIR, .ENOTDIR].contains(error.code) else { throw error }
      try target.removeAll(name)
      try from.move(name, to: target, as: name)
    }
  }
}
