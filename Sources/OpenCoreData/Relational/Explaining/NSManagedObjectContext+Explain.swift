import Foundation

// Explains the statements that a piece of work makes a store's database run for reading, with its query plans.
extension NSManagedObjectContext {
  /// Runs work in the context, and explains each different statement that reads rows for it, in the order in which the
  /// statements were first run.
  ///
  /// The plans of a SQLite store are those of statements whose values are not known; SQLite uses them for every value. The
  /// plans of a server are those for the values with which a statement ran. Statements of other contexts that the work uses
  /// on this thread are explained, too, if they are of the same store.
  /// - Throws: the errors of the work.
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
