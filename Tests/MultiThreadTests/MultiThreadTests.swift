import CSQLite
import Foundation
import Testing
import ToolProcess

@testable import MultiThread

/// `MultiThread` as a user runs it.
@Suite struct MultiThreadTests {
  private func run(_ arguments: String...) throws -> Tool { try Tool(program: "MultiThread", arguments) }

  /// A folder that is gone when `body` has returned.
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "MultiThreadTests-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  /// How many different values are in the store, by SQLite alone; -1 if it cannot be read.
  private func values(in store: URL) -> Int {
    var database: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(database)
    }
    guard sqlite3_open_v2(store.path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
      sqlite3_prepare_v2(database, "SELECT COUNT(DISTINCT ZMYVALUE) FROM ZMYDATA", -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW
    else { return -1 }
    return Int(sqlite3_column_int64(statement, 0))
  }

  @Test func theBarReachesItsEndAndEverythingIsInTheStore() throws {
    try withFolder { folder in
      let store = folder.appending(path: "new/many.sqlite")
      let tool = try run("--count", "300", "--store", store.path)
      #expect(tool.status == 0, "\(tool.errors)")
      #expect(tool.output.hasPrefix("300 saves in "))
      #expect(tool.output.hasSuffix("hasChanges was told 600 times: of each insert, and of each save\n"))
      let lines = tool.errors.split(separator: "\n")
      #expect(lines.first?.hasPrefix("Opening the store on another thread ... done in ") == true)
      #expect(lines.last == "[\(String(repeating: "#", count: 40))] 100%  300 of 300")
      #expect(values(in: store) == 300)
    }
  }

  @Test func jsonIsAllThereIsOnStandardOutput() throws {
    let tool = try run("--count", "50", "--json")
    #expect(tool.status == 0, "\(tool.errors)")
    let json = try tool.json()
    #expect(Set(json.keys) == ["store", "count", "opening", "writing", "reading"])
    let writing = try #require(json["writing"] as? [String: Any])
    #expect(writing["saves"] as? Int == 50 && writing["changesTold"] as? Int == 100)
    let reading = try #require(json["reading"] as? [String: Any])
    #expect(reading["fraction"] as? Double == 1)
    #expect(try #require(reading["reads"] as? Int) >= 1)
    // A store that nobody named is gone.
    let store = try #require(json["store"] as? String)
    #expect(!FileManager.default.fileExists(atPath: URL(fileURLWithPath: store).deletingLastPathComponent().path))
  }

  @Test func aStoreThatHoldsSomeGetsTheRest() throws {
    try withFolder { folder in
      let store = folder.appending(path: "many.sqlite")
      for (count, saves) in [(20, 20), (70, 50), (70, 0)] {
        let tool = try run("--count", "\(count)", "--store", store.path, "--json")
        #expect((try tool.json()["writing"] as? [String: Any])?["saves"] as? Int == saves, "\(tool.errors)")
        #expect(values(in: store) == count)
      }
    }
  }

  @Test func launchArgumentsOfCoreDataAreLeftToIt() throws {
    let tool = try run("-com.apple.CoreData.SQLDebug", "1", "--count", "2")
    #expect(tool.status == 0)
    #expect(tool.errors.contains("CoreData: sql: INSERT INTO ZMYDATA"))
  }

  @Test func theConcurrencyCheckStopsTheWrongVersion() throws {
    let tool = try run("--count", "100", "--wrong")
    #expect(tool.status != 0)
    #expect(tool.errors.contains("The wrong version: the writer uses the reader's context"))
    #expect(tool.errors.contains("(main queue) was used off its queue"), "\(tool.errors)")
    #expect(tool.output.isEmpty)
  }

  /// The launch argument alone, against an environment that says no.
  @Test func theLaunchArgumentSwitchesTheCheckOn() throws {
    let off = ["COREDATA_CONCURRENCYDEBUG": "0"]
    let check = ["-com.apple.CoreData.ConcurrencyDebug", "1"]
    let tool = try Tool(program: "MultiThread", check + ["--count", "100", "--wrong"], environment: off)
    #expect(tool.status != 0)
    #expect(tool.errors.contains("__Multithreading_Violation_AllThatIsLeftToUsIsHonor__"), "\(tool.errors)")
    #expect(tool.errors.contains("(main queue) was used off its queue"))
    #expect(tool.output.isEmpty)
    // The right version passes it.
    let right = try Tool(program: "MultiThread", ["--count", "50"] + check, environment: off)
    #expect(right.status == 0 && right.output.hasPrefix("50 saves in "), "\(right.errors)")
  }

  @Test func tenThousandUnlessToldOtherwise() throws {
    let help = try run("--help")
    #expect(help.status == 0 && help.output.contains("(default: 10000)"), "\(help.output)")
  }

  @Test func wrongArgumentsAreExplained() throws {
    let none = try run("--count", "0")
    #expect(none.status == 64)
    #expect(none.errors.contains("--count must be 1 or more, not 0."))
  }

  @Test func aFileThatIsNoStoreIsRefused() throws {
    try withFolder { folder in
      let file = folder.appending(path: "notes.txt")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(String(repeating: "no database ", count: 200).utf8).write(to: file)
      let tool = try run("--store", file.path)
      #expect(tool.status == 1)
      #expect(tool.errors.contains("Cannot open the store \(file.path)"))
      #expect(tool.output.isEmpty)
    }
  }

  @Test func aMigrationShowsItsProgress() throws {
    let tool = try run("--migrate", "0.5", "--count", "40", "--json")
    #expect(tool.status == 0, "\(tool.errors)")
    let report = try JSONDecoder().decode(MigrationReport.self, from: Data(tool.output.utf8))
    #expect(report.objects == 40 && report.migrated == 40 && report.lastProgress == 1)
    // Each object waits for its part of the time, so that the main thread has turns.
    #expect(report.elapsed >= 0.5 && report.mainThreadTurns > 0)
    // A note for each object, or for each hundredth of many.
    #expect(report.progressNotes >= 40)
    #expect(tool.errors.contains("] 100%  100 of 100"))
    let wrong = try run("--migrate", "0")
    #expect(wrong.status == 64 && wrong.errors.contains("--migrate must be 0.1 to 600 seconds, not 0.0."))
  }
}
