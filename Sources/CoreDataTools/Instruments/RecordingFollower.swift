import CommandSupport
import Foundation
import OpenCoreData

/// A recording that a program is writing, followed as it grows: each time only what is new is read.
///
/// As for ``RecordingFile``, the process must not have COREDATA_INSTRUMENTS in its environment.
public struct RecordingFollower {
  private var growing: GrowingRecording
  /// The models of stores that were found.
  private var models: [String: NSManagedObjectModel] = [:]

  /// Reads what is there.
  /// - Throws: a `ToolError` for what is no recording.
  public init(_ url: URL) throws {
    do { growing = try GrowingRecording(url) } catch { throw ToolError(StoreErrors.text(of: error)) }
  }

  /// Reads what the program has written since. One that was started again, and writes to the same file, is followed from its
  /// beginning.
  /// - Returns: whether there was anything.
  /// - Throws: a `ToolError` if the file is gone or is no recording any more.
  public mutating func update() throws -> Bool {
    do { return try growing.update() } catch { throw ToolError(StoreErrors.text(of: error)) }
  }

  /// What was read so far.
  public mutating func file() -> RecordingFile {
    let recording = growing.recording()
    for path in Set(recording.statements.compactMap(\.store)) where models[path] == nil {
      models[path] = RecordingFile.model(path: path)
    }
    return RecordingFile(growing.url, recording) { [models] in models[$0] }
  }
}
