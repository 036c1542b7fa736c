import CommandSupport
import Foundation
import OpenCoreData

/// A recording that a program is writing. Each update reads only what is new.
///
/// As for ``RecordingFile``, the process must not have COREDATA_INSTRUMENTS in its environment.
public struct RecordingFollower {
  private var growing: GrowingRecording
  /// The models of the stores that were found, by path.
  private var models: [String: NSManagedObjectModel] = [:]

  /// Reads what has been written so far.
  /// - Throws: a `ToolError` for a file that is not a recording.
  public init(_ url: URL) throws {
    do { growing = try GrowingRecording(url) } catch { throw ToolError(StoreErrors.text(of: error)) }
  }

  /// Reads what the program has written since the last call. If the program was started again and writes to the same file, the
  /// new recording is read from its beginning.
  /// - Returns: whether anything was added.
  /// - Throws: a `ToolError` if the file is gone or is not a recording any more.
  public mutating func update() throws -> Bool {
    do { return try growing.update() } catch { throw ToolError(StoreErrors.text(of: error)) }
  }

  /// Returns the recording as far as it was read.
  public mutating func file() -> RecordingFile {
    let recording = growing.recording()
    for path in Set(recording.statements.compactMap(\.store)) where models[path] == nil {
      models[path] = RecordingFile.model(path: path)
    }
    return RecordingFile(growing.url, recording) { [models] in models[$0] }
  }
}
