/// The author and the context name that a history transaction records for its changes.
package struct HistorySource {
  package var author: String?
  package var contextName: String?

  /// - Parameter context: the context of the request; the values come from its topmost parent, which asks the store.
  package init(_ context: NSManagedObjectContext) {
    let root = context.ancestors.root
    author = root.transactionAuthor
    contextName = root.name
  }
}
