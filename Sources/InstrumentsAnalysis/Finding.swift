/// An inefficiency of a program, with advice.
public struct Finding: Encodable, Sendable, Equatable {
  /// The kind of an inefficiency.
  public enum Kind: String, Encodable, Sendable {
    /// A fault for each of many siblings, although one request could read them all.
    case repeatedFaults
    /// A fetch for each of many siblings.
    case repeatedFetches
    /// A fetch for which an index would save work.
    case missingIndex
    /// A fetch that compares every row, which no index can avoid.
    case scan
    /// Rows that were fetched and never used.
    case untouchedRows
  }

  /// A fetch, with the parts that a recording has of it.
  public struct Request: Encodable, Sendable, Hashable {
    /// The entity that is fetched.
    public let entity: String
    /// The predicate, with variables in place of values.
    public let predicate: String?
    /// The sort descriptors, as `likes DESC, date`.
    public let sort: String?
  }

  /// The kind of the inefficiency.
  public let kind: Kind
  /// The inefficiency in words.
  public let title: String
  /// The advice in words.
  public let advice: String
  /// The function that causes the inefficiency.
  public var caller: String?
  /// The entity whose fetch is to be changed, or that lacks an index.
  public var entity: String?
  /// The key paths to add to `relationshipKeyPathsForPrefetching` of the fetch.
  public var prefetch: [String]?
  /// The fetch to be changed, in words.
  public var fetch: String?
  /// The properties of the missing index, most significant first.
  public var index: [String]?
  /// The fetch that an index would serve, or that no index can serve; of several fetches, the one that took longest.
  public var request: Request?
  /// How many times it occurred.
  public var count: Int
  /// How many rows were read for it.
  public var rows: Int
  /// How long all occurrences took, in seconds: the most that can be saved.
  public var seconds: Double

  /// The cost of a statement in rows: SQLite and the framework take about as long to run a statement as to read this
  /// many rows.
  static let rowsPerStatement = 20
  /// This many occurrences are not accidental.
  static let repetitions = 8
}
