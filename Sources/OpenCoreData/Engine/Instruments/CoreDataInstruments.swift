import Synchronization

/// The work of the framework since the program started: statements, rows, faults and cache hits.
///
/// Counters only grow; read them before and after a piece of work and subtract. They cover every coordinator of the process,
/// and each count costs a few nanoseconds.
public enum CoreDataInstruments {
  /// The present counters, of all stores of the process. Read them before and after a piece of work, and take the
  /// difference; the work of other threads is counted, too.
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

  /// Counts of events, which never decrease.
  public struct Counters: Sendable, Equatable {
    /// Statements sent to databases, without transaction statements and pragmas.
    public var statements: Int
    /// The statements that read rows, for fetches and for faults.
    public var selects: Int
    /// The rows that databases returned for these statements. Many rows for few results mean that an index or a limit is
    /// missing.
    public var rowsRead: Int
    /// Objects that were faults and were fulfilled because a property was read.
    public var faultsFired: Int
    /// The faults among these that the row cache answered.
    public var cacheHits: Int

    /// Returns the difference between two readings of the counters.
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
