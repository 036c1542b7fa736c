// Of the package's trait SwiftLog: without it there is nothing here, and swift-log is neither fetched nor built.
#if SwiftLog
  import Logging
  import OpenCoreData

  extension CoreDataInstruments {
    /// Hands the lines of the framework's log to a logger, in place of the standard error.
    ///
    /// Statements and what belongs to them come at level `debug`, warnings and errors at their own. Each has its kind as
    /// metadata, `coredata.kind`. The logger's own level is not asked for before a line is made: see `sqlDebugLevel`.
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
