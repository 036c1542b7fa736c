/// The decisions of a reader beside the one connection that writes, while its read transaction begins: at which commit it
/// reads, and whether the rows that it reads may be cached.
///
/// A value made of numbers that are read without a lock. It is made before the transaction begins, because a number
/// that is read later may be newer than what the transaction sees.
///
/// A reader's version also changes with this store's own commits. If some of these may have come in between, or if the
/// connection is new, the writer's version decides, because it changes only with the commits of others. The writer cannot be
/// asked while another thread uses it. But a save shows its number after it has noticed the commits of others, and nobody
/// else can write until the save commits: meanwhile, there are no commits of others that the save does not know of.
package struct OneWriterReading {
  /// What a reader's connection remembers of the last transaction that began on it.
  package struct Mark: Hashable {
    /// The version that the transaction saw; nil if it is not known what happened before the transaction.
    package var version: Int64?
    /// How many commits the writer had finished before the transaction.
    package var finished = 0
  }

  /// The step to take after the transaction has begun, before `decide`.
  package enum Comparison { case nothingNew, forgetEverything, askWriter }

  /// How the transaction goes on.
  package enum Decision: Hashable {
    /// The transaction reads at that commit: its rows come from the cache and go into it.
    case readAt(UInt64)
    /// The transaction ends and begins once more: nobody can tell which commit it sees, but that state lasts only a moment.
    case beginAgain
    /// The transaction reads at commit 0: nothing is taken from the cache, and nothing is kept there.
    case readUncached
  }

  private let transaction: Int
  private let finished: Int
  private let latest: UInt64

  /// Takes the numbers that the writer shows. They are read before the transaction begins, in the order of the parameters.
  /// - Parameters:
  ///   - transaction: the number of the transaction that writes.
  ///   - finished: the number of commits finished. If it were read after `latest`, a commit that is published between the
  ///     two reads would seem to be counted in `latest`; only the check of the date in `isForeign` would find the error.
  ///   - latest: the latest commit.
  @inline(__always)
  package init(transaction: Int, finished: Int, latest: UInt64) {
    self.transaction = transaction
    self.finished = finished
    self.latest = latest
  }

  /// Compares the version that the transaction sees, after it has begun, with the mark.
  /// - Parameters:
  ///   - begun: the number of commits begun, read after the version.
  ///   - nowWriting: the number of the transaction that writes, read after the version too.
  @inline(__always)
  package func compare(_ version: Int64, begun: Int, mark: Mark, nowWriting: @autoclosure () -> Int) -> Comparison {
    if mark.version == version { return .nothingNew }
    if mark.version != nil, mark.finished == begun { return .forgetEverything }
    if transaction != OneWriterFreshness.noTransaction, nowWriting() == transaction { return .nothingNew }
    return .askWriter
  }

  /// Interprets the writer's answer. If another thread has made the writer notice others' commits since this reader took its
  /// date, the transaction sees these commits, but the writer says that nothing is new. With that date, the transaction would
  /// be taken for one that does not see them.
  /// - Parameter latestNow: the latest commit, read after the answer.
  @inline(__always)
  package func isForeign(writerSays answer: Bool?, latestNow: UInt64) -> Bool? {
    answer == false && latestNow != latest ? true : answer
  }

  /// Decides how the transaction goes on, after the step that `compare` returned was taken.
  /// - Parameters:
  ///   - isForeign: whether others have committed; nil if the writer could not be asked.
  ///   - attemptsLeft: how often the transaction may still begin again.
  @inline(__always)
  package func decide(
    isForeign: Bool?, version: Int64, begun: Int, attemptsLeft: Int, mark: inout Mark
  ) -> Decision {
    mark = Mark(version: isForeign == nil ? nil : version, finished: finished)
    // A commit that has begun and is not finished may be visible to the transaction and not yet in the cache, or the other
    // way round. And a transaction that noticed others' commits got its date before everything was forgotten.
    if isForeign == false, finished == begun { return .readAt(latest) }
    return attemptsLeft > 0 ? .beginAgain : .readUncached
  }
}
