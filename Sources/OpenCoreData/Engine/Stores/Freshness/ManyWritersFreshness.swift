/// Decides for a store on a server to which many processes write: which cached rows are out of date, and at which commit a
/// transaction reads.
///
/// Rows have versions, and every transaction writes down which rows it has changed. With its first statement a transaction
/// asks for the changes since the newest state that was digested here. The changed rows are dropped from the cache, and the
/// state that the transaction sees becomes the digested one. Commits are numbered in the order of digestion, not in the
/// server's order.
///
/// A state machine without connections, threads or a cache. Its owner calls it under one lock, and carries out each decision
/// before it releases that lock: first all shards refuse rows from before the new commit, and then the outdated rows are
/// dropped. In the other order a slow reader could put an old row back. The lock is free between a question and its answer.
package struct ManyWritersFreshness: Hashable {
  /// The newest state whose changes the row cache knows; nil before the first, and after a change of servers.
  package private(set) var digested: ServerState?
  private var server = 0
  /// For each root entity, the relationships whose members a change of its rows may affect.
  private let relations: [Int: [RelationID]]
  /// If the server reports more changes than this, the store drops everything.
  package let limit: Int

  package init(relations: [Int: [RelationID]], limit: Int = 10_000) {
    self.relations = relations
    self.limit = limit
  }

  /// A transaction's question to the server: for the changes that it sees and that `since` does not see.
  package struct Question: Hashable {
    package let since: ServerState?
    fileprivate let server: Int
    /// When it was asked, and a time at which `since` was not older; set by an owner for whom the server keeps changes for
    /// a limited time.
    package var askedAt, digestedAt: ContinuousClock.Instant?
  }

  /// How a read transaction goes on.
  package enum ReadDecision: Hashable {
    /// It reads at that commit: its rows come from the cache and go into it.
    case readAt(UInt64)
    /// The outdated parts go, and no rows from before the commit are taken any more; then it reads at that commit.
    case invalidate(OutdatedParts, readAt: UInt64)
    /// Every row goes, and none from before the commit is taken any more; then it reads at that commit.
    case forgetEverything(readAt: UInt64)
    /// It ends, and begins again with a new question, because the cache is ahead of it.
    case beginAgain
    /// It reads at commit 0: nothing is taken from the cache, and nothing is kept there.
    case readUncached
  }

  /// What a save does with the rows that it has written and committed.
  package enum SaveDecision: Hashable {
    /// The rows are dated with that commit and go into the cache, except outdated rows: others have changed those after the
    /// save, and they are dated 0. Then everything else that is outdated is dropped.
    case publish(at: UInt64, OutdatedParts)
    /// The rows are dated 0 and do not go into the cache. Every row is dropped that was cached before that commit.
    case forgetEverything(at: UInt64)
    /// The rows are dated 0 and do not go into the cache. The transaction that has moved the digested state beyond the save
    /// was told of its changes, or will be.
    case publishUncached
  }

  /// Asked when a read transaction begins, and before a save begins to write: the answer must contain the changes that others
  /// commit to the same rows after the save.
  package func ask() -> Question { Question(since: digested, server: server) }

  /// A read transaction has begun, sees `state` and was told the answer to its question.
  /// - Parameters:
  ///   - attemptsLeft: how often it may still begin again.
  ///   - latest: the latest commit.
  ///   - nextCommit: counts one more commit.
  package mutating func begin(
    seeing state: ServerState, told changes: ToldChanges, to question: Question, attemptsLeft: Int, latest: UInt64,
    nextCommit: () -> UInt64
  ) -> ReadDecision {
    guard question.server == server else { return attemptsLeft > 0 ? .beginAgain : .readUncached }
    if let digested {
      if !state.includes(digested) {
        // Neither state includes the other. So this is another server, with a history of its own.
        if !digested.includes(state) { return forgetEverything(state, nextCommit) }
        return attemptsLeft > 0 ? .beginAgain : .readUncached
      }
      if digested.includes(state) { return .readAt(latest) }
    }
    guard question.since != nil, case .rows(let rows) = changes, rows.count <= limit else {
      return forgetEverything(state, nextCommit)
    }
    // Another transaction may have digested some of them since the question.
    let outdated = OutdatedParts(
      rows.lazy.filter { [digested] in digested?.sees($0.transaction) != true }, relations: relations)
    digested = state
    return outdated.isEmpty ? .readAt(latest) : .invalidate(outdated, readAt: nextCommit())
  }

  /// Handles a save that has committed, and has got the answer to its question after that.
  /// - Parameters:
  ///   - transaction: the save's own transaction, whose changes are left out.
  ///   - state: the state that the answer's transaction sees, or the save's own count if counts are states; nil if no answer
  ///     has come.
  package mutating func endSave(
    _ transaction: UInt64, seeing state: ServerState?, told changes: ToldChanges, to question: Question,
    nextCommit: () -> UInt64
  ) -> SaveDecision {
    // If the cache is ahead of the save, others may have changed a row that the save has written, and that change may have
    // been reported already. Such a row would stay in the cache if it were put there now.
    guard let state, question.server == server, digested.map(state.includes) ?? true else { return .publishUncached }
    switch (state, digested, changes) {
    case (.version(let own), .version(let known), _) where own - known <= 1:
      digested = state
      return .publish(at: nextCommit(), OutdatedParts([], relations: relations))
    case (.snapshot, _, .rows(let rows)) where question.since != nil && rows.count <= limit:
      // All reported changes count, also those that were digested already: others may have changed a row after the save, and
      // that change may have been digested first.
      digested = state
      let others = rows.lazy.filter { $0.transaction != transaction }
      return .publish(at: nextCommit(), OutdatedParts(others, relations: relations))
    default:
      digested = state
      return .forgetEverything(at: nextCommit())
    }
  }

  /// The next answers may come from another server, a standby for instance that was promoted and lacks the last
  /// commits.
  package mutating func changeServer() {
    digested = nil
    server += 1
  }

  private mutating func forgetEverything(_ state: ServerState, _ nextCommit: () -> UInt64) -> ReadDecision {
    digested = state
    return .forgetEverything(readAt: nextCommit())
  }
}
