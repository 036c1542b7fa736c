import Foundation
import Synchronization

/// The files beside a store that hold large binary values.
///
/// It keeps only the folder's name, so that it can be used for a store that is not open.
///
/// Earlier versions put the files of a store that was opened by a symbolic link beside the link. These strayed files are
/// found, too, until they are moved to where they belong (`StrayedValues`).
struct ExternalStorage: Sendable {
  /// The name of the folder for external values inside a support folder.
  static let valuesFolder = "_EXTERNAL_DATA"

  /// The path of the folder with the files.
  let folder: String
  /// The folder that the store is in.
  private let home: String
  private let supportName: String

  /// The path of the store's file.
  let storePath: String
  /// The places beside links to the store that have a support folder.
  let strayed: [ExternalStorage]

  /// - Parameters:
  ///   - storePath: the path of the store's file, after symbolic links.
  ///   - links: the links by which the file is reached.
  init(storePath: String, links: [String] = []) {
    self.storePath = storePath
    strayed = links.lazy.map { ExternalStorage(storePath: $0) }.filter(\.hasFolder)
    let support = Self.supportFolder(forStoreAt: URL(fileURLWithPath: storePath))
    home = support.deletingLastPathComponent().path
    supportName = support.lastPathComponent
    folder = support.appendingPathComponent(Self.valuesFolder).path
  }

  /// The support folder, `.<name of the store without extension>_SUPPORT` beside the store. Everything in it belongs to the
  /// store.
  ///
  /// Most stores have no support folder. The first value that is written to a file makes it.
  static func supportFolder(forStoreAt url: URL) -> URL {
    let name = url.deletingPathExtension().lastPathComponent
    return url.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT", isDirectory: true)
  }

  func path(of name: String) -> String { "\(folder)/\(name)" }

  /// Whether there are support folders beside links to the store.
  var hasStrayed: Bool { !strayed.isEmpty }

  private var hasFolder: Bool {
    var status = stat()
    return lstat("\(home)/\(supportName)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  // MARK: The folder

  /// Opens the folder with the files. Neither this folder nor its parent may be a link, which could lead to others' files.
  /// - Throws: ENOENT if the folder was never made, ENOTDIR for a link.
  func open() throws(POSIXError) -> FolderHandle {
    try FolderHandle(home).folder(supportName).folder(Self.valuesFolder)
  }

  /// Opens the support folder. It must not be a link.
  /// - Throws: ENOENT if the folder was never made, ENOTDIR for a link.
  func openSupport() throws(POSIXError) -> FolderHandle { try FolderHandle(home).folder(supportName) }

  /// Opens the folder with the files, and makes it if it is missing; also returns the folders that contain a new folder.
  func make(mode: mode_t) throws(POSIXError) -> (folder: FolderHandle, changed: [FolderHandle]) {
    let home = try FolderHandle(home)
    let support = try home.madeFolder(supportName, mode: FileMode.folder(mode))
    let values = try support.folder.madeFolder(Self.valuesFolder, mode: FileMode.folder(mode))
    return (values.folder, (support.isNew ? [home] : []) + (values.isNew ? [support.folder] : []))
  }

  /// Removes files that no row names any more. A file that cannot be removed stays, unused.
  func remove(_ names: some Collection<String>) {
    for place in strayed { place.remove(names) }
    var folder: FolderHandle?
    for name in names {
      if folder == nil { folder = try? open() }
      guard let folder else { return }
      try? folder.remove(name)
    }
  }

  /// Makes sure that the files' names are on the disk.
  func synchronize() throws {
    do {
      try open().synchronize()
    } catch  where error.code == .ENOENT {
      // Rows whose files are missing need no folder.
    } catch {
      throw SystemError.writing("The folder of external values", folder, error)
    }
  }

  // MARK: Values

  /// Reads the value in the file of a reference; nil, with a report, if the file is missing.
  /// - Throws: the system's error if the file exists, or may exist, and cannot be read.
  func read(_ name: String) throws(POSIXError) -> SnapshotBlob? {
    if let found = try find(name) { return found }
    reportMissing(name)
    return nil
  }

  /// Reads the value in the file of a reference; nil if the file is missing. It may be missing because the row that names it
  /// is out of date, which the caller finds out.
  /// - Throws: as `read(_:)`.
  func find(_ name: String) throws(POSIXError) -> SnapshotBlob? {
    do {
      let (data, isMapped) = try MappedFile.read(name, in: open())
      return SnapshotBlob(data: data, cost: isMapped ? 0 : data.count)
    } catch {
      guard error.code == .ENOENT else { throw error }
      return try findStrayed(name)
    }
  }

  private func findStrayed(_ name: String) throws(POSIXError) -> SnapshotBlob? {
    for place in strayed {
      if let found = try place.find(name) { return found }
    }
    // Another process may have moved the file in between.
    return strayed.isEmpty ? nil : try ExternalStorage(storePath: storePath).find(name)
  }

  /// Returns the place in which the file of a reference is: this one, unless the file is beside a link.
  func place(of name: String) -> ExternalStorage {
    if strayed.isEmpty || (try? open().status(name)) != nil { return self }
    return strayed.first { (try? $0.open().status(name)) != nil } ?? self
  }

  /// Reports, once, that a file is missing.
  func reportMissing(_ name: String) {
    let path = path(of: name)
    Self.report(
      path, "the external data at \(path) cannot be read, its value is nil: \(POSIXError(.ENOENT).reason)")
  }

  /// Makes the error for a value whose file exists, or may exist, and cannot be read.
  func error(_ error: POSIXError, reading name: String) -> NSError {
    SystemError.reading("The external value", path(of: name), error)
  }

  /// Reads the reference in a column; nil, with a report, if the column has no file name of the framework's form.
  func reference(_ column: UnsafeRawBufferPointer) -> ExternalReference? {
    if let reference = ExternalReference(column) { return reference }
    Self.report(folder, "a row has a damaged reference to a file in \(folder)")
    return nil
  }

  /// Reads the value in the file that a column names; nil if the file is missing, or the column names none.
  /// - Parameter missing: gets the name of a missing file. Nil has it reported, once.
  /// - Throws: 257 without permission, else 256 for a file that cannot be read, with path and the system's error.
  func value(_ column: UnsafeRawBufferPointer, missing: ((String) -> Void)? = nil) throws -> SnapshotBlob? {
    guard let name = reference(column)?.name else { return nil }
    do {
      if let found = try find(name) { return found }
    } catch {
      throw self.error(error, reading: name)
    }
    if let missing { missing(name) } else { reportMissing(name) }
    return nil
  }

  /// Returns the bytes of a column. The value may be inline, in a file, or, if another program has written it, without the
  /// mark that tells the two apart.
  /// - Throws: the errors of `value(_:)`.
  func data(_ column: UnsafeRawBufferPointer, missing: ((String) -> Void)? = nil) throws -> Data? {
    switch column.first {
    case 1: Data(column.dropFirst())
    case 2: try value(column, missing: missing)?.data
    default: Data(column)
    }
  }

  private static let reported = Mutex<Set<String>>([])

  static func report(_ subject: String, _ text: String) {
    let isNew = reported.withLock { $0.count < 10_000 && $0.insert(subject).inserted }
    if isNew { FileHandle.standardError.write(Data("CoreData: error: \(text)\n".utf8)) }
  }
}
