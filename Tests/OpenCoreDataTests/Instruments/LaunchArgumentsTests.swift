import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// What a program is asked for when it is started.
@Suite struct LaunchArgumentsTests {
  @Test func nothingIsAskedForByDefault() {
    let arguments = LaunchArguments(["program", "file"], ["HOME": "/"])
    #expect(arguments == LaunchArguments())
    #expect(arguments.sqlDebug == 0 && !arguments.colorsSyntax && arguments.migrationDebug == 0)
    #expect(arguments.synchronous == nil && !arguments.checksIntegrity && !arguments.checksConcurrency)
    #expect(!arguments.logsToStandardError && arguments.recording == nil)
  }

  @Test func applesArguments() {
    let arguments = LaunchArguments([
      "program", "-com.apple.CoreData.SQLDebug", "3", "-com.apple.CoreData.SyntaxColoredLogging", "YES",
      "-com.apple.CoreData.MigrationDebug", "1", "-com.apple.CoreData.SQLiteDebugSynchronous", "2",
      "-com.apple.CoreData.SQLiteIntegrityCheck", "1", "-com.apple.CoreData.ConcurrencyDebug", "1",
      "-com.apple.CoreData.Logging.stderr", "1",
    ])
    #expect(arguments.sqlDebug == 3 && arguments.colorsSyntax && arguments.migrationDebug == 1)
    #expect(arguments.synchronous == 2 && arguments.checksIntegrity && arguments.checksConcurrency)
    #expect(arguments.logsToStandardError)
  }

  @Test func theEnvironment() {
    let arguments = LaunchArguments(
      [],
      [
        "COREDATA_SQLDEBUG": "1", "COREDATA_SYNTAXCOLOREDLOGGING": "1", "COREDATA_MIGRATIONDEBUG": "YES",
        "COREDATA_SQLITEDEBUGSYNCHRONOUS": "0", "COREDATA_SQLITEINTEGRITYCHECK": "1", "COREDATA_THREADINGDEBUG": "3",
        "COREDATA_LOGGING_STDERR": "1", "COREDATA_INSTRUMENTS": "/tmp/a",
      ])
    #expect(arguments.sqlDebug == 1 && arguments.colorsSyntax && arguments.migrationDebug == 1)
    #expect(arguments.synchronous == 0 && arguments.checksIntegrity && arguments.checksConcurrency)
    #expect(arguments.logsToStandardError && arguments.recording == "/tmp/a")
  }

  @Test func anArgumentCountsMoreThanTheEnvironmentAndThatMoreThanDefaults() {
    let name = "-com.apple.CoreData.SQLDebug"
    let defaults: (String) -> String? = { $0 == "com.apple.CoreData.SQLDebug" ? "4" : nil }
    #expect(LaunchArguments([name, "1"], ["COREDATA_SQLDEBUG": "2"], defaults: defaults).sqlDebug == 1)
    #expect(LaunchArguments([name, "1", name, "3"]).sqlDebug == 3)
    #expect(LaunchArguments([name], ["COREDATA_SQLDEBUG": "2"], defaults: defaults).sqlDebug == 2)
    #expect(LaunchArguments([], [:], defaults: defaults).sqlDebug == 4)
    #expect(LaunchArguments([name, "0"], ["COREDATA_SQLDEBUG": "2"]).sqlDebug == 0)
  }

  @Test func valuesThatAreNone() {
    #expect(LaunchArguments(["-com.apple.CoreData.SQLDebug", "loud"]).sqlDebug == 0)
    #expect(LaunchArguments(["-com.apple.CoreData.SQLiteDebugSynchronous", "3"]).synchronous == nil)
    #expect(LaunchArguments([], ["COREDATA_INSTRUMENTS": ""]).recording == nil)
  }
}
