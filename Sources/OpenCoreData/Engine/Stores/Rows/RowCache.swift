import Foundation
import Synchronization

/// The rows that a store has read, shared by every context of its coordinator.
///
/// Bounded by bytes: rows that an object points to stay, the rest leaves by least recent use (a sweep that gives each row
/// a second chance). Every snapshot carries the commit it was read at: a put never replaces a newer one, and a reader
/// pinned to an older commit never takes a newer one. No SQL and no user code runs under the locks.
@_spi(Store) public final class RowCache: Sendable {
  private let shards: [RowShard]
  private let relations: Mutex<(shards: [RelationID: RelationShard], floor: UInt64)>
  /// The number of bytes, over all shards, that rows without objects may take.
  package let byteLimit: Int

  /// The limit of a store's cache: about 60,000 small rows. A program that reads very many objects and releases them as it
  /// goes needs this much more memory.
  package static let standardByteLimit = 16 << 20

  /// - Parameter floor: the first commit whose rows are kept. Rows that were read at an unknown moment are dated 0, and must
  ///   not be shared by readers of different moments.
  package init(entityCount: Int, byteLimit: Int = RowCache.standardByteLimit, floor: UInt64 = 1) {
    self.byteLimit = byteLimit
    relations = Mutex(([:], floor))
    let bound = ByteBound(limit: byteLimit)
    shards = (0...entityCount).map { _ in RowShard(bound: bound, floor: floor) }
  }

  /// The shard for a root entity's number.
  package func shard(_ rootNumber: Int) -> RowShard { shards[rootNumber] }

  /// The shard for a to-many relationship, by the number of its owner's root entity and its name.
  package func relation(_ id: RelationID) -> RelationShard {
    relations.withLock { relations in
      if let shard = relations.shards[id] { return shard }
      let shard = RelationShard(floor: relations.floor)
      relations.shards[id] = shard
      return shard
    }
  }

  /// Forgets every row and relationship.
  package func removeAll() {
    for shard in shards { shard.removeAll() }
    for shard in relations.withLock({ Array($0.shards.values) }) { shard.removeAll() }
  }

  /// Forgets the members of every to-many relationship, and refuses members that were read before `commit`. That holds
  /// for relationships, too, that are read for the first time later.
  package func invalidateRelations(before commit: UInt64) {
    let shards = relations.withLock { relations in
      relations.floor = max(relations.floor, commit)
      return Array(relations.shards.values)
    }
    for shard in shards { shard.invalidate(nil, before: commit) }
  }

  /// Refuses rows from now on that were read before `commit`, because some rows of these entities have changed there.
  package func invalidate(rootNumber: Int, before commit: UInt64, all: Bool) {
    shards[rootNumber].invalidate(before: commit, all: all)
  }
}

/// Names a to-many relationship in the cache.
package struct RelationID: Hashable {
  package let entityNumber: Int
  package let name: String
}

/// The bytes in use by all shards of a cache.
package final class ByteBound: RowHolder, Sendable {
  package let limit: Int
  private let used = Atomic<Int>(0)
  /// When the next sweep is due. This is above the limit if the last sweep has left many rows that objects use: looking at
  /// those again for each new row would take longer than everything else.
  private let due: Atomic<Int>

  package init(limit: Int) {
    self.limit = limit
    due = Atomic(limit)
    MemoryCensus.add(self)
  }

  deinit { MemoryCensus.remove(self) }

  /// The bytes in use now.
  package var usedBytes: Int { used.load(ordering: .relaxed) }

  /// The number of bytes to drop so that an eighth of the limit is free.
  package var excess: Int { used.load(ordering: .relaxed) - limit + limit / 8 }

  /// Adds to the bytes in use; true when it is time to let rows go.
  package func add(_ bytes: Int) -> Bool {
    let total = used.wrappingAdd(bytes, ordering: .relaxed).newValue
    if bytes < 0, total < limit { due.store(limit, ordering: .relaxed) }
    return total > due.load(ordering: .relaxed)
  }

  /// Called after a sweep. If it has left more than the limit, because objects use the rows, the next sweep is due when the
  /// cache has grown by a quarter.
  package func swept() {
    let left = used.load(ordering: .relaxed)
    due.store(left < limit ? limit : left + left / 4, ordering: .relaxed)
  }
}

/// The key arrays of one to-many relationship, by owner.
package final class RelationShard: Sendable {
  private let state: Mutex<(keys: [Int64: KeyArray], floor: UInt64)>
  private let ages = Mutex(CacheAges())

  package init(floor: UInt64 = 1) { state = Mutex(([:], floor)) }

  /// The members' keys of that owner, unless they are newer than `commit`.
  package func get(_ owner: Int64, at commit: UInt64) -> KeyArray? {
    state.withLock { state in state.keys[owner].flatMap { $0.commit <= commit ? $0 : nil } }
  }

  /// Keeps members' keys, but none in place of newer ones, and none from before the last invalidation.
  /// - Returns: whether they were recent enough to be kept.
  @discardableResult
  package func put(_ keys: KeyArray, owner: Int64) -> Bool {
    state.withLock { state in
      guard keys.commit >= state.floor else { return false }
      if let known = state.keys[owner], known.commit > keys.commit { return true }
      state.keys[owner] = keys
      noteAges(CollectionOfOne(owner))
      return true
    }
  }

  /// Keeps members' keys that were read at one commit, but none in place of newer ones, and none from before the last
  /// invalidation.
  /// - Returns: whether they were recent enough to be kept.
  @discardableResult
  package func put(_ entries: [(owner: Int64, keys: KeyArray)]) -> Bool {
    state.withLock { state in
      if entries.count > 1 { state.keys.reserveCapacity(state.keys.count + entries.count) }
      for (owner, keys) in entries where keys.commit >= state.floor {
        if let known = state.keys[owner], known.commit > keys.commit { continue }
        state.keys[owner] = keys
      }
      noteAges(entries.lazy.map(\.owner))
      return entries.first.map { $0.keys.commit >= state.floor } ?? true
    }
  }

  private func noteAges(_ owners: some Sequence<Int64>) {
    ages.withLock { ages in
      guard ages.areNoted else { return }
      let moment = CacheAges.now()
      for owner in owners { ages.note(owner, at: moment) }
    }
  }

  /// Drops the members of that owner if they were read more than that many seconds ago.
  package func forget(_ owner: Int64, olderThan interval: TimeInterval) {
    state.withLock { state in
      if state.keys[owner] != nil, ages.withLock({ $0.isOld(owner, interval) }) { state.keys[owner] = nil }
    }
  }

  /// Forgets the members of `owners`, or of everybody, and takes no older ones any more.
  package func invalidate(_ owners: [Int64]?, before commit: UInt64) {
    state.withLock { state in
      state.floor = max(state.floor, commit)
      if let owners { for owner in owners { state.keys[owner] = nil } } else { state.keys = [:] }
    }
  }

  package func removeAll() { state.withLock { $0.keys = [:] } }
}
