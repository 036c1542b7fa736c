import CSQLite
import Foundation

/// A copy of a store as it is at one moment, the files of its external values included, while others write it.
///
/// Database and support folder are made beside the place where they are to be, under names of their own.
struct StoreCopy {
  /// The database of the copy; nobody else knows of it.
  let path: String
  /// What is to be in the support folder; nil for a store without external values.
  let support: URL?

  /// Makes a copy beside `destination`.
  /// - Parameter isQuiet: Whether no byte of the source and its folder may change; then others who write it at the same
  ///   time are noticed, and not kept waiting.
  /// - Throws: what reading the source or writing beside the destination throws; 3072 after a cancellation; 134090 for a
  ///   source that was written while it was read quietly.
  init(
    of source: StoreFiles, beside destination: StoreFiles, timeout: TimeInterval, progress: Progress?,
    isQuiet: Bool = false
  ) throws {
    let folder = URL(fileURLWithPath: destination.path).deletingLastPathComponent()
    let name = ".\(URL(fileURLWithPath: destination.path).lastPathComponent)-\(UUID().uuidString)"
    path = folder.appendingPathComponent(name).path
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isDirectory), isDirectory.boolValue else {
      throw destination.unreadable("there is no folder \(folder.path)")
    }
    let hasFiles = FileManager.default.fileExists(atPath: source.supportFolder.path)
    support = hasFiles ? folder.appendingPathComponent(name + "_SUPPORT", isDirectory: true) : nil
    do {
      // A file that was not there the last time either is missing from the store itself.
      var missing: Set<String> = []
      for attempt in 0..<100 {
        remove()
        // Values that change faster than they can be copied have to wait.
        let lock = attempt < 5 || isQuiet ? nil : try? Self.lock(source, timeout: timeout)
        defer { withExtendedLifetime(lock) {} }
        try copyDatabase(source, timeout: timeout, progress: progress, isQuiet: isQuiet)
        let gone = try copyFiles(source, to: destination)
        if gone.isSubset(of: missing) { return }
        missing = gone
      }
      throw source.unreadable("its external values change too fast to be copied")
    } catch {
      remove()
      throw error
    }
  }

  /// A store beside the place where it is to be, which nobody has open.
  init(ofClosedStore files: StoreFiles) {
    path = files.path
    support = FileManager.default.fileExists(atPath: files.supportFolder.path) ? files.supportFolder : nil
  }

  /// Takes the copy away.
  func remove() {
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    if let support { try? FileManager.default.removeItem(at: support) }
  }

  /// A connection that keeps others from writing as long as it is there.
  private static func lock(_ source: StoreFiles, timeout: TimeInterval) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(
      path: source.path, readOnly: false, create: false, timeout: timeout, pragmas: [])
    try connection.execute("BEGIN IMMEDIATE")
    return connection
  }

  private func copyDatabase(
    _ source: StoreFiles, timeout: TimeInterval, progress: Progress?, isQuiet: Bool
  ) throws {
    var status = stat()
    // Who may read the store may read its copy, and nobody else.
    let mode = stat(source.path, &status) == 0 ? status.st_mode & 0o777 : 0o644
    let file = open(path, O_CREAT | O_EXCL | O_WRONLY, mode | 0o600)
    guard file >= 0 else { throw StoreFiles.writeError(errno, path, "made") }
    close(file)
    // Read without locks, if nobody has it open.
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

  /// Copies what the copied rows name; gives the names of the files that are not there.
  private func copyFiles(_ source: StoreFiles, to destination: StoreFiles) throws -> Set<String> {
    guard let support else { return [] }
    let manager = FileManager.default
    let values = support.appendingPathComponent(StoreCopy.valuesFolder, isDirectory: true)
    try manager.createDirectory(at: values, withIntermediateDirectories: true)
    // Stores that differ in their extension alone have one folder: what is in it is there already, and each value of the
    // copy needs a file of another name, since the source's goes when its row changes.
    let isShared = source.sharesFolder(with: destination)
    for name in try manager.contentsOfDirectory(atPath: source.supportFolder.path)
    where name != StoreCopy.valuesFolder && !isShared {
      try manager.copyItem(
        at: source.supportFolder.appendingPathComponent(name), to: support.appendingPathComponent(name))
    }
    let connection = try SQLiteConnection(
      path: path, readOnly: !isShared, create: false, immutable: !isShared, timeout: 0, pragmas: [])
    var copied: Set<String> = []
    var gone: Set<String> = []
    try connection.execute("BEGIN")
    for reference in try ExternalFileReport.references(in: connection)
    where isShared || copied.insert(reference.name).inserted {
      let file = source.supportFolder.appendingPathComponent(StoreCopy.valuesFolder)
        .appendingPathComponent(reference.name)
      let new = isShared ? ExternalReference() : nil
      let copy = values.appendingPathComponent(new?.name ?? reference.name)
      do {
        try manager.copyItem(at: file, to: copy)
        if let new { try new.replace(reference, connection) }
      } catch let error as NSError where !manager.fileExists(atPath: file.path) {
        _ = error
        try? manager.removeItem(at: copy)
        gone.insert(reference.name)
      }
    }
    try connection.execute("COMMIT")
    return gone
  }

  /// Where external values are in a support folder.
  static let valuesFolder = "_EXTERNAL_DATA"

  // MARK: Putting it in place

  /// Puts the copy where nothing is: the values first, since whoever finds the database finds its values. False if there is
  /// a database by now.
  /// - Throws: what moving the files throws; what was moved is taken away again then.
  func install(at destination: StoreFiles) throws -> Bool {
    try requireWhole()
    let target = destination.supportFolder.appendingPathComponent(StoreCopy.valuesFolder)
    let values = support?.appendingPathComponent(StoreCopy.valuesFolder).path
    let names = try values.map { try FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
    // Of stores that differ in their extension alone the values of another one are there.
    let new = names.filter { access(target.appendingPathComponent($0).path, F_OK) != 0 }
    var isInstalled = false
    defer {
      // Not where somebody else has made a store meanwhile: it may be a copy with the same values.
      if !isInstalled, access(destination.path, F_OK) != 0, errno == ENOENT {
        for name in new { unlink(target.appendingPathComponent(name).path) }
        // Folders that hold anything stay.
        rmdir(target.path)
        rmdir(destination.supportFolder.path)
      }
    }
    try installFiles(at: destination)
    isInstalled = try installDatabase(at: destination)
    return isInstalled
  }

  /// Adds the copy's external values to those of the store at `destination`, which keeps its own.
  func installFiles(at destination: StoreFiles) throws {
    guard let support else { return }
    let manager = FileManager.default
    let target = destination.supportFolder
    guard manager.fileExists(atPath: target.path) else { return try manager.moveItem(at: support, to: target) }
    try manager.createDirectory(
      at: target.appendingPathComponent(StoreCopy.valuesFolder), withIntermediateDirectories: true)
    for name in try manager.contentsOfDirectory(atPath: support.path) where name != StoreCopy.valuesFolder {
      try Self.move(support.appendingPathComponent(name).path, over: target.appendingPathComponent(name).path)
    }
    let values = support.appendingPathComponent(StoreCopy.valuesFolder).path
    for name in try manager.contentsOfDirectory(atPath: values) {
      try Self.move(
        "\(values)/\(name)",
        over: target.appendingPathComponent(StoreCopy.valuesFolder).appendingPathComponent(name).path)
    }
    try manager.removeItem(at: support)
  }

  /// Makes the copy the database at `destination`, where there must be none; false if there is one all the same.
  private func installDatabase(at destination: StoreFiles) throws -> Bool {
    // A log that an earlier database left would be taken for this one's.
    for path in destination.besides { try StoreFiles.remove(path) }
    if link(path, destination.path) == 0 {
      unlink(path)
      return true
    }
    if errno == EEXIST { return false }
    // Not every file system has links; without them somebody else's new file could be replaced.
    try Self.move(path, over: destination.path)
    return true
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

  private static func move(_ path: String, over target: String) throws {
    if rename(path, target) == 0 { return }
    let code = errno
    // A folder is in the way of a folder.
    if [EEXIST, ENOTEMPTY, EISDIR, ENOTDIR].contains(code),
      (try? FileManager.default.removeItem(atPath: target)) != nil, rename(path, target) == 0
    {
      return
    }
    throw StoreFiles.writeError(code, target, "made")
  }
}
