import CRuntime

/// Applies the settings that the program was started with, once.
enum FrameworkStart {
  /// Turns on the logging and recording that the program's arguments and environment ask for. Every context, store and
  /// connection calls this when it is made, so nothing is missed.
  @inline(__always)
  static func ensure() { _ = started }

  private static let started: Void = {
    let arguments = LaunchArguments.current
    if arguments.sqlDebug > 0 { CoreDataInstruments.sqlDebugLevel = arguments.sqlDebug }
    if arguments.checksConcurrency {
      runtime_set_concurrency_check(1)
      FrameworkLog.write(.annotation, "Core Data multi-threading assertions enabled.")
    }
    if let path = arguments.recording { Recorder.shared.start(asAskedAt: path) }
  }()
}
