/// What a program could do better, and how.
public struct Finding: Encodable, Sendable, Equatable {
  /// What it is about.
  public enum Kind: String, Encodable, Sendable {
    /// A fault for each of many siblings, where one request could read them all.
    case repeatedFaults
    /// A fetch for each of many siblings.
    case repeatedFetches
    /// A fetch that an index would spare work.
    case missingIndex
    /// A fetch that compares every row, which no index can spare.
    case scan
    /// Rows that were fetched and never looked at.
    case untouchedRows
  }

  /// A fetch, as far as a recording has it.
  public struct Request: Encodable, Sendable, Hashable {
    /// The entity that it fetches.
    public let entity: String
    /// Its predicate, with variables in place of values.
    public let predicate: String?
    /// Its sort descriptors, as `likes DESC, date`.
    public let sort: String?
  }

  /// What it is about.
  public let kind: Kind
  /// What was found, in words.
  public let title: String
  /// What to do, in words.
  public let advice: String
  /// The function that does it.
  public var caller: String?
  /// The entity whose fetch is to be changed, or that lacks an index.
  public var entity: String?
  /// What to put into `relationshipKeyPathsForPrefetching` of that fetch.
  public var prefetch: [String]?
  /// Which fetch that is, in words.
  public var fetch: String?
  /// The properties of the missing index, most significant first.
  public var index: [String]?
  /// The fetch that an index would serve, or that none can: of several the one that took longest.
  public var request: Request?
  /// How often it happened.
  public var count: Int
  /// How many rows were read for it.
  public var rows: Int
  /// How long all of it took: the most that can be saved.
  public var seconds: Double

  /// When asking costs as much as reading: SQLite and the framework take about as long to run a statement as to read so many
  /// rows.
  static let rowsPerStatement = 20
  /// So many are no accident.
  static let repetitions = 8
}
