import CSQLite
import Foundation

/// Replaces a store by a copy of another store, or puts the copy where no store is yet.
enum StoreReplacement {
  /// - Throws: 260 if there is no source, 259 if one of the two is no store, 256 for folders, 513 for a destination that
  ///   cannot be written, 134090 if one of the two stays locked.
  static func replace(
    _ destination: StoreFiles, options: StoreOptions, with source: StoreFiles, sourceOptions: StoreOptions,
    progress: Progress? = nil
  ) throws {
    _ = try StoreInspection.open(storeAt: source.url, timeout: sourceOptions.timeout)
    guard !destination.isPrivate else { throw destination.unreadable("a private store cannot be replaced") }
    if source.isSame(as: destination) { return }
    // The file may be made or removed meanwhile.
    for _ in 0..<10 {
      switch destination.kind {
      case .folder: throw destination.unreadable("it is a folder")
      case .other: throw destination.unreadable("it is no regular file")
      case .missing:
        let copy = try StoreCopy(of: source, beside: destination, timeout: sourceOptions.timeout, progress: progress)
        defer { copy.remove() }
        if try copy.install(at: destination) { return }
      case .file:
        if try overwrite(
          destination, options: options, with: source, sourceTimeout: sourceOptions.timeout, progress: progress)
        {
          return
        }
        // A destination that cannot be overwritten is not a store, or is damaged, or has been removed.
        try StoreDestruction.destroy(destination, options: options, removesFile: true, keepsLink: true)
      }
    }
    throw destination.unreadable("others keep making and removing it")
  }

  /// Writes the content of the source into the database of the destination. Returns false if the destination is damaged, or
  /// if it is no store and may be replaced by force.
  private static func overwrite(
    _ destination: StoreFiles, options: StoreOptions, with source: StoreFiles, sourceTimeout: TimeInterval,
    progress: Progress?
  ) throws -> Bool {
    var isStore = true
    let connection = try SharedIndex.writable(destination.path, timeout: options.timeout) {
      // The file may be opened anew.
      isStore = true
      do {
        try StoreDestruction.requireStore(destination, $0)
      } catch  where options.forcesDestruction {
        isStore = false
      }
    }
    guard isStore else { return false }
    guard sqlite3_db_readonly(connection.handle, "main") == 0 else {
      throw NSError(
        coreData: CocoaError.Code.fileWriteNoPermission.rawValue,
        "The store at \(destination.url.path) cannot be written.", [NSFilePathErrorKey: destination.url.path])
    }
    StrayedValues.move(destination)
    var names = destination.mayHaveValues ? try StoreDestruction.ownNames(destination, connection) : []
    guard source.mayHaveValues else {
      let from = try StoreInspection.openToCopy(source.path, timeout: sourceTimeout)
      let mark = names.isEmpty ? nil : destination.external.mark()
      return try overwrite(
        destination, connection, from: from, names, marked: mark, timeout: options.timeout, progress: progress)
    }
    let copy = try StoreCopy(of: source, beside: destination, timeout: sourceTimeout, progress: progress)
    defer { copy.remove() }
    let from = try SQLiteConnection(path: copy.path, readOnly: true, create: false, timeout: sourceTimeout, pragmas: [])
    names.formUnion(try ExternalFileReport.names(in: from))
    // A process that is killed from here on may leave files of either store.
    let external = destination.external
    let mark = external.mark()
    try copy.installFiles(at: destination)
    return try overwrite(
      destination, connection, from: from, names, marked: mark ?? external.mark(), timeout: options.timeout,
      progress: nil)
  }

  /// - Parameters:
  ///   - names: the names of the external values of both stores. Those that the resulting database does not name are removed.
  ///   - mark: stays if others still read the old content, whose values then go later.
  private static func overwrite(
    _ destination: StoreFiles, _ connection: SQLiteConnection, from source: SQLiteConnection, _ names: Set<String>,
    marked mark: ExternalMark?, timeout: TimeInterval, progress: Progress?
  ) throws -> Bool {
    var mayBeCommitted = false
    defer {
      if !mayBeCommitted, let kept = try? names.isEmpty ? names : ExternalFileReport.names(in: connection) {
        let external = destination.external
        SettledCommits.remove(names.subtracting(kept), of: external, marked: mark, connection)
      }
    }
    do {
      return try StoreDestruction.unlessDamaged {
        try SQLiteBackup.copy(source, to: connection, timeout: timeout, progress: progress)
        return true
      } ?? false
    } catch {
      mayBeCommitted = SQLiteError.leavesOpen(error)
      throw error
    }
  }
}
