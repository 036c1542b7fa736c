import OpenCoreData

/// N+1: a fetch, and then one more fault or fetch for each of its objects.
///
/// Only repetitions with few rows per statement are reported. For a relationship with hundreds of members, reading its
/// members takes most of the time, so that prefetching saves little.
struct RepeatedWork {
  let findings: [Finding]

  init(_ analysis: RecordingAnalysis) {
    var merged: [RepeatedPattern: Finding] = [:]
    var order: [RepeatedPattern] = []
    for run in SiblingRuns(analysis).runs {
      guard run.measure.count >= Finding.repetitions,
        run.measure.rows <= run.measure.count * Finding.rowsPerStatement
      else { continue }
      let activity = analysis.recording.activities[run.first]
      // The latest first.
      let around = run.around.sorted(by: >).map { analysis.recording.activities[$0] }
      guard let pattern = RepeatedPattern(run, activity, around, analysis) else { continue }
      if merged[pattern] == nil { order.append(pattern) }
      var finding = merged[pattern] ?? pattern.finding
      finding.count += run.measure.count
      finding.rows += run.measure.rows
      finding.seconds += run.measure.total
      merged[pattern] = finding
    }
    findings = order.compactMap { merged[$0] }
  }
}
