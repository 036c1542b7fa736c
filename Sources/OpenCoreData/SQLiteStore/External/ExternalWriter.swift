import Foundation
import Synchronization

/// The files of external values in a store that is written to: the new files of one transaction, and the files that rows no
/// longer name.
///
/// A file is written before its row is committed. It is removed when no row names it any more, the commit that took it out of
/// its row is on the disk, and nobody reads an older state, in whatever process (`SettledCommits`). So a crash or a power cut
/// may leave a file too many, but never a value without its file. As long as there are such files, the process has a mark in
/// the support folder (`ExternalMark`).
final class ExternalWriter: @unchecked Sendable {  // the writer's lock has all but `unused`, `credit`, `looksForLeft`
  // and `whenLeft`
  let storage: ExternalStorage
  /// Whether files are synchronised to the disk before the transaction that names them is committed, as SQLite does with its
  /// own file.
  private let syncs: Bool
  private let mode: mode_t
  /// The names of the files that this transaction has written.
  private var written: Set<String> = []
  /// The folders whose entries must be on the disk before the transaction is.
  private var changedFolders: [FolderHandle] = []
  private var dropped: [DroppedReference] = []
  /// Tells other processes of the files in `written` and `unused`, also when this process has ended without removing them.
  private var mark: ExternalMark?
  /// References that commits have removed from rows, with the length of the log since which that holds, once it is known.
  private let unused = Mutex<[(logLength: Int?, reference: DroppedReference)]>([])
  /// How many sixteenths of a checkpoint may be made for the sake of unused files. A checkpoint takes many times as long as a
  /// commit that takes a value out of its row: in a long series of such commits one of sixteen makes one.
  private let credit = Atomic(mostCredit)
  private static let checkpointCost = 16, mostCredit = 32 * checkpointCost
  /// Called after a save that has left files to a later call; set once, before the first transaction.
  var whenLeft: (@Sendable () -> Void)?
  /// Whether to look for files that other processes have left, because the support folder is being changed anyway.
  private let looksForLeft = Atomic(false)

  init(_ storage: ExternalStorage, connection: SQLiteConnection) throws {
    self.storage = storage
    syncs = try connection.integer("PRAGMA synchronous") != 0
    mode = FileMode.ofFile(connection.path)
  }

  // MARK: In a transaction

  /// Writes a value to a new file.
  /// - Returns: the bytes that the column is to have.
  /// - Throws: 513 if the folder cannot be written, 640 if there is no room, 642 if the volume is read-only, 512 for other
  ///   errors. The error has the path, and the system's error as its underlying error.
  func write(_ data: Data) throws -> Data { try reference(data).column }

  /// Writes a value of a row that a save has planned to a new file. From then on the row reads the value from the file and
  /// keeps no copy in memory.
  /// - Returns: the bytes that the column is to have.
  /// - Throws: the errors of `write(_:)`.
  func write(_ blob: SnapshotBlob, of row: Snapshot, slot: Int) throws -> Data {
    let reference = try reference(blob.data)
    let kept = (try? storage.read(reference.name)) ?? SnapshotBlob(data: blob.data.copied, cost: blob.data.count)
    row.replaceBlob(slot, by: kept)
    return reference.column
  }

  /// Removes the file that was written for a row that is not inserted or updated after all.
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
      setMark()
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

  /// Opens the folder for the files. If it does not exist, it is made, and the folders that this changes are noted.
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

  /// Makes the mark, unless there is one. Without it, files that this process leaves are found by `coredata store clean` alone,
  /// so an error is no reason to give the save up.
  private func setMark() {
    if !written.isEmpty { return }
    if let mark, mark.isThere { return mark.renew() }
    mark = storage.mark()
    looksForLeft.store(true, ordering: .relaxed)
  }

  /// Removes the mark if there are no files that it stands for.
  private func removeMark() {
    guard written.isEmpty, unused.withLock({ $0.isEmpty }) else { return }
    mark?.remove()
    mark = nil
  }

  /// Notes that a statement has deleted or overwritten a reference.
  func drop(_ reference: DroppedReference) { dropped.append(reference) }

  /// Called before COMMIT. Synchronises the folders of new files, and keeps files that rows still name.
  func willCommit(_ connection: SQLiteConnection) throws {
    if syncs, !written.isEmpty {
      for folder in changedFolders {
        do { try folder.synchronize() } catch { throw Self.error(error, folder.path) }
      }
    }
    // The effect of a statement may have been undone within the transaction.
    if !dropped.isEmpty { dropped = try dropped.filter { try !$0.isThere(connection) } }
    if !dropped.isEmpty { setMark() }
  }

  /// Called after COMMIT, when the rows have been published.
  func didCommit() {
    changedFolders = []
    written.removeAll(keepingCapacity: true)
    if !dropped.isEmpty {
      unused.withLock { $0 += dropped.map { (nil, $0) } }
      dropped = []
    }
    credit.store(min(credit.load(ordering: .relaxed) + 1, Self.mostCredit), ordering: .relaxed)
    removeMark()
  }

  /// Called after a rollback; removes the new files.
  /// - Parameter mayBeCommitted: whether the transaction may be on the disk in spite of the error; then the new files stay.
  func didRollBack(mayBeCommitted: Bool) {
    if !mayBeCommitted {
      storage.remove(Array(written))
    } else if !written.isEmpty {
      // The mark stays, since rows may name these files or not.
      mark = nil
    }
    changedFolders = []
    written = []
    dropped = []
    removeMark()
  }

  // MARK: Outside of transactions

  /// Removes the files that no row names, of commits that are settled. While a save runs, or soon after other calls, this does
  /// nothing unless the store is being closed; a later call then removes them. What is still there when the store is closed,
  /// because another process reads, stays under its mark.
  ///
  /// Files stay if rows name them again, because a copy of the store has been put in its place meanwhile.
  /// - Parameter isDue: whether files that wait are removed now, however many calls have been made: some time has passed.
  func removeUnused(_ writer: StoreWriter, closing: Bool = false, isDue: Bool = false) {
    if unused.withLock({ !$0.isEmpty }) {
      // An error means that the store is closed already; then there is nothing left to remove.
      if closing {
        try? writer.withConnection(removeUnused)
      } else if isDue || credit.load(ordering: .relaxed) >= Self.checkpointCost {
        writer.withFreeConnection(removeUnused)
      }
      // Else the last files of a series of saves would stay until the store is closed.
      if !closing, !isDue, unused.withLock({ !$0.isEmpty }) { whenLeft?() }
    }
    guard looksForLeft.exchange(false, ordering: .relaxed), !closing else { return }
    ExternalFileCleaning.removeLeftByKilled(storePath: storage.storePath)
  }

  private func removeUnused(_ connection: SQLiteConnection) {
    credit.store(max(credit.load(ordering: .relaxed) - Self.checkpointCost, 0), ordering: .relaxed)
    guard let settled = SettledCommits(connection) else { return }
    let references = unused.withLock { unused in
      var references: [DroppedReference] = []
      unused = unused.compactMap { entry in
        let length = entry.logLength ?? settled.logLength
        guard settled.include(logLength: length) else { return (length, entry.reference) }
        references.append(entry.reference)
        return nil
      }
      return references
    }
    storage.remove(references.lazy.filter { (try? $0.isThere(connection)) == false }.map(\.reference.name))
    removeMark()
  }

  private static func error(_ error: POSIXError, _ path: String) -> NSError {
    SystemError.writing("A large value", path, error)
  }
}

extension Data {
  /// The same bytes in newly allocated memory: the data may be a view of a buffer that its owner changes.
  fileprivate var copied: Data { withUnsafeBytes { Data($0) } }
}
