/// A performance problem of a program, with advice how to solve it.
public struct Finding: Encodable, Sendable, Equatable {
  /// The kinds of problem.
  public enum Kind: String, Encodable, Sendable {
    /// Faults that fire one by one, although one request could read all rows.
    case repeatedFaults
    /// A fetch for each of many siblings.
    case repeatedFetches
    /// A fetch that would do less work with an index.
    case missingIndex
    /// A fetch that compares every row, and for which no index can help.
    case scan
    /// Rows that were fetched and never looked at.
    case untouchedRows
  }

  /// A fetch, as described in a recording.
  public struct Request: Encodable, Sendable, Hashable {
    /// The entity of the fetch.
    public let entity: String
    /// The fetch's predicate, with variables in place of values.
    public let predicate: String?
    /// The fetch's sort descriptors, such as `likes DESC, date`.
    public let sort: String?
  }

  /// The kind of problem.
  public let kind: Kind
  /// The problem in words.
  public let title: String
  /// The advice in words.
  public let advice: String
  /// The function of the program that causes the problem.
  public var caller: String?
  /// The entity whose fetch is to be changed, or that lacks an index.
  public var entity: String?
  /// The key paths to set as `relationshipKeyPathsForPrefetching` of the fetch.
  public var prefetch: [String]?
  /// A description of the fetch to change.
  public var fetch: String?
  /// The properties of the missing index, most significant first.
  public var index: [String]?
  /// The fetch that an index would serve, or that no index can serve; of several, the one that took longest.
  public var request: Request?
  /// The number of times that the problem occurred.
  public var count: Int
  /// The number of rows that were read because of the problem.
  public var rows: Int
  /// The duration of all occurrences, in seconds: the most that a solution can save.
  public var seconds: Double

  /// The number of rows that take about as long to read as a statement takes to run, in SQLite and the framework
  /// together.
  static let rowsPerStatement = 20
  /// The number of repetitions from which on activities are regarded as a loop.
  static let repetitions = 8
}
