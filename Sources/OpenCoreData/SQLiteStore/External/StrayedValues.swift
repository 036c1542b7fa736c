import Foundation

/// Moves the files of external values that earlier versions have put beside a symbolic link to where they belong, beside the
/// store's own file.
enum StrayedValues {
  /// Moves the files while nobody else can write to the store. Does nothing, without an error, if others are writing or a
  /// file cannot be moved: the files are found where they are (`ExternalStorage.strayed`), and a later opening tries again.
  ///
  /// A store that lies beside the link, with the same name but for the extension, keeps its files: then those alone are moved
  /// that this store's rows name. Otherwise everything in the folder is this store's.
  static func move(_ files: StoreFiles) {
    let places = files.external.strayed
    guard !places.isEmpty, files.kind == .file else { return }
    guard
      let connection = try? SQLiteConnection(
        path: files.path, readOnly: false, create: false, timeout: 0, pragmas: []),
      (try? StoreDestruction.requireStore(files, connection)) != nil,
      (try? connection.execute("BEGIN IMMEDIATE")) != nil
    else { return }
    defer { try? connection.execute("ROLLBACK") }
    for place in places { try? move(from: place, to: files, connection) }
  }

  private static func move(from place: ExternalStorage, to files: StoreFiles, _ connection: SQLiteConnection) throws {
    try connection.checkIsInPlace()
    let neighbours = try files.neighbours(ofLink: place.storePath)
    let support = try place.openSupport()
    let names: [[CChar]]
    let source: FolderHandle?
    if neighbours.isEmpty {
      source = try support.folderIfPresent(ExternalStorage.valuesFolder)
      names = try source?.entries() ?? []
    } else {
      let own = try ExternalFileReport.names(in: connection).subtracting(StoreDestruction.names(in: neighbours))
      source = try support.folderIfPresent(ExternalStorage.valuesFolder)
      names = own.map { Array($0.utf8CString) }
    }
    if let source {
      let mode = FileMode.ofFile(files.path)
      let (target, _) = try files.external.make(mode: mode)
      // To another file system a value comes by a copy, which gets the value's name when it is whole. Where this process is
      // killed before, the mark has a later opening remove the copy (`ExternalFileCleaning`).
      let mark = source.isOnFileSystem(of: target) ? nil : files.external.mark()
      defer { mark?.remove() }
      for name in names { try move(name, source, target, mode: mode) }
    }
    // Folders that are not empty stay.
    rmdir(place.folder)
    if neighbours.isEmpty { try moveOther(support, to: files) }
    rmdir(support.path)
  }

  /// Moves a regular file, also to another file system; everything else stays.
  private static func move(_ name: [CChar], _ source: FolderHandle, _ target: FolderHandle, mode: mode_t)
    throws(POSIXError)
  {
    guard let status = try? source.status(name), status.st_mode & S_IFMT == S_IFREG else { return }
    try source.moveFile(name, to: target, mode: mode)
  }

  /// Moves the other entries of the support folder, unless the store has entries of the same names.
  private static func moveOther(_ support: FolderHandle, to files: StoreFiles) throws {
    for entry in try support.entries() where FolderHandle.text(entry) != ExternalStorage.valuesFolder {
      let target = try files.home().folder(files.supportFolder.lastPathComponent)
      if (try? target.status(entry)) == nil { try support.move(entry, to: target, as: entry) }
    }
  }
}
