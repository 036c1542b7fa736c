import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Stores that are read where nothing can be written, as in a mounted backup: everything that was committed is read, and
/// nothing is left beside the store.
@Suite(.enabled(if: Shell.hasSQLite && Nobody.isPossible, "sqlite3 is not there")) struct UnwritableFolderTests {
  /// The files that somebody else has left beside a database.
  enum Companions: String, CaseIterable {
    case none, log, logAndIndex, index, emptyLog, emptyLogAndIndex, journal, emptyJournal, logOfNoLogMode

    /// Whether Bob's row is in the log, and not in the database.
    var hasLog: Bool { [.log, .logAndIndex].contains(self) }
  }

  /// The modes of the file and of its folder.
  enum Access: String, CaseIterable {
    case all, noFolder, noFile, nothing

    func set(_ folder: URL) throws {
      let file: mode_t = self == .noFile || self == .nothing ? 0o444 : 0o666
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        #expect(chmod(folder.appendingPathComponent(name).path, file) == 0)
      }
      #expect(chmod(folder.path, self == .noFolder || self == .nothing ? 0o555 : 0o777) == 0)
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let companions: Companions
    let access: Access

    var testDescription: String { "\(companions), \(access)" }

    static let all = Companions.allCases.flatMap { companions in
      Access.allCases.map { Case(companions: companions, access: $0) }
    }
  }

  /// A store with Ann, whose files lie as a crash would leave them; with a log, Bob is in it.
  private func store(_ companions: Companions) throws -> URL {
    let original = try FileStore.make(["Ann"])
    let copy = try TestModel.temporaryFile()
    // By another process: what this one opens and closes loses its locks.
    func take(_ suffixes: [String]) throws {
      for suffix in suffixes {
        try Shell.run(URL(fileURLWithPath: "/bin/cp"), [original.path + suffix, copy.path + suffix])
      }
    }
    switch companions {
    case .none: try take([""])
    case .log, .logAndIndex, .index, .emptyLogAndIndex, .logOfNoLogMode:
      let open = try FileStore.open(original)
      try FileStore.add(["Bob"], to: open)
      let suffixes: [Companions: [String]] = [
        .logAndIndex: ["", "-wal", "-shm"], .index: ["", "-shm"], .emptyLogAndIndex: ["", "-shm"],
      ]
      try take(suffixes[companions] ?? ["", "-wal"])
      if companions == .emptyLogAndIndex { try Data().write(to: URL(fileURLWithPath: copy.path + "-wal")) }
      try FileStore.close(open)
      if companions == .logOfNoLogMode {
        try Shell.sql(original, "PRAGMA journal_mode = DELETE")
        try take([""])
      }
    case .emptyLog:
      try take([""])
      try Data().write(to: URL(fileURLWithPath: copy.path + "-wal"))
    case .journal:
      try Shell.sql(original, "PRAGMA journal_mode = DELETE")
      let other = try OtherProcess(original)
      try other.run(
        "PRAGMA cache_size = 1; BEGIN; UPDATE ZAUTHOR SET ZNAME = 'Eve'; CREATE TABLE T (A);"
          + "INSERT INTO T WITH RECURSIVE N(I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM N WHERE I < 2000)"
          + " SELECT zeroblob(900) FROM N;")
      try take(["", "-journal"])
    case .emptyJournal:
      try Shell.sql(original, "PRAGMA journal_mode = PERSIST; UPDATE ZAUTHOR SET ZAGE = 3")
      try take(["", "-journal"])
    }
    return copy
  }

  /// A connection that was opened for reading, and what it reads: the names of the authors, and SQLite's own finding.
  private func read(_ store: URL) throws -> (names: [String], finding: [String?], copy: String?) {
    let inspected = try InspectedStore(store)
    let names = try inspected.connection.rows("SELECT ZNAME FROM ZAUTHOR ORDER BY ZNAME").compactMap { $0[0] }
    let finding = try inspected.connection.rows("PRAGMA integrity_check").map { $0[0] }
    let copy = inspected.connection.copy?.path
    if let copy { #expect(FileManager.default.fileExists(atPath: copy)) }
    try inspected.requireUnchanged()
    return (names, finding, copy)
  }

  @Test(arguments: Case.all) func aReadingCommandReadsEverythingAndLeavesNothing(_ one: Case) throws {
    let store = try store(one.companions), folder = store.deletingLastPathComponent()
    try one.access.set(folder)
    let before = try FolderContents(folder)
    let found = try Nobody.run { try read(store) }
    if one.companions != .logOfNoLogMode {
      #expect(found.names == (one.companions.hasLog ? ["Ann", "Bob"] : ["Ann"]))
    }
    #expect(found.finding == ["ok"])
    // Undoing what is in a journal is the only change that a reader makes, where it may.
    if one.companions != .journal || one.access != .all { #expect(try FolderContents(folder) == before) }
    let needsCopy =
      switch (one.companions, one.access) {
      case (.log, .noFile), (.log, .nothing), (.logOfNoLogMode, .noFile), (.logOfNoLogMode, .nothing): true
      case (.journal, .noFolder), (.journal, .noFile), (.journal, .nothing): true
      default: false
      }
    #expect((found.copy != nil) == needsCopy)
    let folderOfCopy = found.copy.map { ($0 as NSString).deletingLastPathComponent }
    #expect(folderOfCopy.map { !FileManager.default.fileExists(atPath: $0) } ?? true)
    // Metadata, the model, a backup and a verification are reading, too.
    try Nobody.run {
      #expect(try StoredModel(contentsOf: store).model?.entities.count == 4)
      #expect(
        StoreVerification(try InspectedStore(store)).problems().filter { $0.severity == .error }.map(\.text) == [])
      let backup = try TestModel.temporaryFile("Backup.sqlite")
      try NSPersistentStoreCoordinator.copyPersistentStore(
        at: store, to: backup, options: nil, progress: nil, isQuiet: true)
      #expect(try read(backup).names == found.names)
    }
    if one.companions != .journal || one.access != .all { #expect(try FolderContents(folder) == before) }
  }

  /// A program that opens a store for reading only gets what is in the log, too.
  @Test(arguments: [Companions.none, .log, .logAndIndex, .index, .emptyLog, .emptyLogAndIndex, .journal])
  func aStoreIsOpenedForReadingOnly(_ companions: Companions) throws {
    let store = try store(companions), folder = store.deletingLastPathComponent()
    try Access.nothing.set(folder)
    let before = try FolderContents(folder)
    try Nobody.run {
      let coordinator = try FileStore.open(store, [NSReadOnlyPersistentStoreOption: NSNumber(true)])
      #expect(try FileStore.names(coordinator) == (companions.hasLog ? ["Ann", "Bob"] : ["Ann"]))
      #expect(coordinator.persistentStores.first?.url == store)
      try FileStore.close(coordinator)
    }
    #expect(try FolderContents(folder) == before)
  }

  /// The folder of a copy is removed by the next program that makes one where the program that had it was killed.
  @Test func whatAKilledProgramLeavesGoes() throws {
    let place = FileManager.default.temporaryDirectory.appendingPathComponent("ocd-\(UUID().uuidString)")
    // No process has that number.
    let left = place.appendingPathComponent("OpenCoreData-4194399-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
    try Data([1]).write(to: left.appendingPathComponent("private.sqlite"))
    let path = try PrivateStoreFolder.make(in: place.path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).count == 1)
    PrivateStoreFolder.remove(storePath: path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == [])
  }
}
