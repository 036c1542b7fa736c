/// The primary keys of a to-many relationship's members as the store had them at one commit: in their order where the
/// relationship is ordered, ascending otherwise.
///
/// Immutable and shared: by the row cache, by the owner in every context and by the faults that came from it.
@_spi(Store) public final class KeyArray: Sendable {
  package let keys: ContiguousArray<Int64>
  /// The Z_ENT of each member where the destination has subentities; empty otherwise.
  package let entities: ContiguousArray<Int32>
  /// The coordinator's commit that the keys were read at.
  package let commit: UInt64
  /// The keys, ascending; this is the same array as `keys` if that ascends.
  private let sorted: ContiguousArray<Int64>

  package static let empty = KeyArray(ascending: [], entities: [], commit: 0)

  package init(ascending keys: ContiguousArray<Int64>, entities: ContiguousArray<Int32> = [], commit: UInt64) {
    self.keys = keys
    self.entities = entities
    self.commit = commit
    sorted = keys
  }

  /// - Parameter isOrdered: whether the keys stand in an order of their own; otherwise they ascend.
  package init(
    _ keys: ContiguousArray<Int64>, isOrdered: Bool, entities: ContiguousArray<Int32> = [], commit: UInt64
  ) {
    self.keys = keys
    self.entities = entities
    self.commit = commit
    let isAscending = !isOrdered || zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
    sorted = isAscending ? keys : ContiguousArray(keys.sorted())
  }

  /// - Parameter sorted: the same keys, ascending.
  private init(
    _ keys: ContiguousArray<Int64>, sorted: ContiguousArray<Int64>, entities: ContiguousArray<Int32>, commit: UInt64
  ) {
    self.keys = keys
    self.sorted = sorted
    self.entities = entities
    self.commit = commit
  }

  /// Whether some members have no permanent key yet, as in child contexts.
  package var hasTemporaryKeys: Bool { (sorted.first ?? 0) < 0 }

  /// Whether `key` is a member; binary search.
  package func contains(_ key: Int64) -> Bool {
    let place = Self.place(of: key, in: sorted)
    return place < sorted.count && sorted[place] == key
  }

  /// Whether one of `others` is a member.
  package func containsAny(of others: Set<Int64>) -> Bool {
    others.count < keys.count / 8 || others.count < 4
      ? others.contains(where: contains) : keys.contains(where: others.contains)
  }

  /// The keys of an ordered relationship after a few changes, each of which costs little more than moving what follows.
  /// - Parameters:
  ///   - gone: the keys that leave; keys that are not members are passed over.
  ///   - new: what comes instead, by its position in the result, ascending.
  /// - Returns: nil if a position is beyond the end.
  package func changed(
    removing gone: [Int64], inserting new: [(index: Int, key: Int64, entity: Int32)], at commit: UInt64
  ) -> KeyArray? {
    var keys = keys, entities = entities, sorted = sorted
    keys.reserveCapacity(keys.count + new.count)
    sorted.reserveCapacity(sorted.count + new.count)
    for key in gone {
      guard let index = keys.firstIndex(of: key) else { continue }
      keys.remove(at: index)
      if !entities.isEmpty { entities.remove(at: index) }
      sorted.remove(at: Self.place(of: key, in: sorted))
    }
    let hasEntities = !entities.isEmpty || keys.isEmpty && new.contains { $0.entity != 0 }
    for (index, key, entity) in new {
      guard index <= keys.count else { return nil }
      keys.insert(key, at: index)
      if hasEntities { entities.insert(entity, at: index) }
      sorted.insert(key, at: Self.place(of: key, in: sorted))
    }
    return KeyArray(keys, sorted: keys == sorted ? keys : sorted, entities: entities, commit: commit)
  }

  /// The place of the first key that is not below `key`.
  private static func place(of key: Int64, in sorted: ContiguousArray<Int64>) -> Int {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) >> 1
      if sorted[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The keys after a save that added and removed members of an unordered relationship.
  package func merged(
    adding new: Set<NSManagedObject>, removing gone: Set<Int64>, _ commit: UInt64, _ number: ((NSManagedObject) -> Int)?
  ) -> KeyArray {
    guard let number else {
      var merged = gone.isEmpty ? keys : keys.filter { !gone.contains($0) }
      merged.append(contentsOf: new.lazy.map(\.key).filter { !self.contains($0) })
      merged.sort()
      return KeyArray(ascending: merged, commit: commit)
    }
    var merged = zip(keys, entities).filter { !gone.contains($0.0) }
    merged += new.lazy.filter { !self.contains($0.key) }.map { ($0.key, Int32(truncatingIfNeeded: number($0))) }
    merged.sort { $0.0 < $1.0 }
    return KeyArray(
      ascending: ContiguousArray(merged.map(\.0)), entities: ContiguousArray(merged.map(\.1)), commit: commit)
  }
}
