extension SQLiteStore {
  package func explain(
    _ statement: CollectedStatement, for context: NSManagedObjectContext
  ) throws -> ExplainedQuery? {
    guard statement.details == nil else { return nil }
    // If the file of this store cannot prepare the statement, another store has run it.
    let plan = try context.reads.transaction(on: self).read(latest: false) { connection, _ in
      try? connection.plan(of: statement.text)
    }
    return plan.map { ExplainedQuery(sql: statement.text, bindings: [], sqlitePlan: $0) }
  }
}
