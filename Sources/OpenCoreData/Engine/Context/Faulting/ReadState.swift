/// The state of a context's reads: transactions, query generation, and the objects that watch over the reads. Belongs to
/// the context's queue.
struct ReadState {
  private var transactions = ReadTransactions()
  /// The query generation that the read transactions read.
  private(set) var generation = QueryGenerationPin.unpinned
  /// Can stop the fetches of the block that is running.
  var watch: FetchWatch?
  /// Collects failures of faults; nil where a failure stops the program.
  var failures: FaultFailures?

  /// The transaction on a store, if there is one.
  @inline(__always)
  subscript(store: NSPersistentStore) -> ReadTransaction? { transactions[store] }

  /// Adds the transaction on a store that has none yet.
  mutating func add(_ transaction: ReadTransaction, on store: NSPersistentStore) {
    transactions.add(transaction, on: store)
  }

  var all: some Sequence<ReadTransaction> { transactions.all }

  /// Forgets the transactions, which have ended, and their stores.
  mutating func forgetAll() { transactions = ReadTransactions() }

  mutating func pin(to generation: QueryGenerationPin) { self.generation = generation }
}
