/// A store that can explain how its database runs a statement.
package protocol ExplainingStore: NSPersistentStore {
  /// Explains a statement that reads rows.
  /// - Returns: nil for a statement that another store ran.
  func explain(_ statement: CollectedStatement, for context: NSManagedObjectContext) throws -> ExplainedQuery?
}
