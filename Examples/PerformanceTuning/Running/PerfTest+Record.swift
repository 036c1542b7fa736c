import CoreData
import Foundation

extension PerfTest {
  /// Resets the context, runs the test, and records times, counts and the result.
  public func record(in context: NSManagedObjectContext) -> PerfTestRecord {
    context.reset()
    let before = CoreDataInstruments.counters
    let start = Date()
    let (result, seconds) = Stopwatch.time { runTest(with: context) }
    let stop = Date()
    return PerfTestRecord(
      name: name, start: start, stop: stop, elapsed: seconds, counters: CoreDataInstruments.counters - before,
      result: result, isFailure: Self.isFailure(result))
  }
}
