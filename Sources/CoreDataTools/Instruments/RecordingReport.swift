import Foundation
import InstrumentsAnalysis
import OpenCoreData

/// The contents of a recording, with the keys of its JSON. Times are in seconds.
public struct RecordingReport: Encodable, Sendable {
  package struct Parts: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let events = Parts(rawValue: 1)
    package static let tree = Parts(rawValue: 2)
    package static let statements = Parts(rawValue: 4)
  }

  /// The file, and the program that wrote it.
  public struct File: Encodable, Sendable {
    /// The file's path.
    public var path: String
    /// The path of the program.
    public var program: String
    /// The process ID of the program.
    public var processID: Int
    /// The time at which the recording began.
    public var started: Date
    /// The duration of the recording.
    public var duration: Double
    /// The reason why the recording ended; nil if the program was killed or is still running.
    public var end: String?
  }

  /// A kind of activity, with the sums of its activities.
  public struct Group: Encodable, Sendable {
    /// The name in JSON.
    public var name: String
    /// The name for people.
    public var title: String
    /// The number and the duration of its activities.
    public var measure: Measure
  }

  /// The framework's counters.
  public struct Counters: Encodable, Sendable {
    /// Statements that ran.
    public var statements: Int
    /// The number of statements that read rows.
    public var selects: Int
    /// Rows that were read.
    public var rowsRead: Int
    /// Faults that fired.
    public var faultsFired: Int
    /// The number of faults whose row was in the row cache.
    public var cacheHits: Int
  }

  /// The largest numbers of objects and bytes in the recording. Those of objects and rows are nil for a run that ended before
  /// the first sample was taken: at its end it has none any more.
  public struct Memory: Encodable, Sendable {
    /// Live objects.
    public var objects: Int?
    /// Faults among the live objects.
    public var faults: Int?
    /// The size of the row cache, in bytes.
    public var rowCacheBytes: Int?
    /// The largest memory of the process, in bytes.
    public var peakResidentBytes: Int
  }

  /// The recording in figures.
  public struct Summary: Encodable, Sendable {
    /// The kinds of activities, in a fixed order.
    public var groups: [Group]
    /// All statements.
    public var statements: Measure
    /// The counters; nil if the recording has none.
    public var counters: Counters?
    /// The use of memory; nil if the recording has no samples.
    public var memory: Memory?
    /// The seconds that the framework worked, summed over the outermost activities of all threads.
    public var busySeconds: Double
    /// Activities that have thrown an error.
    public var failures: Int
  }

  /// One activity.
  public struct Event: Encodable, Sendable {
    /// The start of the activity, in seconds since the beginning of the recording.
    public var start: Double
    /// The duration.
    public var duration: Double
    /// The number of the thread.
    public var thread: Int
    /// The kind of the activity.
    public var group: ActivityGroup
    /// A description of the activity.
    public var title: String
    /// The number of results of a fetch, of rows that a fault has read, or of objects that a save has written.
    public var rows: Int
    /// The function that caused the activity.
    public var caller: String?
    /// Whether the activity threw an error.
    public var failed: Bool
    /// How many objects a fetch returned as faults.
    public var faults: Int?
    /// How many of these faults were fired.
    public var fired: Int?
  }

  /// The file, and the program that wrote it.
  public var recording: File
  /// The recording in figures.
  public var summary: Summary
  /// Advice, with the most expensive findings first.
  public var findings: [Finding]
  /// The statements, the most expensive first; nil if they were not asked for.
  public var statements: [StatementUse]?
  /// The time by the functions that have caused activities; nil if the report was made without the tree.
  public var tree: [CallTree.Node]?
  /// The activities in the order of time; nil if the report was made without them.
  public var events: [Event]?
  /// The number of statements; fewer may be listed.
  public var statementCount: Int
  /// The number of events; fewer may be listed.
  public var eventCount: Int

  package init(_ analysis: RecordingAnalysis, _ url: URL, _ parts: Parts, limit: Int) {
    let recording = analysis.recording
    self.recording = File(recording, url)
    summary = Summary(
      groups: analysis.groups.map { Group(name: $0.group.rawValue, title: $0.group.title, measure: $0.measure) },
      statements: analysis.statementMeasure, counters: recording.counted.map(Counters.init),
      memory: Memory(recording), busySeconds: analysis.busySeconds, failures: analysis.failures)
    findings = analysis.findings
    let all = analysis.statements
    statementCount = all.count
    eventCount = recording.activities.count
    let limit = limit == 0 ? Int.max : limit
    if parts.contains(.statements) { statements = Array(all.prefix(limit)) }
    if parts.contains(.tree) { tree = analysis.callTree.branching }
    if parts.contains(.events) {
      events = recording.activities.prefix(limit).map { Event($0, analysis.paths) }
    }
  }
}

extension RecordingReport.File {
  init(_ recording: Recording, _ url: URL) {
    self.init(
      path: url.path, program: recording.program, processID: recording.processID, started: recording.started,
      duration: recording.duration, end: recording.end.map(Self.words))
  }

  private static func words(_ end: Recording.End) -> String {
    switch end {
    case .stopped: "stopped"
    case .programEnded: "the program ended"
    case .limitReached: "it became too long"
    }
  }
}

extension RecordingReport.Counters {
  package init(_ counters: CoreDataInstruments.Counters) {
    self.init(
      statements: counters.statements, selects: counters.selects, rowsRead: counters.rowsRead,
      faultsFired: counters.faultsFired, cacheHits: counters.cacheHits)
  }
}

extension RecordingReport.Memory {
  fileprivate init?(_ recording: Recording) {
    let samples = recording.memory.map(\.memory)
    guard let most = samples.max(by: { $0.objects < $1.objects }) else { return nil }
    let peak = samples.map(\.peakResidentBytes).max() ?? 0
    // The last sample is taken when the program ends. By itself it tells only of what is still there.
    if samples.count == 1, most.objects == 0, most.rowCacheBytes == 0 {
      self.init(objects: nil, faults: nil, rowCacheBytes: nil, peakResidentBytes: peak)
      return
    }
    self.init(
      objects: most.objects, faults: samples.compactMap(\.faults).max() ?? 0,
      rowCacheBytes: samples.map(\.rowCacheBytes).max() ?? 0, peakResidentBytes: peak)
  }
}

extension RecordingReport.Event {
  package init(_ activity: Recording.Activity, _ paths: CallPaths) {
    self.init(
      start: activity.start, duration: activity.duration, thread: activity.thread, group: activity.group,
      title: activity.title, rows: activity.rows, caller: paths.caller(activity.stack), failed: activity.failed,
      faults: activity.touches?.faults, fired: activity.touches?.fired)
  }
}
