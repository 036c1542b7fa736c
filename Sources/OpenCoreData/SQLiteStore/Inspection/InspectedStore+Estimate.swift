import Foundation

/// How many rows a query reads, how many objects it finds, and how many objects its entity has.
package struct RowEstimate: Sendable, Equatable {
  /// The number of objects of the entity, including those of subentities.
  package let total: Int
  /// The estimated number of rows that SQLite reads to answer the query.
  package let examined: Int
  /// The number of objects that the query finds without its limit and offset; counted, not estimated.
  package let found: Int
}

extension InspectedStore {
  /// Estimates the rows of a query from its plan. A scan reads all rows of the table, a search by key reads one, and a search
  /// in an index reads as many as have the same values on average. The objects that the query finds are counted, which takes
  /// about as long as the query.
  package func estimate(_ query: StoreQuery, _ explained: ExplainedQuery) throws -> RowEstimate {
    var all = StoreQuery(entity: query.entity)
    all.includesSubentities = query.includesSubentities
    let total = try count(all)
    var unlimited = query
    unlimited.limit = 0
    unlimited.offset = 0
    let steps = explained.plan.filter { $0.contains(" t0") && $0.drop { $0 == " " }.hasPrefix("S") }
    let examined = try steps.reduce(0) { $0 + (try rows(of: $1, total: total)) }
    let found = try count(unlimited)
    // Several steps may read the same rows, so the sum is limited to the total. All rows that are found have been read.
    return RowEstimate(total: total, examined: max(min(examined, total), found), found: found)
  }

  private func rows(of step: String, total: Int) throws -> Int {
    guard step.contains("SEARCH t0"), let mark = step.range(of: " (") else { return total }
    if step.contains("INTEGER PRIMARY KEY") { return step.contains("rowid=?") ? min(1, total) : total / 4 }
    guard let place = step.range(of: "INDEX ") else { return total }
    let name = String(step[place.upperBound...].prefix { $0 != " " })
    let conditions = step[mark.upperBound...]
    let equal = conditions.components(separatedBy: "=?").count - 1
    let hasRange = conditions.contains(">?") || conditions.contains("<?")
    let same = try equal == 0 ? total : sameRows(index: name, columns: equal, total: total)
    // A quarter is what SQLite assumes of a range about which it knows nothing.
    return hasRange ? max(same / 4, min(same, 1)) : same
  }

  /// Returns how many rows have the same values in the first columns of an index, on average.
  private func sameRows(index: String, columns: Int, total: Int) throws -> Int {
    let names = try connection.rows("PRAGMA index_info(\(index.quotedName))").compactMap { $0[2] }.prefix(columns)
    let table = try connection.rows("SELECT tbl_name FROM sqlite_master WHERE name = '\(index.escapedText)'").first?[0]
    guard let table, names.count == columns else { return total }
    let list = names.map(\.quotedName).joined(separator: ", ")
    let different =
      try connection.integer(
        "SELECT COUNT(*) FROM (SELECT DISTINCT \(list) FROM \(table.quotedName))") ?? 1
    let rows = try connection.integer("SELECT COUNT(*) FROM \(table.quotedName)") ?? Int64(total)
    return Int((rows + max(different, 1) - 1) / max(different, 1))
  }
}

extension String {
  fileprivate var escapedText: String { replacingOccurrences(of: "'", with: "''") }
}
