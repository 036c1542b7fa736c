import Foundation
import PerformanceTuning

/// What a run of `coredata tune` found, in the shape of its JSON.
struct TuneReport: Codable {
  /// The load, or what was found loaded.
  struct Load: Codable {
    var store: String
    /// False when the store was loaded by an earlier run.
    var loaded: Bool
    var people: Int
    var selfies: Int
    var networks: Int
    var joinRows: Int
    var start: Date
    var stop: Date
    var elapsed: Double
  }

  /// One test.
  struct Test: Codable {
    var name: String
    var start: Date
    var stop: Date
    var elapsed: Double
    /// How many SELECT statements the store ran.
    var statements: Int
    /// How many rows they gave.
    var rows: Int
    /// How many faults fired.
    var faults: Int
    /// How many of the rows asked for were in the row cache.
    var cacheHits: Int
    var result: String
  }

  var load: Load
  var tests: [Test]
  /// Which tests found something wrong; not part of the JSON, where the result says it.
  var failedTests: [String] = []

  private enum CodingKeys: String, CodingKey { case load, tests }

  init(load: Load, records: [PerfTestRecord]) {
    self.load = load
    tests = records.map { record in
      Test(
        name: record.name, start: record.start, stop: record.stop, elapsed: record.elapsed,
        statements: record.counters.selects, rows: record.counters.rowsRead, faults: record.counters.faultsFired,
        cacheHits: record.counters.cacheHits, result: record.result)
    }
    failedTests = records.filter(\.isFailure).map(\.name)
  }

  /// What to say about failed tests; nil when there are none.
  var failures: String? {
    guard !failedTests.isEmpty else { return nil }
    return "\(failedTests.count) of \(tests.count) tests failed: \(failedTests.joined(separator: ", "))."
  }

  /// The report as JSON, keys in a fixed order.
  func json() throws -> String { try JSONEncoder.tool.text(of: self) }
}
