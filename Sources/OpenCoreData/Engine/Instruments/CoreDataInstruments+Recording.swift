import Foundation

extension CoreDataInstruments {
  /// The largest size of a recording unless another one is given: 1 GB.
  public static let defaultRecordingLimit = 1 << 30

  /// Whether a recording is running.
  public static var isRecording: Bool { Watchers.isRecording }

  /// Records every fetch, every fault that the row cache could not answer, every prefetch, save, batch request and migration,
  /// and every statement, each with its time and the functions that have caused it, until `stopRecording()` or the end of the
  /// program.
  ///
  /// Values are never recorded: statements have variables, and predicates are recorded without their constants. `coredata
  /// instruments FILE` shows the contents of the file. The file is written in pieces, at least once a second, and the pieces
  /// are kept if the program is killed. `COREDATA_INSTRUMENTS=FILE` in a program's environment does the same from its first
  /// context or store on; `%p` in the path is the process ID.
  /// - Parameters:
  ///   - url: the file; an existing file is replaced.
  ///   - limit: in bytes; a recording that becomes longer ends by itself.
  /// - Throws: 640 without room, 513 without permission, 4 or 512 if there can be no such file, or another recording is being
  ///   written there; 134080 while another one runs.
  public static func startRecording(to url: URL, limit: Int = defaultRecordingLimit) throws {
    FrameworkStart.ensure()
    try Recorder.shared.start(to: url.path, limit: limit)
  }

  /// Ends the recording that runs, if there is one: the names of the functions that asked are added, and the file is closed.
  public static func stopRecording() { Recorder.shared.stop() }
}
