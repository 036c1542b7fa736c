import OpenCoreData

/// Finds objects that were fetched and whose values were never read.
struct UntouchedRows {
  let findings: [Finding]

  private struct Fetch: Hashable {
    let entity: String
    let caller: String?
    let detail: String?
  }

  private struct Use {
    var faults = 0
    var fired = 0
    var measure = Measure()
  }

  init(_ analysis: RecordingAnalysis) {
    var uses: [Fetch: Use] = [:]
    var order: [Fetch] = []
    for activity in analysis.recording.activities {
      guard let touches = activity.touches, let entity = activity.entity else { continue }
      let fetch = Fetch(entity: entity, caller: analysis.paths.caller(activity.stack), detail: activity.detail)
      if uses[fetch] == nil { order.append(fetch) }
      var use = uses[fetch] ?? Use()
      use.faults += touches.faults
      // A fault that was turned into a fault again and fires again does not count as another one.
      use.fired += min(touches.fired, touches.faults)
      use.measure.add(activity.duration, rows: activity.rows)
      uses[fetch] = use
    }
    findings = order.compactMap { fetch in uses[fetch].flatMap { Self.finding(fetch, $0) } }
  }

  /// Returns the beginning of a long predicate.
  private static func short(_ text: String) -> String { text.count > 70 ? text.prefix(70) + "…" : text }

  private static func finding(_ fetch: Fetch, _ use: Use) -> Finding? {
    let untouched = use.faults - use.fired
    guard untouched >= Finding.rowsPerStatement, untouched > use.fired else { return nil }
    let condition = fetch.detail.map { " where \(Self.short($0))" } ?? ""
    let objects = "objects of \(fetch.entity)\(condition)"
    let isAll = use.fired == 0
    return Finding(
      kind: .untouchedRows,
      title: isAll
        ? "No \(objects) are read after they were fetched" : "Few \(objects) are read after they were fetched",
      advice: isAll
        ? "If only their number counts, count(for:) tells it; if only which they are, object IDs do; if "
          + "only their relationships, includesPropertyValues = false leaves their values out."
        : "Ask for fewer, by the predicate or fetchLimit, or read them in pages, by fetchBatchSize.",
      caller: fetch.caller, entity: fetch.entity, count: use.measure.count, rows: untouched,
      seconds: use.measure.total * Double(untouched) / Double(max(use.faults, 1)))
  }
}
