import Foundation
import InstrumentsAnalysis
import OpenCoreData

/// What a recording tells, in the shape of its JSON. Times are in seconds.
struct InstrumentsReport: Encodable {
  struct Parts: OptionSet {
    let rawValue: Int

    static let events = Parts(rawValue: 1)
    static let tree = Parts(rawValue: 2)
    static let statements = Parts(rawValue: 4)
  }

  struct File: Encodable {
    var path: String
    var program: String
    var processID: Int
    var started: Date
    var duration: Double
    /// How it ended; nil where the program was killed or still runs.
    var end: String?
  }

  struct Group: Encodable {
    var name: String
    var title: String
    var measure: Measure
  }

  struct Counters: Encodable {
    var statements: Int
    var selects: Int
    var rowsRead: Int
    var faultsFired: Int
    var cacheHits: Int
  }

  /// The most that there was.
  struct Memory: Encodable {
    var objects: Int
    var faults: Int
    var rowCacheBytes: Int
    var peakResidentBytes: Int
  }

  struct Summary: Encodable {
    var groups: [Group]
    var statements: Measure
    var counters: Counters?
    var memory: Memory?
    /// The time that the framework worked, of all threads together.
    var busySeconds: Double
    var failures: Int
  }

  struct Event: Encodable {
    var start: Double
    var duration: Double
    var thread: Int
    var group: ActivityGroup
    var title: String
    var rows: Int
    var caller: String?
    var failed: Bool
    /// Of the objects that a fetch gave as faults, how many there were and how many were read.
    var faults: Int?
    var fired: Int?
  }

  var recording: File
  var summary: Summary
  var findings: [Finding]
  var statements: [StatementUse]?
  var tree: [CallTree.Node]?
  var events: [Event]?
  /// How many there are; fewer may be listed.
  var statementCount: Int
  var eventCount: Int

  init(_ analysis: RecordingAnalysis, _ url: URL, _ parts: Parts, limit: Int) {
    let recording = analysis.recording
    self.recording = File(
      path: url.path, program: recording.program, processID: recording.processID, started: recording.started,
      duration: recording.duration, end: recording.end.map(Self.words))
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

  private static func words(_ end: Recording.End) -> String {
    switch end {
    case .stopped: "stopped"
    case .programEnded: "the program ended"
    case .limitReached: "it became too long"
    }
  }
}

extension InstrumentsReport.Counters {
  init(_ counters: CoreDataInstruments.Counters) {
    self.init(
      statements: counters.statements, selects: counters.selects, rowsRead: counters.rowsRead,
      faultsFired: counters.faultsFired, cacheHits: counters.cacheHits)
  }
}

extension InstrumentsReport.Memory {
  fileprivate init?(_ recording: Recording) {
    let samples = recording.memory.map(\.memory)
    guard let most = samples.max(by: { $0.objects < $1.objects }) else { return nil }
    self.init(
      objects: most.objects, faults: samples.compactMap(\.faults).max() ?? 0,
      rowCacheBytes: samples.map(\.rowCacheBytes).max() ?? 0,
      peakResidentBytes: samples.map(\.peakResidentBytes).max() ?? 0)
  }
}

extension InstrumentsReport.Event {
  init(_ activity: Recording.Activity, _ paths: CallPaths) {
    self.init(
      start: activity.start, duration: activity.duration, thread: activity.thread, group: activity.group,
      title: activity.title, rows: activity.rows, caller: paths.caller(activity.stack), failed: activity.failed,
      faults: activity.touches?.faults, fired: activity.touches?.fired)
  }
}
