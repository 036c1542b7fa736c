import Foundation

/// The effect of an index on a query, tried in a copy of the store.
public struct IndexTrial: Encodable, Sendable {
  /// The runs of the query, either without or with the index.
  public struct Run: Encodable, Sendable {
    /// The duration of each run of the query, in seconds.
    public var times: [Double]
    /// The median of the durations, in seconds.
    public var seconds: Double
    /// The database's own plan.
    public var plan: [String]
    /// The plan in words.
    public var steps: [String]
    /// The indexes that the query used.
    public var indexes: [String]

    init(times: [Double], _ report: ExplainReport) {
      self.times = times
      seconds = times.sorted()[times.count / 2]
      (plan, steps, indexes) = (report.plan, report.steps, report.indexes)
    }
  }

  /// The entity that has the index.
  public var entity: String
  /// The indexed properties, the most significant first.
  public var properties: [String]
  /// The statement that makes the index.
  public var sql: String
  /// The runs of the query without the index.
  public var before: Run
  /// The runs of the query with the index.
  public var after: Run
  /// The number of objects that the query returned.
  public var rows: Int
  /// The time to make the index, in seconds.
  public var makingSeconds: Double
  /// The size of the index in the file, in bytes.
  public var indexBytes: Int
  /// The size of the store's file before, in bytes.
  public var storeBytes: Int

  /// Whether the database uses the index for the query.
  public var isUsed: Bool { after.indexes.contains(Self.name) }

  /// The name that the index has in the copy.
  static let name = "Z_TRIED_INDEX"
}
