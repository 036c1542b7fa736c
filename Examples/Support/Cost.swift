import CoreData
import Foundation

/// The time and the memory that a piece of work took.
package struct Cost: Codable, Sendable {
  /// The elapsed time, in seconds.
  package var elapsed: Double
  /// The processor time of all threads of the program, in seconds. Other programs hardly change it.
  package var processor: Double
  /// The number of statements that SQLite ran, without those for transactions.
  package var statements: Int
  /// The number of rows that SQLite returned.
  package var rows: Int
  /// The largest memory of the program during the work, in MB.
  package var peakMemory: Double

  /// The cost of two pieces of work, one after the other.
  package static func + (left: Cost, right: Cost) -> Cost {
    Cost(
      elapsed: left.elapsed + right.elapsed, processor: left.processor + right.processor,
      statements: left.statements + right.statements, rows: left.rows + right.rows,
      peakMemory: max(left.peakMemory, right.peakMemory))
  }

  /// Time, statements, rows and memory, as cells of a table.
  package var cells: [String] {
    [
      String(format: "%.1f", elapsed * 1000), String(format: "%.1f", processor * 1000), "\(statements)", "\(rows)",
      String(format: "%.0f", peakMemory),
    ]
  }

  /// The titles of the cells.
  package static let titles = ["ms", "CPU ms", "statements", "rows", "peak MB"]
}

/// Measures the cost of work from the moment when the meter is made.
package struct Meter {
  private let counters: CoreDataInstruments.Counters
  private let begin: ContinuousClock.Instant
  private let processor: Double

  package init() {
    PeakMemory.forget()
    counters = CoreDataInstruments.counters
    begin = ContinuousClock().now
    processor = Self.processorTime
  }

  /// The cost so far.
  package var cost: Cost {
    let elapsed = begin.duration(to: ContinuousClock().now) / .seconds(1)
    let spent = CoreDataInstruments.counters - counters
    return Cost(
      elapsed: elapsed, processor: Self.processorTime - processor, statements: spent.statements, rows: spent.rowsRead,
      peakMemory: PeakMemory.megabytes)
  }

  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
