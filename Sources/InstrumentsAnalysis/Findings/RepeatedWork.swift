import OpenCoreData

/// N+1: a fetch, and for each of its objects a fault or a fetch more.
///
/// It counts where asking costs more than what is read. A relationship with hundreds of members is read by about as much work
/// one by one as together, and is none.
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
