import Foundation

/// What an index would do for a query, tried in a copy of the store.
public struct IndexTrial: Encodable, Sendable {
  /// The query without or with the index.
  public struct Run: Encodable, Sendable {
    /// How long the query took, each time that it was run, in seconds.
    public var times: [Double]
    /// The median of them.
    public var seconds: Double
    /// The database's own words for what it did.
    public var plan: [String]
    /// The plan in words.
    public var steps: [String]
    /// The indexes that it used.
    public var indexes: [String]

    init(times: [Double], _ report: ExplainReport) {
      self.times = times
      seconds = times.sorted()[times.count / 2]
      (plan, steps, indexes) = (report.plan, report.steps, report.indexes)
    }
  }

  /// The entity that has the index.
  public var entity: String
  /// What it is by, the most significant first.
  public var properties: [String]
  /// The statement that makes the index.
  public var sql: String
  /// Without the index.
  public var before: Run
  /// With the index.
  public var after: Run
  /// How many objects the query gave.
  public var rows: Int
  /// How long it took to make the index, in seconds.
  public var makingSeconds: Double
  /// What the index takes in the file, in bytes.
  public var indexBytes: Int
  /// What the store's file had, in bytes.
  public var storeBytes: Int

  /// Whether the database uses the index for the query.
  public var isUsed: Bool { after.indexes.contains(Self.name) }

  /// The name that the index has in the copy.
  static let name = "Z_TRIED_INDEX"
}
