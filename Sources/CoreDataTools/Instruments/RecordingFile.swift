import CommandSupport
import Foundation
import InstrumentsAnalysis
import OpenCoreData

/// A recording that a program has written, or is writing: what is there so far is read, up to the last second.
///
/// A process that reads recordings must not have COREDATA_INSTRUMENTS in its environment: to read the model of a store would
/// begin a recording, in the place of this one perhaps.
public struct RecordingFile {
  /// The file.
  public let url: URL
  package let analysis: RecordingAnalysis

  /// Reads a recording. Where a store of it is still there, its model is read, and nothing of it changed.
  /// - Throws: a `ToolError` for what is no recording.
  public init(_ url: URL) throws {
    self.url = url
    let recording: Recording
    do { recording = try Recording(contentsOf: url) } catch { throw ToolError(StoreErrors.text(of: error)) }
    analysis = RecordingAnalysis(recording, model: Self.model)
  }

  init(_ url: URL, _ recording: Recording, model: (String) -> NSManagedObjectModel?) {
    self.url = url
    analysis = RecordingAnalysis(recording, model: model)
  }

  /// Whether a file begins as a recording does. False where it cannot be read.
  public static func isRecording(_ url: URL) -> Bool { GrowingRecording.begins(url) }

  /// Whether the program that writes it has come to an end, or stopped recording; not known of one that was killed.
  public var isFinished: Bool { analysis.recording.end != nil }

  /// The file, and the program that wrote it.
  public var facts: RecordingReport.File { RecordingReport.File(analysis.recording, url) }

  /// What the recording tells.
  /// - Parameters:
  ///   - events: Whether every fetch, fault and save is listed, in the order of time.
  ///   - tree: Whether it has the call tree: which functions led to what.
  ///   - statements: Whether the statements are listed, those of the same text as one.
  ///   - limit: The largest number of events and of statements; 0 for all.
  public func report(
    events: Bool = false, tree: Bool = true, statements: Bool = true, limit: Int = 100
  ) -> RecordingReport {
    var parts: RecordingReport.Parts = []
    if events { parts.insert(.events) }
    if tree { parts.insert(.tree) }
    if statements { parts.insert(.statements) }
    return RecordingReport(analysis, url, parts, limit: limit)
  }

  /// When it did how much.
  /// - Parameter parts: How many parts of equal length the time has.
  public func timeline(parts: Int) -> Timeline { Timeline(analysis.recording, parts: parts) }

  /// The paths of the stores that statements ran on, sorted.
  public var stores: [String] { Set(analysis.recording.statements.compactMap(\.store)).sorted() }

  /// The copy of the model that a store keeps; nil where there is no such store any more.
  static func model(path: String) -> NSManagedObjectModel? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return (try? InspectedStore(URL(fileURLWithPath: path)))?.model
  }
}
