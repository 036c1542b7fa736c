import Foundation
import Synchronization

/// The files of external values in a store that is written: the new ones of one transaction, and those that rows do not name
/// any more.
///
/// A file exists before its row is committed, and is removed after no row names it any more. So an interruption may leave a
/// file that is not needed, but never a value without its file.
final class ExternalWriter: @unchecked Sendable {  // all but `unused` belongs to the writer's lock
  let storage: ExternalStorage
  /// Whether files are synchronised to the disk before the transaction that names them is committed, as SQLite does
  /// with its own file.
  private let syncs: Bool
  private let mode: mode_t
  /// Set once, before the first transaction.
  @WeaklyReferring var store: SQLiteStore?

  /// The names of the files that this transaction has written.
  private var written: Set<String> = []
  /// Folders with names that are to be on the disk before the transaction is.
  private var changedFolders: [FolderHandle] = []
  private var dropped: [DroppedReference] = []
  /// Files that no row names since that commit.
  private let unused = Mutex<[(commit: UInt64, reference: DroppedReference)]>([])

  init(_ storage: ExternalStorage, connection: SQLiteConnection) throws {
    self.storage = storage
    syncs = try connection.integer("PRAGMA synchronous") != 0
    mode = FileMode.ofFile(connection.path)
  }

  // MARK: In a transaction

  /// Writes a value to a new file.
  /// - Returns: what the column is to have.
  /// - Throws: 513 where the folder cannot be written, 640 without room, 642 on a volume for reading, 512 else; the error
  ///   has the path, and the system's error under it.
  func write(_ data: Data) throws -> Data { try reference(data).column }

  /// Writes a value of a row that a save has planned to a new file. From then on the row reads the value from the file, and
  /// keeps no copy in memory.
  /// - Returns: the value of the column.
  /// - Throws: the errors of the other method.
  func write(_ blob: SnapshotBlob, of row: Snapshot, slot: Int) throws -> Data {
    let reference = try reference(blob.data)
    let kept = (try? storage.read(reference.name)) ?? SnapshotBlob(data: blob.data.copied, cost: blob.data.count)
    row.replaceBlob(slot, by: kept)
    return reference.column
  }

  /// Removes the file of a value whose row was not written.
  func discard(_ column: Data) {
    guard let name = column.withUnsafeBytes({ ExternalReference($0)?.name }), written.remove(name) != nil else {
      return
    }
    storage.remove([name])
  }

  private func reference(_ data: Data) throws -> ExternalReference {
    let reference = ExternalReference()
    do throws(POSIXError) {
      let folder = try openFolder()
      let file = try folder.makeFile(reference.name, mode: mode)
      written.insert(reference.name)
      var failure = MappedFile.fill(file, data)
      if failure == nil, syncs, fsync(file) != 0 { failure = .last }
      if close(file) != 0, failure == nil { failure = .last }
      if let failure { throw failure }
    } catch {
      throw Self.error(error, storage.path(of: reference.name))
    }
    return reference
  }

  /// Opens the folder for the files, or makes it and notes that.
  private func openFolder() throws(POSIXError) -> FolderHandle {
    do {
      let folder = try storage.open()
      if changedFolders.isEmpty { changedFolders = [folder] }
      return folder
    } catch {
      guard error.code == .ENOENT else { throw error }
      let (folder, changed) = try storage.make(mode: mode)
      changedFolders = changed + [folder]
      return folder
    }
  }

  /// A statement has deleted or overwritten a reference.
  func drop(_ reference: DroppedReference) { dropped.append(reference) }

  /// Called before COMMIT: makes sure that the new files are on the disk, and keeps files that rows still name.
  func willCommit(_ connection: SQLiteConnection) throws {
    if syncs, !written.isEmpty {
      for folder in changedFolders {
        do { try folder.synchronize() } catch { throw Self.error(error, folder.path) }
      }
    }
    // A removal may have been undone within the transaction.
    if !dropped.isEmpty { dropped = try dropped.filter { try !$0.isThere(connection) } }
  }

  /// Called after COMMIT, and after the rows have been published.
  func didCommit() {
    changedFolders = []
    written.removeAll(keepingCapacity: true)
    guard !dropped.isEmpty else { return }
    let commit = store?.latestCommit ?? 0
    unused.withLock { $0 += dropped.map { (commit, $0) } }
    dropped = []
  }

  /// Called after a rollback: removes the new files.
  /// - Parameter mayBeCommitted: whether the system's answer leaves open what is on the disk. The files stay then.
  func didRollBack(mayBeCommitted: Bool) {
    if !mayBeCommitted {
      storage.remove(Array(written))
    }
    changedFolders = []
    written = []
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
      self.storage.remove(
        references.lazy.filter { (try? $0.isThere(connection)) == false }.map(\.reference.name))
    }
    // A store that is closed already has nothing left to remove.
    if closing { try? writer.withConnection(remove) } else { writer.withFreeConnection(remove) }
  }

  private static func error(_ error: POSIXError, _ path: String) -> NSError {
    SystemError.writing("A large value", path, error)
  }
}

extension Data {
  /// The same bytes in memory of their own, since the bytes that were set may belong to a buffer of the program.
  fileprivate var copied: Data { withUnsafeBytes { Data($0) } }
}
