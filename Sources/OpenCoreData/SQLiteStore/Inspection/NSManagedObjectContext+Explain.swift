import Foundation

// Explains the statements that a piece of work makes a SQLite store run for reading, with SQLite's query plans.
extension NSManagedObjectContext {
  /// Runs work in the context, and explains each different statement that reads rows for it, in the order in which they were
  /// first run.
  ///
  /// The plans are those of statements whose values are not known yet; they are what SQLite takes for every value. Statements
  /// of other contexts that the work uses on this thread are explained, too, if they are of the same store.
  /// - Throws: what the work throws.
  package final func explain<Result>(
    _ work: () throws -> Result
  ) throws -> (result: Result, queries: [ExplainedQuery]) {
    checkQueue()
    let (result, statements) = try StatementLog.collect(thisThread: true, work)
    var seen: Set<String> = []
    let selects = statements.filter { $0.hasPrefix("SELECT") && seen.insert($0).inserted }
    let stores = try requiredCoordinator().persistentStores.compactMap { $0 as? SQLiteStore }
    return (result, try selects.compactMap { try explain($0, in: stores) })
  }

  /// Nil for a statement of none of the stores.
  private final func explain(_ sql: String, in stores: [SQLiteStore]) throws -> ExplainedQuery? {
    for store in stores {
      // A statement that this store's file cannot prepare was run by another store.
      let plan = try readTransaction(on: store).read(latest: false) { connection, _ in try? connection.plan(of: sql) }
      if let plan { return ExplainedQuery(sql: sql, bindings: [], plan: plan) }
    }
    return nil
  }
}
