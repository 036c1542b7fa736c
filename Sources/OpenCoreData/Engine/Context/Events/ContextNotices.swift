/// The contents of a context's notifications, kept from one to the next. Belongs to the context's queue.
///
/// An observer of a notification may cause the next one before all observers have been called. So contents are taken out
/// before the notification that has them is posted.
struct ContextNotices {
  /// The user info of `NSManagedObjectContextObjectsDidChange`.
  var changes = ChangeUserInfo()
  /// The user infos of the two notifications about a save.
  var saved = SavedUserInfo()
  /// Tells key-value observers of `hasChanges`; nil without observers.
  var hasChangesObserving: HasChangesObserving?
  /// The places in history right after the transactions of the last save, by the stores' identifiers.
  private var transactions: [String: HistoryPlace] = [:]

  /// Forgets the transactions of the previous save.
  mutating func beginSave() { transactions = [:] }

  mutating func note(_ transaction: HistoryPlace, of store: NSPersistentStore) {
    transactions[store.identifier] = transaction
  }

  /// Gives the token of the history right after the last save, at the first call only; nil where no store keeps a history.
  mutating func takeToken() -> NSPersistentHistoryToken? {
    if transactions.isEmpty { return nil }
    defer { transactions = [:] }
    return NSPersistentHistoryToken(transactions)
  }

  var hasToken: Bool { !transactions.isEmpty }
}
