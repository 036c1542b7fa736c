/// How the order of members differs from the stored one, without what was removed, followed by what was added.
enum Arrangement {
  /// Not at all.
  case none
  /// In the places of these members alone, each with the position at which it was put there, which may have moved since.
  case placed([ObjectIdentifier: Int])
  /// In any way.
  case whole

  /// Notes that a member was put at a position, and that the others have kept their order.
  mutating func place(_ object: NSManagedObject, at index: Int) {
    switch self {
    case .none: self = .placed([ObjectIdentifier(object): index])
    case .placed(var places):
      // Given away meanwhile, so that changing the table does not copy it.
      self = .none
      places[ObjectIdentifier(object)] = index
      self = .placed(places)
    case .whole: break
    }
  }

  /// Notes that an object is no member any more.
  mutating func forget(_ object: NSManagedObject) {
    guard case .placed(var places) = self, places[ObjectIdentifier(object)] != nil else { return }
    self = .none
    places[ObjectIdentifier(object)] = nil
    self = .placed(places)
  }
}

extension ToManyState {
  /// The positions in `whole` of members that need new sort keys: those that were put somewhere, and those at the end that
  /// were added. Nil where the whole order may be another one, or so much of it that all may as well be looked at.
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

extension ContiguousArray where Element == NSManagedObject {
  /// Where an object is, by its identity.
  func position(of object: NSManagedObject) -> Int? { position(of: ObjectIdentifier(object), near: 0) }

  /// Where an object is: looked for from a position on in both directions.
  func position(of object: ObjectIdentifier, near start: Int) -> Int? {
    withUnsafeBytes { bytes in
      // References, which need not be retained to be compared.
      let references = bytes.bindMemory(to: UInt.self)
      let wanted = UInt(bitPattern: object)
      var below = Swift.min(start, references.count) - 1
      var above = below + 1
      while above < references.count, below >= 0 {
        if references[above] == wanted { return above }
        if references[below] == wanted { return below }
        above += 1
        below -= 1
      }
      while above < references.count {
        if references[above] == wanted { return above }
        above += 1
      }
      while below >= 0 {
        if references[below] == wanted { return below }
        below -= 1
      }
      return nil
    }
  }
}
