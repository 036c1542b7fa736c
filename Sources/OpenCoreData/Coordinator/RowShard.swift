import Foundation
import Synchronization

/// The cached rows of one root entity: open addressing on the primary key.
final class RowShard: @unchecked Sendable {  // everything belongs to `lock`
  private let lock = Mutex<Void>(())
  private let bound: ByteBound
  @exclusivity(unchecked) private var keys: UnsafeMutablePointer<Int64>
  @exclusivity(unchecked) private var rows: UnsafeMutablePointer<Snapshot?>
  @exclusivity(unchecked) private var recent: UnsafeMutablePointer<Bool>
  @exclusivity(unchecked) private var capacity = 64
  @exclusivity(unchecked) private var count = 0
  @exclusivity(unchecked) private var hand = 0
  @exclusivity(unchecked) private var bytes = 0
  @exclusivity(unchecked) private var ages = CacheAges()
  /// Rows read before this commit are not kept.
  @exclusivity(unchecked) private var floor: UInt64
  /// So many rows are put under the lock at a time: readers are not to wait for all rows of a large save.
  private static let portion = 2048

  init(bound: ByteBound, floor: UInt64 = 1) {
    self.bound = bound
    self.floor = floor
    keys = .allocate(capacity: 64)
    rows = .allocate(capacity: 64)
    recent = .allocate(capacity: 64)
    rows.initialize(repeating: nil, count: 64)
  }

  deinit {
    _ = bound.add(-bytes)
    rows.deinitialize(count: capacity)
    keys.deallocate()
    rows.deallocate()
    recent.deallocate()
  }

  /// The row of that key, unless it is newer than `commit`.
  @inline(__always)
  func get(_ key: Int64, at commit: UInt64) -> Snapshot? {
    lock.withLock { _ in
      let place = position(of: key)
      guard let row = rows[place], row.commit <= commit else { return nil }
      recent[place] = true
      return row
    }
  }

  /// Whether there are no rows at all.
  var isEmpty: Bool { lock.withLock { _ in count == 0 } }

  /// Whether a row of that key is there.
  func contains(_ key: Int64) -> Bool { lock.withLock { _ in rows[position(of: key)] != nil } }

  /// Keeps rows, but none in place of a newer one, and none from before the last invalidation.
  /// - Returns: whether they were recent enough to be kept.
  @discardableResult
  func put(_ new: ContiguousArray<Snapshot>) -> Bool {
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
      lock.withLock { _ in sweep(atLeast: max(bytes / 8, 1)) }
      bound.swept()
    }
    return isRecent
  }

  private func put(
    _ new: ContiguousArray<Snapshot>.SubSequence, of total: Int
  ) -> (isFull: Bool, isRecent: Bool) {
    lock.withLock { _ in
      // Some of them may be there already: no more room than for them all, or for what is there.
      let needed = KeyHash.capacity(max(total, count))
      if needed > capacity { grow(to: max(needed, capacity + capacity / 2)) }
      var added = 0
      let moment = ages.areNoted ? CacheAges.now() : 0
      for row in new where row.commit >= floor {
        if (count + 1) * 10 > capacity * 7 { grow(to: capacity + capacity / 2) }
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
        keys[place] = key
        rows[place] = row
        recent[place] = true
        added += row.byteCost
      }
      bytes += added
      return (bound.add(added), new.first.map { $0.commit >= floor } ?? true)
    }
  }

  func remove(_ gone: [Int64]) {
    lock.withLock { _ in for key in gone { remove(at: position(of: key)) } }
  }

  /// Forgets a row if it is older than that many seconds.
  func forget(_ key: Int64, olderThan interval: TimeInterval) {
    lock.withLock { _ in
      let place = position(of: key)
      if rows[place] != nil, ages.isOld(key, interval) { remove(at: place) }
    }
  }

  func invalidate(before commit: UInt64, all: Bool) {
    lock.withLock { _ in
      floor = max(floor, commit)
      if all { removeEverything() }
    }
  }

  func removeAll() { lock.withLock { _ in removeEverything() } }

  // MARK: Called under the lock

  @inline(__always)
  private func position(of key: Int64) -> Int {
    var place = home(key)
    while rows[place] != nil, keys[place] != key { place = KeyHash.next(place, capacity) }
    return place
  }

  @inline(__always)
  private func home(_ key: Int64) -> Int { KeyHash.place(key, capacity) }

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
      if KeyHash.distance(home(keys[next]), next, capacity) >= KeyHash.distance(hole, next, capacity) {
        keys[hole] = keys[next]
        recent[hole] = recent[next]
        swap(&rows[hole], &rows[next])
        hole = next
      }
      next = KeyHash.next(next, capacity)
    }
  }

  /// Lets rows go that no object points to and nobody asked for since the hand last passed.
  private func sweep(atLeast wanted: Int) {
    let goal = bytes - wanted
    var steps = capacity * 2
    while bytes > goal, steps > 0, count > 0 {
      steps -= 1
      hand = KeyHash.next(hand, capacity)
      guard rows[hand] != nil else { continue }
      if recent[hand] {
        recent[hand] = false
      } else if isKnownUniquelyReferenced(&rows[hand]) {
        remove(at: hand)
      }
    }
  }

  private func grow(to size: Int) {
    let oldKeys = keys, oldRows = rows, oldRecent = recent, oldCapacity = capacity
    capacity = size
    keys = .allocate(capacity: capacity)
    rows = .allocate(capacity: capacity)
    recent = .allocate(capacity: capacity)
    rows.initialize(repeating: nil, count: capacity)
    for old in 0..<oldCapacity where oldRows[old] != nil {
      let place = position(of: oldKeys[old])
      keys[place] = oldKeys[old]
      recent[place] = oldRecent[old]
      swap(&rows[place], &oldRows[old])
    }
    oldRows.deinitialize(count: oldCapacity)
    oldKeys.deallocate()
    oldRows.deallocate()
    oldRecent.deallocate()
  }
}
