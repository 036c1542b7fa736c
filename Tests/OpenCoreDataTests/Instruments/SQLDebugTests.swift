import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// The log word for word at each level of `-com.apple.CoreData.SQLDebug`: of a fetch, a count, faults, a prefetch and a save,
/// and of a migration. `RECORD_LOGS=1` writes what there is now to `Fixtures/Logs`.
@Suite struct SQLDebugTests {
  private static func log(
    _ level: Int, _ environment: [String: String] = [:], migrates: Bool = false
  ) async throws -> String {
    let path = try TestModel.temporaryFile().path
    try LoggedWork.prepare(path)
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [
        level = level as Int, path = path as String, environment = environment as [String: String],
        migrates = migrates as Bool
      ] in
      if level > 0 { setenv("COREDATA_SQLDEBUG", "\(level)", 1) }
      for (name, value) in environment { setenv(name, value, 1) }
      try migrates ? LoggedWork.migrate(path) : LoggedWork.run(path)
      exit(0)
    }
    return String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
  }

  private static func expect(_ text: String, _ name: String) throws {
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/Logs/\(name).txt")
    let text = LoggedWork.normalized(text)
    if ProcessInfo.processInfo.environment["RECORD_LOGS"] != nil {
      try FileManager.default.createDirectory(
        at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: golden)
    }
    let expected = String(decoding: try Data(contentsOf: golden), as: UTF8.self)
    let (lines, wanted) = (text.split(separator: "\n"), expected.split(separator: "\n"))
    for (line, other) in zip(lines, wanted) where line != other {
      Issue.record("\(name): \(line)\nwhere it was: \(other)")
      return
    }
    #expect(lines.count == wanted.count)
  }

  @Test(arguments: 1...4) func aFetchACountFaultsAPrefetchAndASave(level: Int) async throws {
    try Self.expect(try await Self.log(level), "work-\(level)")
  }

  @Test(arguments: 1...4) func aMigration(level: Int) async throws {
    try Self.expect(
      try await Self.log(level, ["COREDATA_MIGRATIONDEBUG": "1"], migrates: true), "migration-\(level)")
  }

  @Test func nothingIsLoggedWhenNobodyAsks() async throws {
    let lines = try await Self.log(0).split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("== ") } && lines.count == 7)
    let migration = try await Self.log(0, migrates: true)
    // What the test library writes itself may be in it.
    #expect(!migration.contains("CoreData") && !migration.contains("SELECT"), "\(migration)")
  }

  @Test func statementsInColour() async throws {
    let text = try await Self.log(1, ["COREDATA_SYNTAXCOLOREDLOGGING": "1"])
    #expect(text.contains("CoreData: sql: \u{1B}[1;34mSELECT\u{1B}[0m "))
    #expect(text.contains("CoreData: annotation: sql connection fetch time: "))
  }

  @Test func synchronousIsSetForDebugging() async throws {
    #expect(try await Self.log(1).contains("CoreData: sql: PRAGMA synchronous=NORMAL\n"))
    let text = try await Self.log(1, ["COREDATA_SQLITEDEBUGSYNCHRONOUS": "2"])
    #expect(text.contains("CoreData: sql: PRAGMA synchronous=2\n") && !text.contains("synchronous=NORMAL"))
  }

  @Test func handlersTakeLinesInPlaceOfTheStandardError() async throws {
    for both in [false, true] {
      let path = try TestModel.temporaryFile().path
      try LoggedWork.prepare(path)
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardErrorContent, \.standardOutputContent]
      ) { [path = path as String, both = both as Bool] in
        if both { setenv("COREDATA_LOGGING_STDERR", "1", 1) }
        CoreDataInstruments.sqlDebugLevel = 1
        CoreDataInstruments.logHandler = { print("\($0.kind): \($0.message)") }
        try LoggedWork.run(path)
        exit(0)
      }
      let written = try #require(result)
      let output = String(decoding: written.standardOutputContent, as: UTF8.self)
      #expect(output.contains("sql: SELECT t0.Z_PK") && output.contains("annotation: total fetch execution time: "))
      let log = String(decoding: written.standardErrorContent, as: UTF8.self)
      #expect(log.contains("CoreData: sql: ") == both)
    }
  }

  @Test func aDamagedFileIsFoundByTheIntegrityCheck() async throws {
    let url = try TestModel.temporaryFile(), path = url.path
    try LoggedWork.prepare(path)
    // An index that has not what its table has.
    try Shell.sql(
      url, "PRAGMA writable_schema=1; DELETE FROM sqlite_master WHERE type = 'index' AND name LIKE 'ZBOOK%';")
    try Shell.sql(url, "PRAGMA wal_checkpoint(TRUNCATE);")
    await #expect(processExitsWith: .success) { [path = path as String] in
      setenv("COREDATA_SQLITEINTEGRITYCHECK", "1", 1)
      do {
        _ = try LoggedWork.open(path)
        exit(3)
      } catch let error as NSError {
        guard error.code == CocoaError.Code.fileReadCorruptFile.rawValue else { exit(4) }
      }
      exit(0)
    }
    // Without it, the file opens.
    _ = try LoggedWork.open(path)
  }
}
