/// Whose changes a transaction of history notes.
package struct HistorySource {
  package var author: String?
  package var contextName: String?

  /// - Parameter context: what a child asks of the store, as batch requests, its topmost parent does.
  package init(_ context: NSManagedObjectContext) {
    let root = context.ancestors.root
    author = root.transactionAuthor
    contextName = root.name
  }
}
