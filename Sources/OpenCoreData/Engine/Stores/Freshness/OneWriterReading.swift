/// Decides for a reader, beside the one connection that writes, while its read transaction begins: at which commit it reads,
/// and whether its rows may be cached.
///
/// A value made of numbers that are read without a lock. It is made before the transaction begins, because a number that is
/// read later may be newer than what the transaction sees.
///
/// The version that a reader's connection sees changes with this store's own commits, too. If some of those may have come in
/// between, and on a new connection, the writer's version is used, because that changes only with others' commits. The writer
/// cannot be asked while another thread has it. But from the moment when a save publishes its number until it commits, there
/// are no others' commits that the save does not know: it has noticed them before, and no other connection can write in the
/// meantime.
package struct OneWriterReading {
  /// What a reader's connection remembers of the last transaction that began on it.
  package struct Mark: Hashable {
    /// The version that the transaction saw; nil when it is not known what happened before.
    package var version: Int64?
    /// The number of commits that the writer had finished before it.
    package var finished = 0
  }

  /// What has to be done after the transaction has begun, before `decide`.
  package enum Comparison { case nothingNew, forgetEverything, askWriter }

  /// How the transaction goes on.
  package enum Decision: Hashable {
    /// Its rows are those of that commit: they come from the cache and go into it.
    case readAt(UInt64)
    /// It has to end and begin again, because it cannot be known for the moment which commit it sees.
    case beginAgain
    /// It goes on at commit 0: its rows are neither taken from the cache nor kept there.
    case readUncached
  }

  private let transaction: Int
  private let finished: Int
  private let latest: UInt64

  /// Takes the numbers that the writer publishes before the transaction begins, read in the order of the parameters.
  /// - Parameters:
  ///   - transaction: the number of the transaction that writes.
  ///   - finished: the number of commits finished. If it were read after `latest`, a commit that is published between the two
  ///     would be taken for one that `latest` counts, except for the check of the date after the writer was asked.
  ///   - latest: the latest commit.
  @inline(__always)
  package init(transaction: Int, finished: Int, latest: UInt64) {
    self.transaction = transaction
    self.finished = finished
    self.latest = latest
  }

  /// The transaction has begun and sees `version`.
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

  /// Interprets the writer's answer. Another thread may have made the writer notice others' commits after this reader took
  /// its date. The transaction sees these commits, but the writer says that nothing is new. With its old date, the
  /// transaction would be treated as if it did not see them.
  /// - Parameter latestNow: the latest commit, read after the answer.
  @inline(__always)
  package func isForeign(writerSays answer: Bool?, latestNow: UInt64) -> Bool? {
    answer == false && latestNow != latest ? true : answer
  }

  /// Decides, after what `compare` said is done.
  /// - Parameters:
  ///   - isForeign: whether others have committed; nil where the writer could not be asked.
  ///   - attemptsLeft: how often the transaction may still begin again.
  @inline(__always)
  package func decide(
    isForeign: Bool?, version: Int64, begun: Int, attemptsLeft: Int, mark: inout Mark
  ) -> Decision {
    mark = Mark(version: isForeign == nil ? nil : version, finished: finished)
    // A commit that has begun and is not finished may be visible to the transaction and not be in the cache, or the
    // other way round. And a transaction that noticed others' commits was dated before everything was forgotten.
    if isForeign == false, finished == begun { return .readAt(latest) }
    return attemptsLeft > 0 ? .beginAgain : .readUncached
  }
}
