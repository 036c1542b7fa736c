import Foundation
import Synchronization

/// The files of external values in a store that is written to: one transaction's new ones, and those that rows no longer
/// name.
///
/// A file is there before its row is committed, and goes after no row names it any more: whatever happens between leaves
/// a file too many, never a value too few.
final class ExternalWriter: @unchecked Sendable {  // all but `unused` belongs to the writer's lock
  let storage: ExternalStorage
  /// Whether files are on the disk before the transaction that names them is, as SQLite sees to it for its own.
  private let syncs: Bool
  private let mode: mode_t
  /// Set once, before the first transaction.
  weak var store: SQLStore?

  private struct Value: Hashable {
    let object: ObjectIdentifier
    let slot: Int
  }

  private var written: [Value: String] = [:]
  /// Those that were written for no object.
  private var loose: Set<String> = []
  private var newFolders: [String] = []
  private var dropped: [DroppedReference] = []
  /// Files that no row names since that commit.
  private let unused = Mutex<[(commit: UInt64, reference: DroppedReference)]>([])

  init(_ storage: ExternalStorage, connection: SQLiteConnection) throws {
    self.storage = storage
    syncs = try connection.integer("PRAGMA synchronous") != 0
    var status = stat()
    mode = stat(connection.path, &status) == 0 ? status.st_mode & 0o666 : 0o644
  }

  // MARK: In a transaction

  /// Writes the value of an object's attribute to a new file.
  /// - Returns: what the column is to have.
  /// - Throws: 513 where the folder cannot be written, 640 without room, 642 on a volume for reading, 512 else; the error
  ///   has the path, and the system's error under it.
  func write(_ data: Data, of object: NSManagedObject, slot: Int) throws -> Data {
    let reference = try write(data) { name in
      let value = Value(object: ObjectIdentifier(object), slot: slot)
      // Written before in this transaction: that attempt has failed.
      if let old = written.updateValue(name, forKey: value) { unlink(storage.path(of: old)) }
    }
    return reference.column
  }

  /// Writes a value that a batch gives to a row.
  /// - Returns: what the column is to have.
  /// - Throws: as the other one.
  func write(_ data: Data) throws -> Data { try write(data) { loose.insert($0) }.column }

  /// Removes what was written for a row that came to nothing.
  func discard(_ column: Data) {
    guard let name = column.withUnsafeBytes({ ExternalReference($0)?.name }), loose.remove(name) != nil else { return }
    unlink(storage.path(of: name))
  }

  /// - Parameter note: called with the file's name once there is one.
  private func write(_ data: Data, _ note: (String) -> Void) throws -> ExternalReference {
    let reference = ExternalReference()
    let path = storage.path(of: reference.name)
    var file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    if file < 0, errno == ENOENT {
      try makeFolders()
      file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    }
    guard file >= 0 else { throw Self.error(MappedFile.lastError, path) }
    note(reference.name)
    // As readable as the store, whatever the process makes of new files otherwise.
    _ = fchmod(file, mode)
    let failure = Self.fill(file, data) ?? (syncs && fsync(file) != 0 ? MappedFile.lastError : nil)
    let isClosed = close(file) == 0
    if let failure = failure ?? (isClosed ? nil : MappedFile.lastError) { throw Self.error(failure, path) }
    return reference
  }

  private static func fill(_ file: Int32, _ data: Data) -> POSIXError? {
    data.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = pwrite(file, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(done))
        if count < 0, errno != EINTR { return MappedFile.lastError }
        done += max(count, 0)
      }
      return nil
    }
  }

  /// The value in the file that this transaction has written for that attribute.
  func newValue(of object: NSManagedObject, slot: Int) -> SnapshotBlob? {
    written[Value(object: ObjectIdentifier(object), slot: slot)].flatMap { storage.value(named: $0) }
  }

  /// A statement has deleted or overwritten a reference.
  func drop(_ reference: DroppedReference) { dropped.append(reference) }

  /// Before COMMIT: the folder has the new files for good, and rows still named are kept.
  func willCommit(_ connection: SQLiteConnection) throws {
    if syncs, !written.isEmpty || !loose.isEmpty {
      for folder in newFolders + [storage.folder] { try Self.sync(folder) }
    }
    // What a statement did may have been undone within the transaction.
    if !dropped.isEmpty { dropped = try dropped.filter { try !$0.isThere(connection) } }
  }

  /// After COMMIT, and after its rows have been published.
  func didCommit() {
    newFolders = []
    written.removeAll(keepingCapacity: true)
    loose = []
    guard !dropped.isEmpty else { return }
    let commit = store?.latestCommit ?? 0
    unused.withLock { $0 += dropped.map { (commit, $0) } }
    dropped = []
  }

  /// After a rollback: the new files go.
  /// - Parameter mayBeCommitted: the system's answer leaves open what is on the disk; then they stay.
  func didRollBack(mayBeCommitted: Bool) {
    if !mayBeCommitted {
      for name in written.values { unlink(storage.path(of: name)) }
      for name in loose { unlink(storage.path(of: name)) }
    }
    newFolders = []
    written = [:]
    loose = []
    dropped = []
  }

  // MARK: Outside of transactions

  /// Removes the files that no row names, and that no reader of this store can come upon any more; later, if a save runs.
  ///
  /// A copy of the store that was put in its place meanwhile may name them again: then they stay.
  func removeUnused(_ writer: StoreWriter, closing: Bool = false) {
    guard unused.withLock({ !$0.isEmpty }) else { return }
    let oldest = closing ? .max : store?.readers.oldestCommit() ?? 0
    let remove = { (connection: SQLiteConnection) in
      let references = self.unused.withLock { unused in
        let references = unused.filter { $0.commit <= oldest }.map(\.reference)
        unused.removeAll { $0.commit <= oldest }
        return references
      }
      for reference in references where (try? reference.isThere(connection)) == false {
        unlink(self.storage.path(of: reference.reference.name))
      }
    }
    // A store that is closed already has nothing left to remove.
    if closing { try? writer.withConnection(remove) } else { writer.withFreeConnection(remove) }
  }

  // MARK: Folders

  private func makeFolders() throws {
    let support = URL(fileURLWithPath: storage.folder).deletingLastPathComponent()
    // Whoever may read a file must be able to find it.
    let mode = mode | 0o700 | (mode & 0o444) >> 2
    for folder in [support.path, storage.folder] {
      if mkdir(folder, mode) == 0 {
        _ = chmod(folder, mode)
      } else if errno != EEXIST {
        throw Self.error(MappedFile.lastError, folder)
      }
    }
    newFolders = [support.deletingLastPathComponent().path, support.path]
  }

  private static func sync(_ folder: String) throws {
    let file = open(folder, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw error(MappedFile.lastError, folder) }
    defer { close(file) }
    // Some file systems do not sync folders, and say so.
    if fsync(file) != 0, errno != EINVAL { throw error(MappedFile.lastError, folder) }
  }

  private static func error(_ error: POSIXError, _ path: String) -> NSError {
    let code: CocoaError.Code =
      switch error.code {
      case .ENOSPC, .EDQUOT: .fileWriteOutOfSpace
      case .EACCES, .EPERM: .fileWriteNoPermission
      case .EROFS: .fileWriteVolumeReadOnly
      default: .fileWriteUnknown
      }
    let reason = String(cString: strerror(error.code.rawValue))
    return NSError(
      coreData: code.rawValue, "A large value cannot be written to \(path): \(reason).",
      [NSFilePathErrorKey: path, NSUnderlyingErrorKey: error as NSError])
  }
}
