import CommandSupport
import Foundation
import InstrumentsAnalysis
import OpenCoreData

/// A page for a browser with a whole recording, complete or as a part of another page.
public struct InstrumentsPage {
  private let analysis: RecordingAnalysis
  private let report: RecordingReport
  private let timeline: Timeline
  private let links: (Finding) -> [Link]

  /// A link that a page has beside a finding.
  public struct Link: Sendable, Equatable {
    /// The text of the link.
    public let text: String
    /// The address to which the link leads.
    public let address: String

    /// Creates a link.
    public init(_ text: String, _ address: String) { (self.text, self.address) = (text, address) }
  }

  /// The number of statements and slow activities that are shown.
  private static let listed = 100
  /// Functions with a smaller share of the whole time than this are left out.
  private static let smallestShare = 0.002

  /// Creates the page of a recording.
  /// - Parameters:
  ///   - recording: The recording, complete or as far as it was written.
  ///   - links: returns the links to show beside a finding, such as one to a page about its entity.
  public init(_ recording: RecordingFile, links: @escaping (Finding) -> [Link] = { _ in [] }) {
    self.links = links
    analysis = recording.analysis
    report = RecordingReport(analysis, recording.url, [.tree, .statements], limit: Self.listed)
    timeline = Timeline(analysis.recording, parts: TimelineChart.parts)
  }

  /// Returns the whole page in one file, which needs neither network nor scripts.
  /// - Throws: the error of parsing the templates, which are part of the library.
  public func text() throws -> String { try rendered("page", ["json": try json()]) }

  /// Returns the contents of the page: sections with headings of the second level, and the figures as JSON in an element with
  /// the ID `recording`. The contents need ``style``, and can use ``script`` behind them.
  /// - Parameter figures: whether to include the JSON.
  /// - Throws: the error of parsing the templates, which are part of the library.
  public func fragment(figures: Bool = true) throws -> String {
    guard figures else { return try rendered("content") }
    return try rendered("content") + "\n<script type=\"application/json\" id=\"recording\">\(try json())</script>\n"
  }

  /// The style sheet of the page.
  public static var style: String { text(PackageResources.page_css) }

  /// The script of the page, which shows figures at the mouse pointer, and sorts tables.
  public static var script: String { text(PackageResources.page_js) }

  private func rendered(_ template: String, _ more: [String: Any] = [:]) throws -> String {
    let templates = [
      "page": try PageTemplate(Self.text(PackageResources.page_mustache)),
      "content": try PageTemplate(Self.text(PackageResources.content_mustache)),
      "finding": try PageTemplate(Self.text(PackageResources.finding_mustache)),
      "node": try PageTemplate(Self.text(PackageResources.node_mustache)),
    ]
    return try PageTemplate.text(template, content.merging(more) { $1 }, from: templates)
  }

  private static func text(_ resource: [UInt8]) -> String { String(decoding: resource, as: UTF8.self) }

  /// The page's data as JSON, for its script and for programs that need the figures.
  private struct Embedded: Encodable, Sendable {
    var report: RecordingReport
    var timeline: Timeline
  }

  private func json() throws -> String {
    let json = JSONEncoder.tool
    json.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // `<` is escaped, so that no text in the JSON can end the element that contains the JSON.
    return try json.text(of: Embedded(report: report, timeline: timeline)).replacingOccurrences(
      of: "<", with: "\\u003c")
  }

  private var content: [String: Any] {
    let file = report.recording
    let chart = TimelineChart(timeline, analysis.recording)
    let statements = report.statements ?? []
    let more = report.statementCount - statements.count
    return [
      "program": URL(fileURLWithPath: file.program).lastPathComponent,
      "started": file.started.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: false)),
      "process": file.processID,
      "end": file.end.map { "until \($0 == "stopped" ? "it was stopped" : $0)" } ?? "not finished",
      "style": Self.style, "script": Self.script,
      "tiles": tiles, "findings": findings.map(finding), "small": small.isEmpty ? [] : [smallFindings],
      "isCalm": report.findings.isEmpty,
      "duration": FigureText.duration(file.duration), "lanes": chart.lanes, "memory": chart.memory,
      "ticks": chart.ticks, "parts": TimelineChart.parts, "step": FigureText.duration(timeline.step),
      "groups": groups, "tree": tree, "statements": statements.map(statement),
      "moreStatements": more > 0 ? ["\(FigureText.grouped(more)) more took less time."] : [],
      "slowest": slowest,
    ]
  }

  // MARK: Parts

  /// The findings that are shown at once: those that say how to do less, and those that cost at least a hundredth of the
  /// framework's time.
  private var findings: [Finding] { report.findings.filter { !isSmall($0) } }
  private var small: [Finding] { report.findings.filter(isSmall) }

  private func isSmall(_ finding: Finding) -> Bool {
    finding.prefetch == nil && finding.index == nil && finding.seconds * 100 < report.summary.busySeconds
  }

  private var smallFindings: [String: Any] {
    [
      "text": "\(small.count) more, each of which took less than a hundredth of the time",
      "all": small.map(finding),
    ]
  }

  private var tiles: [[String: Any]] {
    let summary = report.summary
    func measure(_ groups: Set<String>) -> (count: Int, total: Double, worst: Double) {
      summary.groups.filter { groups.contains($0.name) }.reduce((0, 0, 0)) {
        ($0.0 + $1.measure.count, $0.1 + $1.measure.total, max($0.2, $1.measure.worst))
      }
    }
    func tile(_ name: String, _ title: String, _ value: Any, _ text: String, _ note: String) -> [String: Any] {
      ["name": name, "title": title, "value": value, "text": text, "note": note]
    }
    func timed(_ name: String, _ title: String, _ groups: Set<String>) -> [String: Any] {
      let (count, total, worst) = measure(groups)
      let note = count == 0 ? "none" : "\(FigureText.duration(total)), worst \(FigureText.duration(worst))"
      return tile(name, title, count, FigureText.grouped(count), note)
    }
    let statements = summary.statements
    var tiles = [
      tile(
        "duration", "Duration", report.recording.duration, FigureText.duration(report.recording.duration),
        "\(FigureText.duration(summary.busySeconds)) in Core Data"),
      timed("fetches", "Fetches", ["fetches", "counts"]),
      timed("misses", "Cache misses", ["objectFaults", "relationshipFaults"]),
      timed("saves", "Saves", ["saves"]),
      tile(
        "statements", "Statements", statements.count, FigureText.grouped(statements.count),
        "\(FigureText.duration(statements.total)), \(FigureText.count(statements.rows, "row"))"),
    ]
    if let counters = summary.counters {
      tiles.append(
        tile(
          "faultsFired", "Faults fired", counters.faultsFired, FigureText.grouped(counters.faultsFired),
          "\(FigureText.grouped(counters.cacheHits)) from the row cache"))
    }
    if let memory = summary.memory {
      tiles.append(
        tile(
          "peakResidentBytes", "Memory, at most", memory.peakResidentBytes, FigureText.bytes(memory.peakResidentBytes),
          memory.rowCacheBytes.map { "row cache \(FigureText.bytes($0))" } ?? "row cache not measured"))
    }
    return tiles
  }

  private func finding(_ finding: Finding) -> [String: Any] {
    var content: [String: Any] = [
      "kind": finding.kind.rawValue, "label": Self.label(finding.kind), "title": finding.title,
      "advice": finding.advice, "count": finding.count, "facts": finding.facts,
      "links": links(finding).map { ["text": $0.text, "address": $0.address] },
    ]
    if let request = finding.request { content["asked"] = Self.words(request) }
    if let prefetch = finding.prefetch, let fetch = finding.fetch {
      content["advice"] = "Prefetch it in \(fetch):"
      content["code"] = "request.relationshipKeyPathsForPrefetching = \(prefetch)"
    }
    return content
  }

  private static func words(_ request: Finding.Request) -> String {
    let predicate = request.predicate.map { " where \($0)" } ?? ""
    return request.entity + predicate + (request.sort.map { " by \($0)" } ?? "")
  }

  private static func label(_ kind: Finding.Kind) -> String {
    switch kind {
    case .repeatedFaults: "N+1 faults"
    case .repeatedFetches: "N+1 fetches"
    case .missingIndex: "missing index"
    case .scan: "scan"
    case .untouchedRows: "unread rows"
    }
  }

  private static func figures(_ measure: Measure) -> [String: Any] {
    [
      "count": measure.count, "countText": FigureText.grouped(measure.count), "totalValue": measure.total,
      "total": FigureText.duration(measure.total), "meanValue": measure.mean,
      "mean": FigureText.duration(measure.mean), "worstValue": measure.worst,
      "worst": FigureText.duration(measure.worst), "rows": measure.rows, "rowsText": FigureText.grouped(measure.rows),
    ]
  }

  private var groups: [[String: Any]] {
    let rows = report.summary.groups.map { ($0.name, $0.title, $0.measure) }
    return (rows + [("statements", "Statements", report.summary.statements)]).map { name, title, measure in
      Self.figures(measure).merging(["group": name, "title": title]) { $1 }
    }
  }

  private func statement(_ use: StatementUse) -> [String: Any] {
    let whole = max(report.summary.statements.total, 1e-9)
    let short = use.text.replacing(/^SELECT t0\.Z_PK, (t0\.Z_ENT|0), t0\.Z_OPT, .*? FROM/, with: "SELECT ... FROM")
      .replacing(/\(\?(,\s*\?)+\)/, with: "(?, ...)")
    return Self.figures(use.measure).merging([
      "text": use.text, "short": short.count > 160 ? short.prefix(160) + "..." : short,
      "plan": use.plan.joined(separator: "\n"), "remarks": use.remarks,
      "share": Self.share(use.measure.total, whole),
    ]) { $1 }
  }

  private var slowest: [[String: Any]] {
    let activities = analysis.recording.activities.sorted { $0.duration > $1.duration }.prefix(Self.listed)
    return activities.map { activity in
      [
        "durationValue": activity.duration, "duration": FigureText.duration(activity.duration),
        "startValue": activity.start, "start": String(format: "%.3f s", activity.start), "rows": activity.rows,
        "rowsText": FigureText.grouped(activity.rows), "group": activity.group.rawValue, "title": activity.title,
        "who": analysis.paths.caller(activity.stack) ?? "",
      ]
    }
  }

  private var tree: [[String: Any]] {
    let roots = report.tree ?? []
    let whole = max(roots.reduce(0) { $0 + $1.measure.total }, 1e-9)
    func content(_ node: CallTree.Node, _ depth: Int, isOpen: Bool = true) -> [String: Any] {
      let children = node.children.filter { $0.measure.total >= whole * Self.smallestShare }
      return [
        "name": node.name, "isLeaf": children.isEmpty, "isOpen": isOpen || depth < 2, "depth": depth,
        "isActivity": node.isActivity,
        "total": FigureText.duration(node.measure.total), "count": FigureText.grouped(node.measure.count),
        "percent": FigureText.percent(node.measure.total, of: whole), "share": Self.share(node.measure.total, whole),
        // Nodes are open down to the first node that has several children.
        "children": children.map { content($0, depth + 1, isOpen: isOpen && children.count == 1) },
      ]
    }
    return roots.map { content($0, 0) }
  }

  private static func share(_ part: Double, _ whole: Double) -> String { String(format: "%.2f", part / whole * 100) }
}
