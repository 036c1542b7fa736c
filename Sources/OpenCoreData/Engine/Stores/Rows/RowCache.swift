import Foundation
import Synchronization

/// The rows that a store has read, shared by every context of its coordinator.
///
/// The cache is bounded by bytes. Rows that an object points to stay; of the others, the least recently used are removed (by
/// a sweep that gives each row a second chance). Every snapshot has the commit that it was read at: a put never replaces a
/// newer snapshot, and a reader pinned to an older commit never gets a newer one. No SQL and no user code runs under locks.
@_spi(Store) public final class RowCache: Sendable {
  private let shards: [RowShard]
  private let bound: ByteBound
  private let relations: Mutex<(shards: [RelationID: RelationShard], floor: UInt64)>
  /// The number of bytes, over all shards, above which rows without objects are removed.
  package let byteLimit: Int

  /// The limit of a store's cache: some 60,000 small rows. A walk over very many objects that releases them on the way adds
  /// that much to a program's memory.
  package static let standardByteLimit = 16 << 20

  /// - Parameter floor: the first commit whose rows are kept. Rows that were read at an unknown moment have the commit 0:
  ///   readers of different moments must not share them.
  package init(entityCount: Int, byteLimit: Int = RowCache.standardByteLimit, floor: UInt64 = 1) {
    self.byteLimit = byteLimit
    relations = Mutex(([:], floor))
    let bound = ByteBound(limit: byteLimit)
    self.bound = bound
    shards = (0...entityCount).map { _ in RowShard(bound: bound, floor: floor) }
  }

  /// The number of rows, and their bytes.
  package var rowCount: Int { shards.reduce(0) { $0 + $1.rowCount } }
  package var usedBytes: Int { bound.usedBytes }

  /// Returns the shard for a root entity's number.
  package func shard(_ rootNumber: Int) -> RowShard { shards[rootNumber] }

  /// Returns the shard for a to-many relationship; makes it if there is none.
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

  /// Forgets the members of every to-many relationship, and refuses members that were read before `commit`, also for
  /// relationships that are read for the first time later.
  package func invalidateRelations(before commit: UInt64) {
    let shards = relations.withLock { relations in
      relations.floor = max(relations.floor, commit)
      return Array(relations.shards.values)
    }
    for shard in shards { shard.invalidate(nil, before: commit) }
  }

  /// Refuses from now on rows of a root entity that were read before `commit`; if `all` is true, also removes all its rows.
  package func invalidate(rootNumber: Int, before commit: UInt64, all: Bool) {
    shards[rootNumber].invalidate(before: commit, all: all)
  }
}

/// Identifies a to-many relationship in the cache.
package struct RelationID: Hashable {
  package let entityNumber: Int
  package let name: String
}

/// The bytes in use by all shards of a cache.
package final class ByteBound: RowHolder, Sendable {
  package let limit: Int
  private let used = Atomic<Int>(0)
  /// The number of bytes at which the next sweep is due. It is above the limit if the last sweep left rows that objects point
  /// to: checking these again for every new row would cost more than everything else.
  private let due: Atomic<Int>

  package init(limit: Int) {
    self.limit = limit
    due = Atomic(limit)
    MemoryCensus.add(self)
  }

  deinit { MemoryCensus.remove(self) }

  /// The bytes in use now.
  package var usedBytes: Int { used.load(ordering: .relaxed) }

  /// The number of bytes to remove so that an eighth of the limit is free.
  package var excess: Int { used.load(ordering: .relaxed) - limit + limit / 8 }

  /// Adds to the bytes in use; true if rows must be removed now.
  package func add(_ bytes: Int) -> Bool {
    let total = used.wrappingAdd(bytes, ordering: .relaxed).newValue
    if bytes < 0, total < limit { due.store(limit, ordering: .relaxed) }
    return total > due.load(ordering: .relaxed)
  }

  /// Called after a sweep. If more bytes than the limit are left, because objects point to the rows, the next sweep is due
  /// when the cache has grown by a quarter.
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

  /// Returns the members' keys of that owner, unless they are newer than `commit`.
  package func get(_ owner: Int64, at commit: UInt64) -> KeyArray? {
    state.withLock { state in state.keys[owner].flatMap { $0.commit <= commit ? $0 : nil } }
  }

  /// Keeps members' keys, unless newer ones are there, or the keys are from before the last invalidation.
  /// - Returns: whether the keys were recent enough to be kept.
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

  /// Keeps members' keys that were read at one commit, unless newer ones are there, or the keys are from before the last
  /// invalidation.
  /// - Returns: whether the keys were recent enough to be kept.
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

  /// Forgets the members of that owner if they were read more than that many seconds ago.
  package func forget(_ owner: Int64, olderThan interval: TimeInterval) {
    state.withLock { state in
      if state.keys[owner] != nil, ages.withLock({ $0.isOld(owner, interval) }) { state.keys[owner] = nil }
    }
  }

  /// Forgets the members of `owners`, or of all owners if it is nil, and refuses keys that were read before `commit`.
  package func invalidate(_ owners: [Int64]?, before commit: UInt64) {
    state.withLock { state in
      state.floor = max(state.floor, commit)
      if let owners { for owner in owners { state.keys[owner] = nil } } else { state.keys = [:] }
    }
  }

  /// Forgets the lists that have one of `members`, and refuses keys that were read before `commit`.
  ///
  /// This looks at the lists of all owners in the cache; each costs a binary search for each of a few members.
  package func invalidate(having members: Set<Int64>, before commit: UInt64) {
    state.withLock { state in
      state.floor = max(state.floor, commit)
      for (owner, keys) in state.keys where keys.containsAny(of: members) { state.keys[owner] = nil }
    }
  }

  package func removeAll() { state.withLock { $0.keys = [:] } }
}
