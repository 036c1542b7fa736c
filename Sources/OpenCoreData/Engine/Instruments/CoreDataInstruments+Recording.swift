import Foundation

extension CoreDataInstruments {
  /// The limit of a recording's length if no other is given: 1 GB.
  public static let defaultRecordingLimit = 1 << 30

  /// Whether a recording is running.
  public static var isRecording: Bool { Watchers.isRecording }

  /// Records every fetch, fault that the row cache could not answer, prefetch, save, batch request and migration, and
  /// every statement, with its time and its callers, until `stopRecording()` or the end of the program.
  ///
  /// Values are never written: statements have variables, and predicates are written without their values. `coredata
  /// instruments FILE` shows the contents of the file. The file is written in pieces, at least once a second, and pieces that
  /// are written survive if the program is killed. `COREDATA_INSTRUMENTS=FILE` in a program's environment starts such a
  /// recording at its first context or store; `%p` in the path is the process ID.
  /// - Parameters:
  ///   - url: the file; an existing file is replaced.
  ///   - limit: the greatest length in bytes; a recording that becomes longer ends by itself.
  /// - Throws: 640 without room, 513 without permission, 4 or 512 if there can be no such file, or if another recording is
  ///   being written there; 134080 while another recording runs.
  public static func startRecording(to url: URL, limit: Int = defaultRecordingLimit) throws {
    FrameworkStart.ensure()
    try Recorder.shared.start(to: url.path, limit: limit)
  }

  /// Ends the recording that runs, if there is one: adds the names of the functions on call stacks, and closes the file.
  public static func stopRecording() { Recorder.shared.stop() }
}
