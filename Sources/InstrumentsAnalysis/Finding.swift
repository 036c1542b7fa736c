/// What a program could do better, and how.
package struct Finding: Encodable, Sendable, Equatable {
  package enum Kind: String, Encodable, Sendable {
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

  package let kind: Kind
  package let title: String
  package let advice: String
  /// The function that does it.
  package var caller: String?
  /// The entity whose fetch is to be changed, or that lacks an index.
  package var entity: String?
  /// What to put into `relationshipKeyPathsForPrefetching` of that fetch.
  package var prefetch: [String]?
  /// Which fetch that is, in words.
  package var fetch: String?
  /// The properties of the missing index, most significant first.
  package var index: [String]?
  /// How often it happened.
  package var count: Int
  package var rows: Int
  /// How long all of it took: the most that can be saved.
  package var seconds: Double

  /// When asking costs as much as reading: SQLite and the framework take about as long to run a statement as to read so many
  /// rows.
  static let rowsPerStatement = 20
  /// So many are no accident.
  static let repetitions = 8
}
