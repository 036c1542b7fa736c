#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Tracks which state the row cache of a store in a server has, and removes what is outdated: `ManyWritersFreshness`
  /// decides, and this class carries out the decisions under its lock.
  final class ServerFreshness: @unchecked Sendable {  // everything belongs to `lock`
    private let lock = NSLock()
    private var freshness: ManyWritersFreshness
    /// A time at which the digested state was still current.
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

    /// Returns, for each root entity, the relationships whose members may change with a row of the entity: the
    /// relationships of its hierarchy, and those that lead to it.
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

    /// Notes that the next answers may come from another server.
    func changeServer() {
      lock.withLock {
        freshness.changeServer()
        (digestedAt, lease) = (nil, nil)
      }
    }

    /// Handles the answer to a read transaction's question.
    /// - Returns: the commit at which the transaction reads; 0 if the transaction must not use the cache; nil if the
    ///   transaction is to begin again.
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

    /// Handles the commit of a save.
    /// - Parameters:
    ///   - transaction: the save's own number.
    ///   - answer: nil if no answer has come.
    ///   - written: the rows that the save has written or deleted.
    ///   - publish: puts the rows that are not outdated into the cache, as written by this commit; called with nil if
    ///     the save's rows must not enter the cache.
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
          // Until the next transaction begins, contexts, including the one that saves, would still find the replaced
          // rows in the cache.
          store.invalidate(OutdatedParts(written(), relations: relations), before: store.nextCommit())
          return publish(nil)
        }
      }
    }

    /// Checks whether a state includes the one that was digested before the question. If it does not, it has another
    /// history: that of a standby which was promoted, or of a server that has crashed and gives transaction numbers
    /// again that were not yet on disk. Then the cache counts as unknown.
    private func checkHistory(_ state: ServerState, since question: ManyWritersFreshness.Question) {
      guard let since = question.since, !state.includes(since) else { return }
      freshness.changeServer()
      (digestedAt, lease) = (nil, nil)
    }

    // MARK: How long the server keeps changes

    /// Returns the snapshot of the cache, so that the server keeps the changes which the snapshot does not see; nil if
    /// there is none. If the snapshot is too old for that, the cache counts as unknown.
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

    /// Notes that the server has stored the snapshot.
    /// - Parameter wasThere: whether the server still had an earlier snapshot of this store.
    func endLease(_ new: ServerLease, wasThere: Bool) {
      lock.withLock {
        if lease != nil, !wasThere {
          // The server may have deleted changes in the meantime that the cache does not know.
          freshness.changeServer()
          (digestedAt, lease) = (nil, nil)
        } else {
          lease = new
        }
      }
    }

    /// Returns the changes of an answer if the server still had all of them; otherwise they count as unknown.
    private func told(_ changes: ToldChanges, _ question: ManyWritersFreshness.Question) -> ToldChanges {
      question.since == nil || isKept(question.since, question.digestedAt) ? changes : .unknown
    }

    /// Whether the server still has all changes that the state does not see.
    private func isKept(_ state: ServerState?, _ time: ContinuousClock.Instant?) -> Bool {
      let now = now()
      if let time, now - time < Upkeep.trust { return true }
      guard let lease, let state, now - lease.begun < Upkeep.lease else { return false }
      return state.includes(.snapshot(lease.snapshot))
    }

    /// Notes that the answer to a question is the digested state now.
    private func noteAge(_ question: ManyWritersFreshness.Question) {
      guard let asked = question.askedAt else { return }
      digestedAt = digestedAt.map { max($0, asked) } ?? asked
    }
  }

  /// A snapshot for which the server keeps changes.
  struct ServerLease: Sendable {
    let snapshot: TransactionSnapshot
    /// A time before the server has stored the snapshot.
    let begun: ContinuousClock.Instant
  }

  extension ServerStore {
    /// Makes the cache refuse rows and members from before a commit where some are outdated; then removes the outdated
    /// ones.
    func invalidate(_ parts: OutdatedParts, before commit: UInt64) {
      for (root, keys) in parts.rows {
        rows.invalidate(rootNumber: root, before: commit, all: false)
        rows.shard(root).remove(Array(keys))
      }
      for id in parts.relations { rows.relation(id).invalidate(nil, before: commit) }
    }

    /// Declares the whole content of the cache outdated.
    func forgetEverything(before commit: UInt64) {
      for root in 0...model.entities.count { rows.invalidate(rootNumber: root, before: commit, all: true) }
      rows.invalidateRelations(before: commit)
    }
  }
#endif
