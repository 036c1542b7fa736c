/// The decisions of a store on a server to which many processes write: which cached rows are out of date, and at which
/// commit a transaction reads.
///
/// Rows have versions, and every transaction also records which rows it has changed. With its first statement, a transaction
/// asks which rows have changed since the newest state that is digested here. The cache drops the rows in the answer, and
/// the state that the transaction sees becomes the digested one. Commits are numbered in the order of digestion, not in that
/// of the server.
///
/// A state machine without connections, threads or a cache. The owner drives it under one lock, and carries out a decision
/// before it releases the lock: first the shards refuse rows from before the new commit, then the outdated rows are removed.
/// In the other order a slow reader could put an old row back. The lock is free between the question and the answer.
package struct ManyWritersFreshness: Hashable {
  /// The newest state whose changes the row cache knows; nil before the first state, and after a change of servers.
  package private(set) var digested: ServerState?
  private var server = 0
  /// For each root entity, the relationships whose members may change when one of its rows changes.
  private let relations: [Int: [RelationID]]
  /// The greatest number of changed rows in an answer; if there are more, the store forgets everything.
  package let limit: Int

  package init(relations: [Int: [RelationID]], limit: Int = 10_000) {
    self.relations = relations
    self.limit = limit
  }

  /// The question of a transaction to the server: for the changes that the transaction sees and `since` does not.
  package struct Question: Hashable {
    package let since: ServerState?
    fileprivate let server: Int
    /// The time of the question, and a time that is not after the state `since`. An owner sets both if its server keeps
    /// changes for a limited time only.
    package var askedAt, digestedAt: ContinuousClock.Instant?
  }

  /// The decision on a read transaction.
  package enum ReadDecision: Hashable {
    /// The transaction reads at that commit: its rows come from the cache and go into it.
    case readAt(UInt64)
    /// The cache refuses rows from before the commit and drops the outdated parts; then the transaction reads at the commit.
    case invalidate(OutdatedParts, readAt: UInt64)
    /// The cache refuses rows from before the commit and drops every row; then the transaction reads at that commit.
    case forgetEverything(readAt: UInt64)
    /// The transaction ends and begins once more with a new question, because the cache is ahead of it.
    case beginAgain
    /// The transaction reads at commit 0: nothing is taken from the cache, and nothing is kept there.
    case readUncached
  }

  /// The decision on the rows that a save has written and committed.
  package enum SaveDecision: Hashable {
    /// The rows get that commit as their date and go into the cache, except those that are outdated: others have changed
    /// these, too, and they get the date 0. Then the cache drops all other outdated parts.
    case publish(at: UInt64, OutdatedParts)
    /// The rows get the date 0 and do not go into the cache. The cache drops every row from before that commit.
    case forgetEverything(at: UInt64)
    /// The rows get the date 0 and do not go into the cache. The transaction that moved the digested state beyond the save
    /// was told of the save's changes, or will be.
    case publishUncached
  }

  /// Makes the question for a read transaction that begins, or for a save that begins to write. The question comes before
  /// the save writes, so that its answer includes what others commit to the same rows after the save.
  package func ask() -> Question { Question(since: digested, server: server) }

  /// Decides on a read transaction that has begun, sees `state`, and has the answer to its question.
  /// - Parameters:
  ///   - attemptsLeft: how often the transaction may still begin again.
  ///   - latest: the latest commit.
  ///   - nextCommit: counts one more commit and returns its number.
  package mutating func begin(
    seeing state: ServerState, told changes: ToldChanges, to question: Question, attemptsLeft: Int, latest: UInt64,
    nextCommit: () -> UInt64
  ) -> ReadDecision {
    guard question.server == server else { return attemptsLeft > 0 ? .beginAgain : .readUncached }
    if let digested {
      if !state.includes(digested) {
        // Neither state includes the other, so this is another server, with a different history.
        if !digested.includes(state) { return forgetEverything(state, nextCommit) }
        return attemptsLeft > 0 ? .beginAgain : .readUncached
      }
      if digested.includes(state) { return .readAt(latest) }
    }
    guard question.since != nil, case .rows(let rows) = changes, rows.count <= limit else {
      return forgetEverything(state, nextCommit)
    }
    // Another transaction may have digested some of these changes since the question.
    let outdated = OutdatedParts(
      rows.lazy.filter { [digested] in digested?.sees($0.transaction) != true }, relations: relations)
    digested = state
    return outdated.isEmpty ? .readAt(latest) : .invalidate(outdated, readAt: nextCommit())
  }

  /// Decides on the rows of a save that is committed, and whose question was answered after the commit.
  /// - Parameters:
  ///   - transaction: the save's own transaction, whose changes are left out.
  ///   - state: the state that the transaction of the answer sees; the save's own version if the server has no snapshots;
  ///     nil if no answer has come.
  package mutating func endSave(
    _ transaction: UInt64, seeing state: ServerState?, told changes: ToldChanges, to question: Question,
    nextCommit: () -> UInt64
  ) -> SaveDecision {
    // If the cache is ahead of the save, others may already have changed a row that the save has written, and the cache may
    // already have been told so. If the row went into the cache now, it would stay there.
    guard let state, question.server == server, digested.map(state.includes) ?? true else { return .publishUncached }
    switch (state, digested, changes) {
    case (.version(let own), .version(let known), _) where own - known <= 1:
      digested = state
      return .publish(at: nextCommit(), OutdatedParts([], relations: relations))
    case (.snapshot, _, .rows(let rows)) where question.since != nil && rows.count <= limit:
      // All changes in the answer count, even those that are digested by now: others may have changed a row after the save,
      // and that change may have been digested before the save.
      digested = state
      let others = rows.lazy.filter { $0.transaction != transaction }
      return .publish(at: nextCommit(), OutdatedParts(others, relations: relations))
    default:
      digested = state
      return .forgetEverything(at: nextCommit())
    }
  }

  /// Prepares for answers from another server, for instance from a standby that was promoted and lacks the last commits.
  package mutating func changeServer() {
    digested = nil
    server += 1
  }

  private mutating func forgetEverything(_ state: ServerState, _ nextCommit: () -> UInt64) -> ReadDecision {
    digested = state
    return .forgetEverything(readAt: nextCommit())
  }
}
