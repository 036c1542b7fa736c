#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// What the row cache of a store in a server knows, and what has to go from it: `ManyWritersFreshness` decides, and
  /// here is done what it says, under its lock.
  final class ServerFreshness: @unchecked Sendable {  // everything belongs to `lock`
    private let lock = NSLock()
    private var freshness: ManyWritersFreshness

    init(_ model: NSManagedObjectModel, relationID: (EntityLayout, PropertySlot) -> RelationID) {
      freshness = ManyWritersFreshness(relations: Self.relations(model, relationID))
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

    func ask() -> ManyWritersFreshness.Question { lock.withLock { freshness.ask() } }

    /// The next answers may come from another server.
    func changeServer() { lock.withLock { freshness.changeServer() } }

    /// A read transaction has its answer.
    /// - Returns: the commit that it reads at, 0 where nothing of the cache is of its moment; nil where it is to begin
    ///   again.
    func begin(
      _ answer: DeltaQuery.Answer, to question: ManyWritersFreshness.Question, attemptsLeft: Int, in store: ServerStore
    ) -> UInt64? {
      lock.withLock {
        let decision = freshness.begin(
          seeing: answer.state, told: answer.changes, to: question, attemptsLeft: attemptsLeft,
          latest: store.latestCommit, nextCommit: store.nextCommit)
        switch decision {
        case .readAt(let commit): return commit
        case .invalidate(let parts, let commit):
          store.invalidate(parts, before: commit)
          return commit
        case .forgetEverything(let commit):
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
    ///   - publish: puts the rows into the cache, but those that are outdated, as written by that commit; nil for a save
    ///     whose rows must not go there.
    func endSave<Result>(
      _ transaction: UInt64, _ answer: DeltaQuery.Answer?, to question: ManyWritersFreshness.Question,
      in store: ServerStore, publish: ((commit: UInt64, outdated: OutdatedParts)?) -> Result
    ) -> Result {
      lock.withLock {
        let decision = freshness.endSave(
          transaction, seeing: answer?.state, told: answer?.changes ?? .unknown, to: question,
          nextCommit: store.nextCommit)
        switch decision {
        case .publish(let commit, let outdated):
          let result = publish((commit, outdated))
          if !outdated.isEmpty { store.invalidate(outdated, before: commit) }
          return result
        case .forgetEverything(let commit):
          store.forgetEverything(before: commit)
          return publish(nil)
        case .publishUncached: return publish(nil)
        }
      }
    }
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
