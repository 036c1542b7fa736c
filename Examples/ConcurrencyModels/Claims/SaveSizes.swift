import CoreData
import ExampleSupport
import Foundation

/// One save of everything beside saves of 100, with a list that takes some time for each change.
///
/// A save is merged in one turn of the main queue, however large it is. Between the merges of small saves the main queue answers.
@MainActor struct SaveSizes {
  struct Measure: Codable {
    var part: Int
    var saves: Int
    var reports: Int
    var changes: Int
    var stalls: Heartbeat.Stalls
    var listed: Double
  }

  /// The number of songs to import.
  let count: Int
  let timeForChange: Duration
  static let part = 100

  /// - Throws: The errors of the runs.
  func run(in folder: URL) async throws -> [Measure] {
    var measures: [Measure] = []
    for part in [count, min(Self.part, count)] {
      let run = ArrangementRun(arrangement: .merging, count: count, part: part, timeForChange: timeForChange)
      let result = try await run.run(at: folder.appending(path: "saves-\(measures.count).sqlite")) { _ in }
      measures.append(
        Measure(
          part: part, saves: result.saves, reports: result.reports, changes: result.changes, stalls: result.stalls,
          listed: result.listed))
    }
    return measures
  }
}
