import CommandSupport
import Foundation
import InstrumentsAnalysis
import OpenCoreData

/// A recording that a program has written or is writing. The file is read as far as it has been written, up to the last second.
///
/// A process that reads recordings must not have COREDATA_INSTRUMENTS in its environment: reading the model of a store would
/// begin a recording, which might replace this one.
public struct RecordingFile {
  /// The file.
  public let url: URL
  package let analysis: RecordingAnalysis

  /// Reads a recording. If a store of the recording still exists, its model is read; the store is not changed.
  /// - Throws: a `ToolError` for a file that is not a recording.
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

  /// Returns whether a file begins as a recording does; false if the file cannot be read.
  public static func isRecording(_ url: URL) -> Bool { GrowingRecording.begins(url) }

  /// Whether the writing program has ended or has stopped recording; false for a program that was killed.
  public var isFinished: Bool { analysis.recording.end != nil }

  /// The file, and the program that wrote it.
  public var facts: RecordingReport.File { RecordingReport.File(analysis.recording, url) }

  /// Returns a report on the recording.
  /// - Parameters:
  ///   - events: Whether every fetch, fault and save is listed, in the order of time.
  ///   - tree: Whether the report has the call tree, which shows the functions that have caused activities.
  ///   - statements: Whether the statements are listed, those with the same text as one.
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

  /// Returns the work of the program over time.
  /// - Parameter parts: The number of parts of equal length into which the time is divided.
  public func timeline(parts: Int) -> Timeline { Timeline(analysis.recording, parts: parts) }

  /// The paths of the stores that statements ran on, sorted.
  public var stores: [String] { Set(analysis.recording.statements.compactMap(\.store)).sorted() }

  /// Returns the copy of the model in a store; nil if the store does not exist any more or cannot be read.
  static func model(path: String) -> NSManagedObjectModel? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return (try? InspectedStore(URL(fileURLWithPath: path)))?.model
  }
}
