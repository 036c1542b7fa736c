import CoreData
import OpenCoreData

/// The explanation of a request: its statement, SQLite's query plan, and the advice about indexes that follows from
/// the plan.
///
/// Apple's API has nothing like this; there, `-com.apple.CoreData.SQLDebug 4` prints statements and plans.
package struct Explanation: Codable, Sendable {
  package var sql: String
  package var plan: [String]
  /// The names of the indexes that serve the statement, as they are in the store's file.
  package var indexes: [String]
  /// A description of the index that the statement lacks; nil if none is missing.
  package var missing: String?

  /// Does work on the context's queue, and explains the statements that the work reads rows with.
  ///
  /// - Parameters:
  ///   - request: The request that the work is about.
  ///   - sections: The key path by which a controller divides the result.
  /// - Throws: The errors of `work`.
  package static func of<Object, Result>(
    _ request: NSFetchRequest<Object>, sections: String? = nil, in context: NSManagedObjectContext,
    _ work: () throws -> Result
  ) throws -> (result: Result, explanations: [Explanation]) {
    let (result, queries) = try context.explain(work)
    let explanations = queries.map { query in
      let advice = query.advice(
        entity: request.entityName ?? "", predicate: request.predicate,
        sortDescriptors: request.sortDescriptors ?? [], groupedBy: sections.map { [$0] } ?? [])
      // An index that is only read from end to end does not speed up the query.
      let indexes = if case .useless = advice { [String]() } else { query.indexes }
      return Explanation(
        sql: query.sql, plan: query.plan, indexes: indexes, missing: advice == .served ? nil : advice.text)
    }
    return (result, explanations)
  }

  /// The statement, the plan, and a line that names the indexes that serve the statement and those that are missing.
  package var text: String {
    let lack = missing ?? "none is missing"
    let words = lack.hasPrefix("no index") && indexes.isEmpty ? lack : "\(served); \(lack)"
    return (["    " + shortened] + plan.map { "      " + $0 } + ["    -> \(words)"]).joined(separator: "\n")
  }

  /// The statement, with the columns of an object's row left out, and with each list of variables shortened.
  private var shortened: String {
    sql.replacing(/\(\?(,\?)+\)/, with: "(?, ...)")
      .replacing(/^SELECT t0\.Z_PK, (t0\.Z_ENT|0), t0\.Z_OPT, .*? FROM/, with: "SELECT t0.Z_PK, ... FROM")
  }

  private var served: String {
    if !indexes.isEmpty { return "served by \(indexes.joined(separator: " and "))" }
    return plan.allSatisfy { $0.contains("USING INTEGER PRIMARY KEY") }
      ? "rows are found by their keys" : "no index serves it"
  }
}
