import Foundation

/// Finds the N+1 pattern while it occurs: the same functions do the same work again and again.
///
/// The rules are those by which recordings are analysed: at least eight times, with pauses below a second, and for few rows each.
struct Repetitions {
  struct Key: Hashable {
    let thread: UInt64
    /// The hash of the call stack.
    let stack: UInt
    let kind: RecordedActivity.Kind
    /// The relationship, or the entity.
    let subject: String
    let text: String
  }

  struct Run {
    var count = 0
    var rows = 0
    var nanoseconds: UInt64 = 0
    fileprivate var ended: UInt64 = 0
    /// The count at which the run is told next.
    fileprivate var due = Repetitions.least
  }

  /// So many times are no accident.
  static let least = 8
  /// A statement costs as much as reading so many rows.
  private static let rowsPerStatement = 20
  private static let longestPause: UInt64 = 1_000_000_000
  private static let limit = 1024

  private var runs: [Key: Run] = [:]

  /// Notes one piece of work.
  /// - Returns: the run to tell of: at its eighth time, and whenever it has become ten times as long.
  mutating func note(_ key: Key, rows: Int, began: UInt64, ended: UInt64) -> Run? {
    if runs.count >= Self.limit { runs.removeAll(keepingCapacity: true) }
    var run = runs[key] ?? Run()
    if run.count > 0, began > run.ended, began - run.ended > Self.longestPause { run = Run() }
    run.count += 1
    run.rows += rows
    run.nanoseconds += ended &- began
    run.ended = ended
    let isDue = run.count >= run.due && run.rows <= run.count * Self.rowsPerStatement
    if isDue { run.due = run.count * 10 }
    runs[key] = run
    return isDue ? run : nil
  }
}

extension Repetitions.Run {
  /// The finding, as an event.
  func finding(of key: Repetitions.Key, _ event: LiveEvent) -> LiveEvent {
    var finding = LiveEvent(
      time: event.time, kind: "finding", thread: event.thread, milliseconds: Double(nanoseconds) / 1e6)
    (finding.entity, finding.relationship, finding.rows) = (event.entity, event.relationship, rows)
    switch key.kind {
    case .objectFault, .relationshipFault:
      finding.text = "\(key.subject) is read one by one, \(count) times so far"
      let name = event.relationship?.split(separator: ".").last.map(String.init)
      finding.advice =
        name.map { "Name \"\($0)\" in relationshipKeyPathsForPrefetching of the fetch that gives the objects." }
        ?? "Fetch the objects in one request before they are read."
    default:
      finding.text = "The same \(key.kind.words) of \(key.subject) is made again and again, \(count) times so far"
      finding.advice = "Fetch for all at once, with IN, before the loop."
    }
    return finding
  }
}
