/// A context's read transactions, one for each store that it has read.
///
/// There are few stores: going through all of them takes less time than hashing, and each fault that fires looks for its
/// transaction.
struct ReadTransactions {
  private var entries: ContiguousArray<(store: ObjectIdentifier, transaction: ReadTransaction)> = []

  /// The transaction on a store, if there is one.
  @inline(__always)
  subscript(store: NSPersistentStore) -> ReadTransaction? {
    for index in entries.indices where entries[index].store == ObjectIdentifier(store) {
      return entries[index].transaction
    }
    return nil
  }

  /// Adds the transaction on a store that has none yet.
  mutating func add(_ transaction: ReadTransaction, on store: NSPersistentStore) {
    entries.append((ObjectIdentifier(store), transaction))
  }

  var all: some Sequence<ReadTransaction> { entries.lazy.map(\.transaction) }
}
