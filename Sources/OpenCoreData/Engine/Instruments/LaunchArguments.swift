import Foundation

/// The logging and the checks that a program's start requests, by Apple's names: `-com.apple.CoreData.SQLDebug 1` among its
/// arguments, `COREDATA_SQLDEBUG=1` in its environment, or `com.apple.CoreData.SQLDebug` in its UserDefaults.
///
/// An argument takes precedence over the environment, and the environment over the defaults. The settings are read once. A
/// value that is no number, no YES and no true means no.
/// true is no.
struct LaunchArguments: Sendable, Equatable {
  /// 1: statements and times. 2: also bound values, and the number of rows of each fetch. 3: also every object of a fetch. 4:
  /// also SQLite's plans.
  var sqlDebug = 0
  /// Whether statements are coloured on the standard error.
  var colorsSyntax = false
  /// Above 0 if the steps of a migration are logged.
  var migrationDebug = 0
  /// The value of `PRAGMA synchronous`, which overrides the stores' options: 0 off, 1 normal, 2 full.
  var synchronous: Int?
  /// Whether a store's file is checked when it is opened.
  var checksIntegrity = false
  /// Whether the program stops when a context is used off its queue; `ThreadingDebug` is the older name.
  var checksConcurrency = false
  /// Whether lines go to the standard error even if a handler takes them.
  var logsToStandardError = false
  /// The file that a recording is written to; only the environment can set it.
  var recording: String?

  /// The arguments of this program.
  static let current = LaunchArguments(CommandLine.arguments, ProcessInfo.processInfo.environment) { name in
    UserDefaults.standard.object(forKey: name).map { "\($0)" }
  }

  init(_ arguments: [String] = [], _ environment: [String: String] = [:], defaults: (String) -> String? = { _ in nil })
  {
    func text(_ name: String) -> String? {
      let key = "com.apple.CoreData.\(name)"
      if let place = arguments.lastIndex(of: "-\(key)"), place + 1 < arguments.count { return arguments[place + 1] }
      return environment[Self.variable(name)] ?? defaults(key)
    }
    func number(_ name: String) -> Int { text(name).map(Self.number) ?? 0 }
    sqlDebug = number("SQLDebug")
    colorsSyntax = number("SyntaxColoredLogging") != 0
    migrationDebug = number("MigrationDebug")
    synchronous = text("SQLiteDebugSynchronous").flatMap { Int($0) }.flatMap { (0...2).contains($0) ? $0 : nil }
    checksIntegrity = number("SQLiteIntegrityCheck") != 0
    checksConcurrency = number("ConcurrencyDebug") != 0 || number("ThreadingDebug") != 0
    logsToStandardError = number("Logging.stderr") != 0
    recording = environment["COREDATA_INSTRUMENTS"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the environment variable that stands for an argument: `COREDATA_LOGGING_STDERR` for `Logging.stderr`.
  static func variable(_ name: String) -> String {
    "COREDATA_\(name.uppercased().replacingOccurrences(of: ".", with: "_"))"
  }

  /// Reads a text as `integer(forKey:)` and `bool(forKey:)` of UserDefaults do.
  private static func number(_ text: String) -> Int {
    Int(text) ?? (["yes", "true"].contains(text.lowercased()) ? 1 : 0)
  }
}
