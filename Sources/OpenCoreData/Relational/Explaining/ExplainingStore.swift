/// A store that can say what its database does for a statement.
package protocol ExplainingStore: NSPersistentStore {
  /// Explains a statement that reads rows.
  /// - Returns: nil for one that another store ran.
  func explain(_ statement: CollectedStatement, for context: NSManagedObjectContext) throws -> ExplainedQuery?
}
