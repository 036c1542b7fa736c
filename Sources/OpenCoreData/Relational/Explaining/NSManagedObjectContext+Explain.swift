import Foundation

// Explains the statements that a database runs to read rows for a piece of work: their query plans.
extension NSManagedObjectContext {
  /// Runs work in the context, and explains each different statement that reads rows for the work, in the order in
  /// which the statements first ran.
  ///
  /// For an SQLite store, a plan is that of the statement without values, which SQLite uses for all values. For a
  /// server, a plan is that of the statement with the values that it ran with. If the work uses other contexts on this
  /// thread, their statements are explained, too, if they belong to the same store.
  /// - Throws: the error of the work, or of explaining a statement.
  package final func explain<Result>(
    _ work: () throws -> Result
  ) throws -> (result: Result, queries: [ExplainedQuery]) {
    checkQueue()
    let (result, statements) = try StatementLog.collectStatements(work)
    var seen: Set<String> = []
    let selects = statements.filter { $0.text.hasPrefix("SELECT") && seen.insert($0.text).inserted }
    let stores = try requiredCoordinator().persistentStores.compactMap { $0 as? any ExplainingStore }
    let queries = try selects.compactMap { statement in
      for store in stores {
        if let query = try store.explain(statement, for: self) { return query }
      }
      return nil as ExplainedQuery?
    }
    return (result, queries)
  }
}
