import Foundation

extension CoreDataInstruments {
  /// How long a recording may become where nothing else is said: 1 GB.
  public static let defaultRecordingLimit = 1 << 30

  /// Whether a recording is running.
  public static var isRecording: Bool { Watchers.isRecording }

  /// Writes down every fetch, fault that the row cache could not answer, prefetch, save, batch request and migration, and
  /// every statement, with its time and with who asked for it, until `stopRecording()` or the end of the program.
  ///
  /// Values are never written: statements have variables, and of predicates there is what they compare. `coredata
  /// instruments FILE` shows what is in the file. It is written in pieces, at least once a second, and what is written
  /// survives a program that is killed. The same is done by `COREDATA_INSTRUMENTS=FILE` in a program's environment from its
  /// first context or store on; `%p` in the path is the process ID.
  /// - Parameters:
  ///   - url: the file; one that is there is replaced.
  ///   - limit: in bytes; a recording that becomes longer ends by itself.
  /// - Throws: 640 without room, 513 without permission, 4 or 512 where there can be no such file, or another recording is
  ///   being written there; 134080 while another one runs.
  public static func startRecording(to url: URL, limit: Int = defaultRecordingLimit) throws {
    FrameworkStart.ensure()
    try Recorder.shared.start(to: url.path, limit: limit)
  }

  /// Ends the recording that runs, if there is one: the names of the functions that asked are added, and the file is closed.
  public static func stopRecording() { Recorder.shared.stop() }
}
