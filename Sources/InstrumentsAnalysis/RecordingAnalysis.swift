import OpenCoreData

/// The results of a recording: sums, callers, the most expensive activities, and advice.
package struct RecordingAnalysis {
  package let recording: Recording
  package let paths: CallPaths
  let nesting: ActivityNesting
  /// The models of the stores that still exist.
  let models: RecordedModels

  /// - Parameter model: returns the model of the store at a path, if the store still exists. Models are optional; they
  ///   supply what a recording lacks, such as the inverse of a relationship.
  package init(_ recording: Recording, model: (String) -> NSManagedObjectModel? = { _ in nil }) {
    self.recording = recording
    paths = CallPaths(recording)
    nesting = ActivityNesting(recording.activities)
    models = RecordedModels(recording, model: model)
  }

  /// The measures of the groups that have activities, in a fixed order.
  package var groups: [(group: ActivityGroup, measure: Measure)] {
    var measures: [ActivityGroup: Measure] = [:]
    for activity in recording.activities {
      measures[activity.group, default: Measure()].add(activity.duration, rows: activity.rows)
    }
    return ActivityGroup.allCases.compactMap { group in measures[group].map { (group, $0) } }
  }

  /// The measure of all statements.
  package var statementMeasure: Measure {
    var measure = Measure()
    for execution in recording.executions { measure.add(execution.duration, rows: execution.rows) }
    return measure
  }

  /// The seconds that the framework worked, summed over all threads, for activities that lie in no other one.
  package var busySeconds: Double {
    zip(recording.activities, nesting.isOutermost).reduce(0) { $0 + ($1.1 ? $1.0.duration : 0) }
  }

  package var failures: Int { recording.activities.count { $0.failed } }

  package var statements: [StatementUse] { StatementUse.all(recording) }

  package var callTree: CallTree { CallTree(recording, paths, nesting) }

  /// The inefficiencies, the most expensive first.
  package var findings: [Finding] {
    let all =
      RepeatedWork(self).findings + IndexFindings(self).findings + UntouchedRows(self).findings
    return all.enumerated().sorted { ($0.1.seconds, $1.0) > ($1.1.seconds, $0.0) }.map(\.1)
  }
}
