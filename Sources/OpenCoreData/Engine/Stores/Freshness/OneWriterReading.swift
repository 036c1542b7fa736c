/// What a reader decides beside the one connection that writes, while its read transaction begins: at which commit it
/// reads, and whether what it reads may be cached.
///
/// A value made of numbers that are read without a lock. It is made before the transaction begins, because a number
/// that is read later may be newer than what the transaction sees.
///
/// A reader's version changes with this store's own commits too. Where some of those may have come between, and on a
/// connection that is new, the writer's version tells: it changes with others' commits alone. While somebody has the
/// writer it cannot be asked. But from the moment when a save shows its number, which is after it has noticed others'
/// commits and while nobody else can write, until it commits, there are none that the save does not know of.
package struct OneWriterReading {
  /// What a reader's connection remembers of the last transaction that began on it.
  package struct Mark: Hashable {
    /// The version that the transaction saw; nil when it is not known what happened before.
    package var version: Int64?
    /// How many commits the writer had finished before it.
    package var finished = 0
  }

  /// What is to be done after the transaction has begun, before `decide`.
  package enum Comparison { case nothingNew, forgetEverything, askWriter }

  /// How the transaction goes on.
  package enum Decision: Hashable {
    /// Its rows are those of that commit: they come from the cache and go into it.
    case readAt(UInt64)
    /// It is to end and begin once more: nobody can tell which commit it sees, and that is over in a moment.
    case beginAgain
    /// It goes on at commit 0: what it reads is neither taken from the cache nor kept there.
    case readUncached
  }

  private let transaction: Int
  private let finished: Int
  private let latest: UInt64

  /// Takes what the writer shows before the transaction begins, read in the order of the parameters.
  /// - Parameters:
  ///   - transaction: the number of the transaction that writes.
  ///   - finished: the number of commits finished. Were it read after `latest`, a commit that is published between the
  ///     two would pass for one that `latest` counts, but for the look at the date after the writer was asked.
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

  /// What the writer's answer means. Others' commits that somebody else has made it notice since this reader took its date
  /// are visible to the transaction, and the writer says that nothing is new: with that date the transaction would be taken
  /// for one that does not see them.
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
