/// The decisions of a store's writer, if this process has one connection that writes: which counts readers see, and
/// whether others have committed, so that nothing in the cache is valid any more.
///
/// A state machine without connections, threads or atomics, so that a test can drive it through every interleaving. The
/// owner drives it under the writer's lock and shows the numbers that it returns. Readers read these numbers without a lock
/// and decide by them (`OneWriterReading`). A commit is made in the following order. In any other order, a reader could get
/// rows that its transaction does not see:
/// 1. take the write lock of the database, `look` at the version, forget everything if it says so
/// 2. show `beginTransaction`; write
/// 3. show `noTransaction`, then `beginCommit`; COMMIT
/// 4. put the rows into the cache; show `endCommit`; release the lock
///
/// A thread that cannot look because the lock is taken leaves a mark first. The thread that has the lock checks for the mark
/// after it has released the lock, and looks at the version then, because the rows of step 4 may be older than what others
/// have committed since step 3.
package struct OneWriterFreshness: Hashable {
  /// How many commits have begun; shown before the database makes the commit visible.
  package private(set) var begun = 0
  /// How many commits are over; shown after their rows are in the cache.
  package private(set) var finished = 0
  private var transactions = 0
  /// The version of the database when the writing connection last looked; nil before its first look.
  private var version: Int64?

  /// The number that is shown while no transaction writes, before a transaction has looked, and after its commit has begun.
  package static let noTransaction = 0

  /// The result of a look at the version.
  package enum Notice { case nothingNew, forgetEverything }

  /// Notes the version that the writing connection sees, which only the commits of others change.
  ///
  /// Everything must be forgotten before the lock is released, because the next look does not report these commits again.
  package mutating func look(_ version: Int64) -> Notice {
    defer { self.version = version }
    guard let known = self.version, known != version else { return .nothingNew }
    return .forgetEverything
  }

  /// Begins a transaction that has looked at the version. Nobody else can write until it ends.
  /// - Returns: the transaction's number, to be shown.
  package mutating func beginTransaction() -> Int {
    transactions += 1
    return transactions
  }

  /// Begins the commit of the transaction.
  /// - Returns: the number of commits begun, to be shown before COMMIT.
  package mutating func beginCommit() -> Int {
    begun += 1
    return begun
  }

  /// Ends the commit: its rows are in the cache, or it has failed.
  /// - Returns: the number of commits finished, to be shown.
  package mutating func endCommit() -> Int {
    finished += 1
    return finished
  }

  /// Prepares for another writing connection, whose versions cannot be compared with those of the last one.
  package mutating func changeConnection() { version = nil }
}
