import Synchronization

extension CoreDataInstruments {
  /// One line of the framework's log.
  public struct LogLine: Sendable, Equatable {
    /// The kind of a line, in Apple's words.
    public enum Kind: String, Sendable {
      /// An activity, its duration and its result.
      case annotation
      /// A statement, just before it runs.
      case sql
      /// Details of the statement before: bound values, its query plan.
      case details
      /// A probable mistake of the program.
      case warning
      /// An error that was also thrown to the program, or that could not be thrown to it.
      case error
    }

    /// The kind of the line, by which a handler may filter.
    public let kind: Kind
    /// The line without the prefix that contains the kind.
    public let message: String

    /// The line as it is written to the standard error: `CoreData: sql: SELECT 0, t0.Z_PK ...`.
    public var text: String { "CoreData: \(kind.rawValue): \(message)" }
  }

  /// The handler that gets the lines of the log in place of the standard error; nil if they go to the standard error.
  ///
  /// The handler is called on the thread whose work a line is about, in the middle of that work: it must be quick, and must
  /// not use contexts or coordinators. With `-com.apple.CoreData.Logging.stderr 1` the lines go to the standard error as well.
  /// The framework depends on no library for logging. To use a `Logger` of swift-log, give it to `CoreDataLogging`, or call it
  /// in a closure here.
  public static var logHandler: (@Sendable (LogLine) -> Void)? {
    get { FrameworkLog.handler.withLock { $0 } }
    set { FrameworkLog.handler.withLock { $0 = newValue } }
  }

  /// How much of its work the framework logs: 0 nothing, which is the default, 1 statements and times, 2 also bound values
  /// and the number of rows of each fetch, 3 also every object of a fetch, 4 also SQLite's plans.
  ///
  /// The initial value is that of `-com.apple.CoreData.SQLDebug` or `COREDATA_SQLDEBUG`. From level 2 on, the log has values,
  /// but never those of attributes that are marked as secret (`OCDSecretAttributeKey`).
  public static var sqlDebugLevel: Int {
    get { FrameworkLog.level.load(ordering: .relaxed) }
    set {
      FrameworkLog.level.store(newValue, ordering: .relaxed)
      Watchers.set(.log, newValue > 0)
    }
  }
}
