import Foundation
import Synchronization

/// The cached rows of one root entity: open addressing on the primary key.
package final class RowShard: @unchecked Sendable {  // `lock` guards everything
  private let lock = Mutex<Void>(())
  private let bound: ByteBound
  /// The tag of each row's key, with the bit `recent`; the key is in the row.
  @exclusivity(unchecked) private var tags: UnsafeMutablePointer<UInt32>
  @exclusivity(unchecked) private var rows: UnsafeMutablePointer<Snapshot?>
  @exclusivity(unchecked) private var capacity = 64
  @exclusivity(unchecked) private var count = 0
  @exclusivity(unchecked) private var hand = 0
  @exclusivity(unchecked) private var bytes = 0
  @exclusivity(unchecked) private var ages = CacheAges()
  /// Rows read before this commit are not kept.
  @exclusivity(unchecked) private var floor: UInt64
  /// The number of rows that are put under the lock at a time, so that readers need not wait for all rows of a large save.
  private static let portion = 2048

  /// The bit in the tag of a row that was read or put since the sweep's hand last passed it.
  private static let recent: UInt32 = 1 << 31

  package init(bound: ByteBound, floor: UInt64 = 1) {
    self.bound = bound
    self.floor = floor
    tags = .allocate(capacity: 64)
    rows = .allocate(capacity: 64)
    rows.initialize(repeating: nil, count: 64)
  }

  deinit {
    _ = bound.add(-bytes)
    rows.deinitialize(count: capacity)
    tags.deallocate()
    rows.deallocate()
  }

  /// Returns the row of that key, unless it is newer than `commit`.
  @inline(__always)
  package func get(_ key: Int64, at commit: UInt64) -> Snapshot? {
    lock.withLock { _ in
      let place = position(of: key)
      guard let row = rows[place], row.commit <= commit else { return nil }
      tags[place] |= Self.recent
      return row
    }
  }

  /// Whether there are no rows at all.
  package var isEmpty: Bool { lock.withLock { _ in count == 0 } }

  /// How many rows there are.
  package var rowCount: Int { lock.withLock { _ in count } }

  /// Returns whether there is a row of that key.
  package func contains(_ key: Int64) -> Bool { lock.withLock { _ in rows[position(of: key)] != nil } }

  /// Keeps rows, but none in place of a newer one, and none that was read before the last invalidation.
  /// - Returns: whether the rows were recent enough to be kept.
  @discardableResult
  package func put(_ new: ContiguousArray<Snapshot>) -> Bool {
    var isFull = false, isRecent = true
    var start = 0
    while start < new.count {
      let end = min(start + Self.portion, new.count)
      let portion = put(new[start..<end], of: new.count)
      isFull = isFull || portion.isFull
      if start == 0 { isRecent = portion.isRecent }
      start = end
    }
    if isFull {
      // A sweep ends below the limit, because the limit would otherwise grow with a program that reads much at a time. It
      // removes at most half of the shard's bytes, because the excess may be rows of other entities.
      lock.withLock { _ in sweep(atLeast: max(bytes / 8, min(bytes / 2, bound.excess), 1)) }
      bound.swept()
    }
    return isRecent
  }

  private func put(
    _ new: ContiguousArray<Snapshot>.SubSequence, of total: Int
  ) -> (isFull: Bool, isRecent: Bool) {
    lock.withLock { _ in
      // Some of the rows may be there already, so the capacity is for the greater of both numbers and not for their sum.
      let needed = KeyHash.capacity(max(total, count))
      if needed > capacity { grow(to: max(needed, capacity + capacity / 2)) }
      var added = 0
      let moment = ages.areNoted ? CacheAges.now() : 0
      for row in new where row.commit >= floor {
        if KeyHash.isFull(count + 1, capacity) { grow(to: capacity + capacity / 2) }
        let key = row.primaryKey
        let place = position(of: key)
        if let known = rows[place] {
          guard known.commit <= row.commit else { continue }
          if moment != 0 { ages.note(key, at: moment) }
          if known === row { continue }
          added -= known.byteCost
        } else {
          if moment != 0 { ages.note(key, at: moment) }
          count += 1
        }
        tags[place] = KeyHash.tag(key) | Self.recent
        rows[place] = row
        added += row.byteCost
      }
      bytes += added
      return (bound.add(added), new.first.map { $0.commit >= floor } ?? true)
    }
  }

  package func remove(_ gone: [Int64]) {
    lock.withLock { _ in for key in gone { remove(at: position(of: key)) } }
  }

  /// Forgets a row if it is older than that many seconds.
  package func forget(_ key: Int64, olderThan interval: TimeInterval) {
    lock.withLock { _ in
      let place = position(of: key)
      if rows[place] != nil, ages.isOld(key, interval) { remove(at: place) }
    }
  }

  package func invalidate(before commit: UInt64, all: Bool) {
    lock.withLock { _ in
      floor = max(floor, commit)
      if all { removeEverything() }
    }
  }

  package func removeAll() { lock.withLock { _ in removeEverything() } }

  // MARK: Called under the lock

  @inline(__always)
  private func position(of key: Int64) -> Int {
    let tag = KeyHash.tag(key)
    var place = KeyHash.place(tag: tag, capacity)
    while rows[place] != nil {
      if tags[place] & ~Self.recent == tag, hasRow(of: key, at: place) { break }
      place = KeyHash.next(place, capacity)
    }
    return place
  }

  /// Compares keys without retaining the row.
  @inline(__always)
  private func hasRow(of key: Int64, at place: Int) -> Bool {
    UnsafeRawPointer(rows + place).load(as: Unmanaged<Snapshot>.self)._withUnsafeGuaranteedRef { $0.primaryKey == key }
  }

  /// The place at which the search for the row at `place` begins.
  @inline(__always)
  private func home(_ place: Int) -> Int { KeyHash.place(tag: tags[place] & ~Self.recent, capacity) }

  private func removeEverything() {
    for place in 0..<capacity { rows[place] = nil }
    if ages.areNoted { ages.removeAll() }
    _ = bound.add(-bytes)
    bytes = 0
    count = 0
  }

  private func remove(at place: Int) {
    guard let row = rows[place] else { return }
    if ages.areNoted { ages.remove(row.primaryKey) }
    bytes -= row.byteCost
    _ = bound.add(-row.byteCost)
    rows[place] = nil
    count -= 1
    var hole = place
    var next = KeyHash.next(hole, capacity)
    while rows[next] != nil {
      if KeyHash.distance(home(next), next, capacity) >= KeyHash.distance(hole, next, capacity) {
        tags[hole] = tags[next]
        swap(&rows[hole], &rows[next])
        hole = next
      }
      next = KeyHash.next(next, capacity)
    }
  }

  /// Releases rows that no object points to and that were not read since the clock's hand last passed them.
  private func sweep(atLeast wanted: Int) {
    let goal = bytes - wanted
    var steps = capacity * 2
    while bytes > goal, steps > 0, count > 0 {
      steps -= 1
      hand = KeyHash.next(hand, capacity)
      guard rows[hand] != nil else { continue }
      if tags[hand] & Self.recent != 0 {
        tags[hand] &= ~Self.recent
      } else if isKnownUniquelyReferenced(&rows[hand]) {
        remove(at: hand)
      }
    }
  }

  private func grow(to size: Int) {
    let oldTags = tags, oldRows = rows, oldCapacity = capacity
    capacity = size
    tags = .allocate(capacity: capacity)
    rows = .allocate(capacity: capacity)
    rows.initialize(repeating: nil, count: capacity)
    for old in 0..<oldCapacity where oldRows[old] != nil {
      var place = KeyHash.place(tag: oldTags[old] & ~Self.recent, capacity)
      while rows[place] != nil { place = KeyHash.next(place, capacity) }
      tags[place] = oldTags[old]
      swap(&rows[place], &oldRows[old])
    }
    oldRows.deinitialize(count: oldCapacity)
    oldTags.deallocate()
    oldRows.deallocate()
  }
}
