import CommandSupport
import CoreData
import Foundation
import PerformanceTuning

/// The result of a run of `coredata tune`, in the structure of its JSON.
struct TuneReport: Codable {
  /// The objects that were loaded, or that the store already had.
  struct Load: Codable {
    var store: String
    /// Whether this run has loaded objects; false if an earlier run has loaded the store.
    var loaded: Bool
    var people: Int
    var selfies: Int
    var networks: Int
    var joinRows: Int
    var start: Date
    var stop: Date
    var elapsed: Double
  }

  /// The result of one test.
  struct Test: Codable {
    var name: String
    var start: Date
    var stop: Date
    var elapsed: Double
    /// The number of SELECT statements.
    var statements: Int
    /// The number of rows that the statements returned.
    var rows: Int
    /// The number of faults that fired.
    var faults: Int
    /// The number of requested rows that were in the row cache.
    var cacheHits: Int
    /// The most memory that was used during the test.
    var memory: Memory
    var result: String
  }

  /// The most memory that the framework used, as far as `MemoryWatch` has seen it.
  struct Memory: Codable {
    /// The number of live objects, followed by the number of faults among them.
    var objects: Int
    var faults: Int
    /// The size of the rows that the row cache kept, in bytes.
    var rowCacheBytes: Int
    /// The most memory that the process has had since it began, in bytes.
    var peakResidentBytes: Int
  }

  var load: Load
  var tests: [Test]
  /// The tests that found something wrong. They are not part of the JSON, where the results say this.
  var failedTests: [String] = []

  private enum CodingKeys: String, CodingKey { case load, tests }

  init(load: Load, records: [(PerfTestRecord, CoreDataInstruments.Memory)]) {
    self.load = load
    tests = records.map { record, memory in
      Test(
        name: record.name, start: record.start, stop: record.stop, elapsed: record.elapsed,
        statements: record.counters.selects, rows: record.counters.rowsRead, faults: record.counters.faultsFired,
        cacheHits: record.counters.cacheHits,
        memory: Memory(
          objects: memory.objects, faults: memory.faults ?? 0, rowCacheBytes: memory.rowCacheBytes,
          peakResidentBytes: memory.peakResidentBytes),
        result: record.result)
    }
    failedTests = records.map(\.0).filter(\.isFailure).map(\.name)
  }

  /// The message about failed tests; nil if none has failed.
  var failures: String? {
    guard !failedTests.isEmpty else { return nil }
    return "\(failedTests.count) of \(tests.count) tests failed: \(failedTests.joined(separator: ", "))."
  }

  /// Returns the report as JSON, with the keys in a fixed order.
  func json() throws -> String { try JSONEncoder.tool.text(of: self) }
}
