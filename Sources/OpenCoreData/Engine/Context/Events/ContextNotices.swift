/// What the notifications of a context have to say, kept from one to the next. Belongs to the context's queue.
///
/// A notification may lead to the next one before it has been told to all: what is put in is taken out by the time that it is
/// posted.
struct ContextNotices {
  /// Of `NSManagedObjectContextObjectsDidChange`.
  var changes = ChangeUserInfo()
  /// Of the two about a save.
  var saved = SavedUserInfo()
  /// The places in history right after the transactions of the last save, by the stores' identifiers.
  private var transactions: [String: HistoryPlace] = [:]

  /// Forgets the transactions of the save before.
  mutating func beginSave() { transactions = [:] }

  mutating func note(_ transaction: HistoryPlace, of store: NSPersistentStore) {
    transactions[store.identifier] = transaction
  }

  /// The token of the history right after the last save, once; nil where no store keeps a history.
  mutating func takeToken() -> NSPersistentHistoryToken? {
    if transactions.isEmpty { return nil }
    defer { transactions = [:] }
    return NSPersistentHistoryToken(transactions)
  }

  var hasToken: Bool { !transactions.isEmpty }
}
