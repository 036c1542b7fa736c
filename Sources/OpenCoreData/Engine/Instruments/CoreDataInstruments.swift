import Synchronization

/// What the framework has done since the program started: statements, rows, faults and cache hits.
///
/// Counters only grow; take one before and one after a piece of work and subtract. They cover every coordinator of the
/// process and cost a few nanoseconds each.
public enum CoreDataInstruments {
  /// The counters as they stand now, of all stores of the process. Read them before and after a piece of work, and take
  /// the difference; work of other threads counts, too.
  ///
  /// ```swift
  /// let before = CoreDataInstruments.counters
  /// _ = try fetchEntry("Monday", in: context).title
  /// let cost = CoreDataInstruments.counters - before
  /// print(cost.selects, cost.rowsRead, cost.faultsFired, cost.cacheHits)  // 1 1 1 1
  /// ```
  public static var counters: Counters {
    Counters(
      statements: statements.load(ordering: .relaxed), selects: selects.load(ordering: .relaxed),
      rowsRead: rows.load(ordering: .relaxed), faultsFired: faults.load(ordering: .relaxed),
      cacheHits: cacheHits.load(ordering: .relaxed))
  }

  /// Counts of events; monotonic.
  public struct Counters: Sendable, Equatable {
    /// Statements sent to SQLite, transaction statements and pragmas left out.
    public var statements: Int
    /// The statements that read rows, fetches and faults alike.
    public var selects: Int
    /// Rows that SQLite returned for them; many rows for few results are a missing index or a missing limit.
    public var rowsRead: Int
    /// Objects that were a fault and became realised because a property was read.
    public var faultsFired: Int
    /// Faults among them that the row cache answered.
    public var cacheHits: Int

    /// The difference between two readings of the counters.
    public static func - (later: Counters, earlier: Counters) -> Counters {
      Counters(
        statements: later.statements - earlier.statements, selects: later.selects - earlier.selects,
        rowsRead: later.rowsRead - earlier.rowsRead, faultsFired: later.faultsFired - earlier.faultsFired,
        cacheHits: later.cacheHits - earlier.cacheHits)
    }
  }

  package static let statements = Atomic<Int>(0)
  package static let selects = Atomic<Int>(0)
  package static let rows = Atomic<Int>(0)
  static let faults = Atomic<Int>(0)
  static let cacheHits = Atomic<Int>(0)

  @inline(__always)
  package static func add(_ counter: borrowing Atomic<Int>, _ count: Int = 1) {
    counter.wrappingAdd(count, ordering: .relaxed)
  }
}
