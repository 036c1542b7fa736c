/// Decides for a store that one connection of this process writes: which commit counts readers see, and whether others have
/// committed, so that nothing in the cache is valid any more.
///
/// A state machine without connections, threads or atomics, so that a test can go through every interleaving. Its owner calls
/// it under the writer's lock and publishes the numbers that it returns. Readers read these numbers without a lock and decide
/// by them (`OneWriterReading`). A commit is made in the following order; any other order lets a reader get rows that its
/// transaction does not see:
/// 1. take the write lock of the database, `look` at the version, and drop everything if the result says so
/// 2. publish the number of `beginTransaction`; write
/// 3. publish `noTransaction`, then the number of `beginCommit`; COMMIT
/// 4. put the rows into the cache; publish the number of `endCommit`; release the lock
///
/// A thread that cannot look because another thread has the lock leaves a mark first. The thread that has the lock checks for
/// the mark after it has released the lock, and then looks at the version: the rows of step 4 may be older than what others
/// have committed since step 3.
package struct OneWriterFreshness: Hashable {
  /// The number of commits that have begun. It is published before the database makes the commit visible.
  package private(set) var begun = 0
  /// The number of commits that are finished. It is published after their rows are in the cache.
  package private(set) var finished = 0
  private var transactions = 0
  /// The version of the database when the writing connection last looked; nil before its first look.
  private var version: Int64?

  /// The number that is shown while no transaction writes, or before it has looked, or after its commit has begun.
  package static let noTransaction = 0

  /// The result of a look at the version.
  package enum Notice { case nothingNew, forgetEverything }

  /// Notes a look of the writing connection at the version, which changes only with others' commits.
  ///
  /// Everything must be dropped before the lock is released, because the next look will not notice the change.
  package mutating func look(_ version: Int64) -> Notice {
    defer { self.version = version }
    guard let known = self.version, known != version else { return .nothingNew }
    return .forgetEverything
  }

  /// Notes that a transaction has looked at the version, and that no other connection can write until it ends.
  /// - Returns: its number, which the owner publishes.
  package mutating func beginTransaction() -> Int {
    transactions += 1
    return transactions
  }

  /// The commit of the transaction begins.
  /// - Returns: the number of commits begun, to be shown before COMMIT.
  package mutating func beginCommit() -> Int {
    begun += 1
    return begun
  }

  /// The commit's rows are in the cache, or it has failed.
  /// - Returns: the number of commits finished, to be shown.
  package mutating func endCommit() -> Int {
    finished += 1
    return finished
  }

  /// Another connection writes from now on, whose versions say nothing about those of the last one.
  package mutating func changeConnection() { version = nil }
}
