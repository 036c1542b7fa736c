/// Whose changes a transaction of history notes.
struct HistorySource {
  var author: String?
  var contextName: String?

  /// - Parameter context: what a child asks of the store, as batch requests, its topmost parent does.
  init(_ context: NSManagedObjectContext) {
    let root = context.rootContext
    author = root.transactionAuthor
    contextName = root.name
  }
}
