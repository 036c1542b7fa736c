/// What a store on a server decides that many processes write to: which cached rows are out of date, and at which
/// commit a transaction reads.
///
/// Rows have versions, and every transaction writes what it has changed beside them. A transaction asks with its first
/// statement what has changed since the newest state that is digested here; what it is told comes out of the cache, and
/// that state becomes the one that it sees. Commits are numbered in the order of digestion, not in that of the server.
///
/// A state machine without connections, threads or a cache. The owner drives it under one lock, and does what a
/// decision says before it lets go of that lock: first no shard takes rows from before the new commit any more, then
/// the outdated rows go. In the other order a slow reader could put an old row back. Between the question and the
/// answer the lock is free.
package struct ManyWritersFreshness: Hashable {
  /// The newest state whose changes the row cache knows; nil before the first, and after a change of servers.
  package private(set) var digested: ServerState?
  private var server = 0
  /// For each root entity, the relationships whose members a row of it may change.
  private let relations: [Int: [RelationID]]
  /// Told more changes than that, the store forgets everything.
  package let limit: Int

  package init(relations: [Int: [RelationID]], limit: Int = 10_000) {
    self.relations = relations
    self.limit = limit
  }

  /// What a transaction asks the server: for the changes that it sees and that `since` does not.
  package struct Question: Hashable {
    package let since: ServerState?
    fileprivate let server: Int
    /// When it was asked, and a time at which `since` was not older; set by an owner for whom the server keeps changes for
    /// a limited time.
    package var askedAt, digestedAt: ContinuousClock.Instant?
  }

  /// What a read transaction does.
  package enum ReadDecision: Hashable {
    /// It reads at that commit: its rows come from the cache and go into it.
    case readAt(UInt64)
    /// The outdated parts go, and no rows from before the commit are taken any more; then it reads at that commit.
    case invalidate(OutdatedParts, readAt: UInt64)
    /// Every row goes, and none from before the commit is taken any more; then it reads at that commit.
    case forgetEverything(readAt: UInt64)
    /// It ends and begins once more with a new question: the cache is ahead of it.
    case beginAgain
    /// It reads at commit 0: nothing is taken from the cache, and nothing is kept there.
    case readUncached
  }

  /// What a save does with the rows that it has written and committed.
  package enum SaveDecision: Hashable {
    /// They are dated with that commit and go into the cache, but those that are outdated: others have changed these,
    /// too, and they are dated 0. Then what else is outdated goes.
    case publish(at: UInt64, OutdatedParts)
    /// They are dated 0 and go nowhere. Every row goes that was cached before that commit.
    case forgetEverything(at: UInt64)
    /// They are dated 0 and go nowhere. Whoever moved the digested state beyond the save was told of its changes, or
    /// will be.
    case publishUncached
  }

  /// Asked when a read transaction begins, and before a save begins to write: what others commit to the same rows after
  /// the save must be among what it is told.
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
        // Neither includes the other: this is another server, with a history of its own.
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

  /// A save is committed, and was told the answer to its question after that.
  /// - Parameters:
  ///   - transaction: its own, whose changes are left out.
  ///   - state: what the answer's transaction sees, or the save's own count where counts are states; nil where no
  ///     answer has come.
  package mutating func endSave(
    _ transaction: UInt64, seeing state: ServerState?, told changes: ToldChanges, to question: Question,
    nextCommit: () -> UInt64
  ) -> SaveDecision {
    // Where the cache is ahead of the save, a row that it has written may have been changed by others already, and that
    // have been told: put into the cache now, the row would stay there.
    guard let state, question.server == server, digested.map(state.includes) ?? true else { return .publishUncached }
    switch (state, digested, changes) {
    case (.version(let own), .version(let known), _) where own - known <= 1:
      digested = state
      return .publish(at: nextCommit(), OutdatedParts([], relations: relations))
    case (.snapshot, _, .rows(let rows)) where question.since != nil && rows.count <= limit:
      // All that was told, even what is digested by now: others may have changed a row after the save, and been
      // digested before it.
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
