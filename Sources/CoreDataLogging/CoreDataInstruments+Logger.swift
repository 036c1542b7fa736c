// Built only with the package's trait SwiftLog. Without the trait this module is empty, and swift-log is neither fetched nor
// built.
#if SwiftLog
  import Logging
  import OpenCoreData

  extension CoreDataInstruments {
    /// Sends the lines of the framework's log to a logger instead of standard error.
    ///
    /// Statements and their details have the level `debug`; warnings and errors have the levels `warning` and `error`. Each
    /// line has its kind as metadata, `coredata.kind`. The framework makes lines without asking for the logger's level: see
    /// `sqlDebugLevel`.
    public static func log(to logger: Logger) {
      logHandler = { line in
        let level: Logger.Level =
          switch line.kind {
          case .annotation, .sql, .details: .debug
          case .warning: .warning
          case .error: .error
          }
        logger.log(level: level, "\(line.message)", metadata: ["coredata.kind": "\(line.kind.rawValue)"])
      }
    }
  }
#endif
