#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// What the row cache of a store in a server knows, and what has to go from it: `ManyWritersFreshness` decides, and
  /// here is done what it says, under its lock.
  final class ServerFreshness: @unchecked Sendable {  // everything belongs to `lock`
    private let lock = NSLock()
    private var freshness: ManyWritersFreshness
    /// A time at which the digested state was not older.
    private var digestedAt: ContinuousClock.Instant?
    private var lease: ServerLease?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let relations: [Int: [RelationID]]

    init(
      _ model: NSManagedObjectModel, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
      relationID: (EntityLayout, PropertySlot) -> RelationID
    ) {
      self.now = now
      relations = Self.relations(model, relationID)
      freshness = ManyWritersFreshness(relations: relations)
    }

    var limit: Int { lock.withLock { freshness.limit } }

    /// For each root entity the relationships whose members a row of it may change: those of its hierarchy, and those that
    /// lead to it.
    private static func relations(
      _ model: NSManagedObjectModel, _ relationID: (EntityLayout, PropertySlot) -> RelationID
    ) -> [Int: [RelationID]] {
      var all: [Int: Set<RelationID>] = [:]
      for entity in model.entities {
        let layout = entity.rowLayout
        for slot in layout.slots where slot.kind == .toMany && !slot.isTransient {
          let id = relationID(layout, slot)
          all[layout.rootNumber, default: []].insert(id)
          if let destination = slot.destination { all[destination.rowLayout.rootNumber, default: []].insert(id) }
        }
      }
      return all.mapValues(Array.init)
    }

    func ask() -> ManyWritersFreshness.Question {
      lock.withLock {
        var question = freshness.ask()
        (question.askedAt, question.digestedAt) = (now(), digestedAt)
        return question
      }
    }

    /// The next answers may come from another server.
    func changeServer() {
      lock.withLock {
        freshness.changeServer()
        (digestedAt, lease) = (nil, nil)
      }
    }

    /// A read transaction has its answer.
    /// - Returns: the commit that it reads at, 0 where nothing of the cache is of its moment; nil where it is to begin
    ///   again.
    func begin(
      _ answer: DeltaQuery.Answer, to question: ManyWritersFreshness.Question, attemptsLeft: Int, in store: ServerStore
    ) -> UInt64? {
      lock.withLock {
        checkHistory(answer.state, since: question)
        let decision = freshness.begin(
          seeing: answer.state, told: told(answer.changes, question), to: question, attemptsLeft: attemptsLeft,
          latest: store.latestCommit, nextCommit: store.nextCommit)
        switch decision {
        case .readAt(let commit):
          noteAge(question)
          return commit
        case .invalidate(let parts, let commit):
          noteAge(question)
          store.invalidate(parts, before: commit)
          return commit
        case .forgetEverything(let commit):
          noteAge(question)
          store.forgetEverything(before: commit)
          return commit
        case .beginAgain: return nil
        case .readUncached: return 0
        }
      }
    }

    /// A save is committed.
    /// - Parameters:
    ///   - transaction: the save's own number.
    ///   - answer: nil where none has come.
    ///   - written: the rows that it has written or deleted.
    ///   - publish: puts the rows into the cache, but those that are outdated, as written by that commit; nil for a save
    ///     whose rows must not go there.
    func endSave<Result>(
      _ transaction: UInt64, _ answer: DeltaQuery.Answer?, to question: ManyWritersFreshness.Question,
      in store: ServerStore, written: @autoclosure () -> [ChangedRow],
      publish: ((commit: UInt64, outdated: OutdatedParts)?) -> Result
    ) -> Result {
      lock.withLock {
        if let answer { checkHistory(answer.state, since: question) }
        let decision = freshness.endSave(
          transaction, seeing: answer?.state, told: answer.map { told($0.changes, question) } ?? .unknown, to: question,
          nextCommit: store.nextCommit)
        switch decision {
        case .publish(let commit, let outdated):
          noteAge(question)
          let result = publish((commit, outdated))
          if !outdated.isEmpty { store.invalidate(outdated, before: commit) }
          return result
        case .forgetEverything(let commit):
          noteAge(question)
          store.forgetEverything(before: commit)
          return publish(nil)
        case .publishUncached:
          // Until the next transaction begins, contexts find there what the save has replaced, its own context among them.
          store.invalidate(OutdatedParts(written(), relations: relations), before: store.nextCommit())
          return publish(nil)
        }
      }
    }

    /// A state that does not include one that was there before the question has another history: that of a standby which
    /// was promoted, or of a server that has crashed and gives numbers of transactions once more that were not written yet.
    /// Nothing that was told then counts.
    private func checkHistory(_ state: ServerState, since question: ManyWritersFreshness.Question) {
      guard let since = question.since, !state.includes(since) else { return }
      freshness.changeServer()
      (digestedAt, lease) = (nil, nil)
    }

    // MARK: How long the server keeps changes

    /// The snapshot that the cache is of, for the server to keep what it does not see; nil where there is none. One that
    /// is too old for that is forgotten.
    func beginLease() -> ServerLease? {
      lock.withLock {
        guard case .snapshot(let snapshot)? = freshness.digested else { return nil }
        guard isKept(freshness.digested, digestedAt) else {
          freshness.changeServer()
          (digestedAt, lease) = (nil, nil)
          return nil
        }
        return ServerLease(snapshot: snapshot, begun: now())
      }
    }

    /// The server has written the snapshot down.
    /// - Parameter wasThere: whether it had an earlier one of this store's still.
    func endLease(_ new: ServerLease, wasThere: Bool) {
      lock.withLock {
        if lease != nil, !wasThere {
          // Meanwhile changes may have been deleted that the cache does not know.
          freshness.changeServer()
          (digestedAt, lease) = (nil, nil)
        } else {
          lease = new
        }
      }
    }

    /// What was told, if the server had all of it still.
    private func told(_ changes: ToldChanges, _ question: ManyWritersFreshness.Question) -> ToldChanges {
      question.since == nil || isKept(question.since, question.digestedAt) ? changes : .unknown
    }

    /// Whether until now the server has deleted no change that the state does not see.
    private func isKept(_ state: ServerState?, _ time: ContinuousClock.Instant?) -> Bool {
      let now = now()
      if let time, now - time < Upkeep.trust { return true }
      guard let lease, let state, now - lease.begun < Upkeep.lease else { return false }
      return state.includes(.snapshot(lease.snapshot))
    }

    /// The answer to a question has become what is digested, or is the same.
    private func noteAge(_ question: ManyWritersFreshness.Question) {
      guard let asked = question.askedAt else { return }
      digestedAt = digestedAt.map { max($0, asked) } ?? asked
    }
  }

  /// A snapshot that the server is to keep changes for.
  struct ServerLease: Sendable {
    let snapshot: TransactionSnapshot
    /// Before the server has noted it.
    let begun: ContinuousClock.Instant
  }

  extension ServerStore {
    /// From now on the cache takes nothing from before a commit; then what is outdated goes.
    func invalidate(_ parts: OutdatedParts, before commit: UInt64) {
      for (root, keys) in parts.rows {
        rows.invalidate(rootNumber: root, before: commit, all: false)
        rows.shard(root).remove(Array(keys))
      }
      for id in parts.relations { rows.relation(id).invalidate(nil, before: commit) }
    }

    /// Nothing of the cache is known to hold any more.
    func forgetEverything(before commit: UInt64) {
      for root in 0...model.entities.count { rows.invalidate(rootNumber: root, before: commit, all: true) }
      rows.invalidateRelations(before: commit)
    }
  }
#endif
