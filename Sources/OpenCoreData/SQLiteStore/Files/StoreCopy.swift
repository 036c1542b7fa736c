import CSQLite
import Foundation

/// A copy of a store as it is at one moment, with the files of its external values, which is made while others write to the
/// store.
///
/// The database and the support folder are made in a working folder beside the place where the copy will be installed.
struct StoreCopy {
  /// The path of the copy's database, which no other program knows.
  let path: String
  /// The folder that holds the support folder of the copy, and the support folder's name there; nil for a store without
  /// external values.
  let support: (home: FolderHandle, name: String)?
  /// The permissions of the files that the copy creates.
  let mode: mode_t
  let working: WorkingFolder?

  /// Makes a copy beside `destination`.
  /// - Parameter isQuiet: Whether no byte of the source and its folder may change. Then others can write to the source at the
  ///   same time, which is noticed afterwards.
  /// - Throws: the errors of reading the source and of writing beside the destination; 256 or 257 if a value's file cannot be
  ///   read; 3072 after a cancellation; 134090 if the source was written while it was read quietly.
  init(
    of source: StoreFiles, beside destination: StoreFiles, timeout: TimeInterval, progress: Progress?,
    isQuiet: Bool = false
  ) throws {
    let working = try destination.workingFolder()
    self.working = working
    path = working.path + "/Copy"
    mode = FileMode.ofFile(source.path)
    support = source.mayHaveValues ? (working.folder, "Support") : nil
    do {
      // A file that was missing in the last attempt, too, is missing from the store itself.
      var missing: Set<String> = []
      for attempt in 0..<100 {
        clear()
        // After some attempts the source is locked, because its values change faster than they can be copied.
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

  /// Takes over a store that lies beside the place where it will be installed and that nobody has open.
  /// - Throws: 256 or 257 if the folder of the store cannot be opened.
  init(ofClosedStore files: StoreFiles) throws {
    path = files.path
    mode = FileMode.ofFile(files.path)
    support = files.hasSupportFolder ? (try files.home(), files.supportFolder.lastPathComponent) : nil
    working = nil
  }

  init(path: String, support: (home: FolderHandle, name: String)?, mode: mode_t, working: WorkingFolder?) {
    (self.path, self.support, self.mode, self.working) = (path, support, mode, working)
  }

  /// Removes the working folder with the copy, or with what is left there.
  func remove() { working?.remove() }

  private func clear() {
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    if let support { try? support.home.removeAll(support.name) }
  }

  /// Returns a connection that keeps others from writing until it is deallocated.
  private static func lock(_ source: StoreFiles, timeout: TimeInterval) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(
      path: source.path, readOnly: false, create: false, timeout: timeout, pragmas: [])
    try connection.execute("BEGIN IMMEDIATE")
    return connection
  }

  private func copyDatabase(
    _ source: StoreFiles, timeout: TimeInterval, progress: Progress?, isQuiet: Bool
  ) throws {
    // The copy gets the permissions of the store, so that the same users may read it.
    var status = stat()
    let mode = stat(source.path, &status) == 0 ? status.st_mode & 0o777 : 0o600
    do {
      close(try working?.folder.makeFile("Copy", mode: mode | 0o600) ?? -1)
    } catch {
      throw SystemError.writing("The copy", path, error)
    }
    for _ in 0..<Self.mostAttempts {
      if try copyPages(source, timeout: timeout, progress: progress, isQuiet: isQuiet) { return }
    }
    throw NSError(
      coreData: NSPersistentStoreTimeoutError,
      "The store at \(source.url.path) was written while it was copied. Try again.",
      [NSFilePathErrorKey: source.url.path])
  }

  /// How often a store is copied that others write meanwhile.
  private static let mostAttempts = 10

  /// Copies the pages of the database.
  /// - Returns: false if others have written them meanwhile, so that the copy is of no moment.
  private func copyPages(
    _ source: StoreFiles, timeout: TimeInterval, progress: Progress?, isQuiet: Bool
  ) throws -> Bool {
    let from =
      try isQuiet
      ? StoreInspection.open(source.path, timeout: timeout)
      : StoreInspection.openToCopy(source.path, timeout: timeout)
    // If nobody has the source open, it is read without locks, and its state is compared afterwards.
    let state = from.isImmutable ? FileState(source.path) : nil
    let to = try SQLiteConnection(path: path, readOnly: false, create: true, timeout: timeout, pragmas: [])
    try SQLiteBackup.copy(from, to: to, timeout: timeout, progress: progress)
    return state == nil || FileState(source.path) == state
  }

  // MARK: External values

  /// Copies the files that the copied rows name. Returns the names of the files that do not exist.
  private func copyFiles(_ source: StoreFiles, to destination: StoreFiles) throws -> Set<String> {
    guard let support else { return [] }
    let values = try make(support.name, in: support.home)
    // Stores whose names differ only in the extension share one folder. Then the other files are there already. Each value of
    // the copy needs a file with a new name, because the source's file is removed when its row changes.
    let isShared = source.sharesFolder(with: destination)
    if !isShared { try copyOther(source, to: values.support) }
    let connection = try SQLiteConnection(
      path: path, readOnly: !isShared, create: false, immutable: !isShared, timeout: 0, pragmas: [])
    let external = source.external
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
        let place = external.place(of: reference.name)
        let folder = place.folder == external.folder ? try from.get() : try place.open()
        try folder.copyFile(reference.name, to: values.values, as: new?.name ?? reference.name, mode: mode)
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

  /// Copies the other entries of the support folder: regular files, and folders of regular files.
  private func copyOther(_ source: StoreFiles, to target: FolderHandle) throws {
    let home = try source.home()
    do {
      // A link in the place of the folder leads to nothing that belongs to this store.
      guard let from = try home.folderIfPresent(source.supportFolder.lastPathComponent) else { return }
      for entry in try from.entries() {
        let name = FolderHandle.text(entry)
        // A mark stands for files of the source.
        if name == ExternalStorage.valuesFolder || ExternalMark.isName(name) { continue }
        try from.copyAll(entry, to: target, mode: mode)
      }
    } catch {
      throw SystemError.reading("The folder of the store's files", source.supportFolder.path, error)
    }
  }

  func make(
    _ name: String, in home: FolderHandle
  ) throws -> (support: FolderHandle, values: FolderHandle) {
    do {
      let support = try home.madeFolder(name, mode: FileMode.folder(mode)).folder
      return (support, try support.madeFolder(ExternalStorage.valuesFolder, mode: FileMode.folder(mode)).folder)
    } catch {
      throw SystemError.writing("The folder of external values", "\(home.path)/\(name)", error)
    }
  }
}
