import CoreData
import Foundation

/// What a piece of work cost.
package struct Cost: Codable, Sendable {
  /// In seconds.
  package var elapsed: Double
  /// Statements that SQLite ran, transactions left out.
  package var statements: Int
  /// Rows that SQLite gave.
  package var rows: Int
  /// The most memory that the program had meanwhile, in MB.
  package var peakMemory: Double

  /// Time, statements, rows and memory, as cells of a table.
  package var cells: [String] {
    [String(format: "%.1f", elapsed * 1000), "\(statements)", "\(rows)", String(format: "%.0f", peakMemory)]
  }

  /// The titles of these cells.
  package static let titles = ["ms", "statements", "rows", "peak MB"]
}

/// Measures from when it is made.
package struct Meter {
  private let counters: CoreDataInstruments.Counters
  private let begin: ContinuousClock.Instant

  package init() {
    PeakMemory.forget()
    counters = CoreDataInstruments.counters
    begin = ContinuousClock().now
  }

  /// What was spent so far.
  package var cost: Cost {
    let elapsed = begin.duration(to: ContinuousClock().now) / .seconds(1)
    let spent = CoreDataInstruments.counters - counters
    return Cost(
      elapsed: elapsed, statements: spent.statements, rows: spent.rowsRead, peakMemory: PeakMemory.megabytes)
  }
}
