import Foundation

// The part of a to-many relationship's state that concerns the order of its members.
extension ToManyState {
  /// All members in their order, if that is known without reading the store.
  var whole: ContiguousArray<NSManagedObject>? {
    if let members { return members }
    members = order?.takeWhole()
    return members
  }

  /// Members that come after the stored ones; for a state that is not arranged, or not known as a whole.
  var appended: ContiguousArray<NSManagedObject> {
    guard let whole else {
      order?.compact()
      return order?.list ?? []
    }
    return ContiguousArray(whole.reversed().prefix(while: added.contains).reversed())
  }

  /// Changes the order of the members, which are known.
  /// - Parameter placed: where members are put, if the others keep their order; else nil.
  func arrange(
    placing placed: [(object: NSManagedObject, index: Int)]? = nil,
    _ change: (inout ContiguousArray<NSManagedObject>) -> Void
  ) {
    guard let order, var members = whole else { return }
    // The array is moved out of `self` meanwhile, so that changing it does not copy it.
    self.members = nil
    change(&members)
    self.members = members
    dropSets()
    if let placed {
      for (object, index) in placed { order.arrangement.place(object, at: index) }
    } else {
      order.arrangement = .whole
    }
    order.generation += 1
  }

  func commitOrder(_ order: MemberOrder, _ commit: UInt64, _ number: ((NSManagedObject) -> Int)?) {
    if let keys {
      func isStored(_ object: NSManagedObject) -> Bool {
        (object.key > 0 || !object.isDetached) && (!object.state.contains(.deleted) || keys.contains(object.key))
      }
      let objects: ContiguousArray<NSManagedObject>
      if let whole, let changed = committedKeys(order, whole, keys, commit, number) {
        self.keys = changed
      } else if let whole {
        objects = whole.filter(isStored)
        self.keys = KeyArray(
          ContiguousArray(objects.map(\.key)), isOrdered: true,
          entities: number.map { number in ContiguousArray(objects.map { Int32(truncatingIfNeeded: number($0)) }) }
            ?? [],
          commit: commit)
      } else {
        let new = appended.filter(isStored)
        // Others may have added the same member: it is stored, and at the end now.
        let gone = Set(removed.lazy.map(\.key)).union(order.returned.lazy.map(\.key)).union(new.lazy.map(\.key))
        let places = keys.keys.indices.filter { !gone.contains(keys.keys[$0]) }
        var merged = ContiguousArray(places.map { keys.keys[$0] })
        merged.append(contentsOf: new.lazy.map(\.key))
        var entities: ContiguousArray<Int32> = []
        if let number {
          entities = ContiguousArray(places.map { keys.entities[$0] })
          entities.append(contentsOf: new.lazy.map { Int32(truncatingIfNeeded: number($0)) })
        }
        self.keys = KeyArray(merged, isOrdered: true, entities: entities, commit: commit)
      }
    }
    order.reset()
  }

  /// The stored keys with the placed, added and removed members, if these are few; nil if all members have to be looked at.
  private func committedKeys(
    _ order: MemberOrder, _ whole: ContiguousArray<NSManagedObject>, _ keys: KeyArray, _ commit: UInt64,
    _ number: ((NSManagedObject) -> Int)?
  ) -> KeyArray? {
    let runs: [Range<Int>]
    var gone = removed.map(\.key)
    switch order.arrangement {
    case .none:
      let count = appended.count
      runs = count > 0 ? [whole.count - count..<whole.count] : []
    case .placed:
      guard let placed = placedRuns(order, whole) else { return nil }
      runs = placed
    case .whole: return nil
    }
    if keys.hasTemporaryKeys { return nil }
    var new: [(index: Int, key: Int64, entity: Int32)] = []
    for index in runs.joined() {
      let object = whole[index]
      if object.key <= 0 || object.state.contains(.deleted) { return nil }
      if keys.contains(object.key) { gone.append(object.key) }
      new.append((index, object.key, number.map { Int32(truncatingIfNeeded: $0(object)) } ?? 0))
    }
    guard gone.count + new.count < 64 || gone.count + new.count < whole.count / 256 else { return nil }
    let changed = keys.changed(removing: gone, inserting: new, at: commit)
    return changed?.keys.count == whole.count ? changed : nil
  }

  /// Forgets the stored members, and keeps what was added, removed and arranged.
  /// - Returns: the members in the order that was made here; nil if no order was made here and the stored order counts.
  func forgetStored() -> ContiguousArray<NSManagedObject>? {
    let arrangement = order?.isArranged == true ? whole : nil
    if let order {
      let appended = whole?.filter(added.contains) ?? appended
      order.reset(keeping: appended)
      order.arrangement = arrangement != nil || !order.returned.isEmpty ? .whole : .none
      order.generation += 1
    }
    wasForgotten = true
    if let keys { former = keys }
    keys = nil
    members = nil
    dropSets()
    return arrangement
  }
}

// Members that need new sort keys.
extension ToManyState {
  /// The positions in `whole` of members that need new sort keys: those that were put at a position, and those at the end
  /// that were added. Nil if the whole order may be another one, or if so many members were placed that all may as well
  /// be looked at.
  func placedRuns(_ order: MemberOrder, _ whole: ContiguousArray<NSManagedObject>) -> [Range<Int>]? {
    guard case .placed(let places) = order.arrangement, places.count < 64 || places.count < whole.count / 16,
      var positions = Self.positions(of: places, in: whole)
    else { return nil }
    var end = whole.count
    while end > 0, added.contains(whole[end - 1]) || places[ObjectIdentifier(whole[end - 1])] != nil {
      end -= 1
      positions.append(end)
    }
    positions.sort()
    var runs: [Range<Int>] = []
    for position in positions {
      guard let last = runs.last, position <= last.upperBound else {
        runs.append(position..<position + 1)
        continue
      }
      if position == last.upperBound { runs[runs.count - 1] = last.lowerBound..<position + 1 }
    }
    return runs
  }

  private static func positions(
    of places: [ObjectIdentifier: Int], in whole: ContiguousArray<NSManagedObject>
  ) -> [Int]? {
    var positions: [Int] = []
    positions.reserveCapacity(places.count)
    if places.count < 64 {
      for (object, place) in places {
        guard let position = whole.position(of: object, near: place) else { return nil }
        positions.append(position)
      }
    } else {
      for position in whole.indices where places[ObjectIdentifier(whole[position])] != nil {
        positions.append(position)
      }
    }
    return positions.count == places.count ? positions : nil
  }
}
