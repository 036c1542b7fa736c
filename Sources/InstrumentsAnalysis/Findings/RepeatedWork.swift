import OpenCoreData

/// Finds the N+1 pattern: a fetch, and one more fault or fetch for each of its objects.
///
/// Runs count only if the requests cost more than the rows that are read. A relationship with hundreds of members takes
/// about as much work one by one as all at once, and is not reported.
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
      // The fetches are sorted so that the latest comes first.
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
