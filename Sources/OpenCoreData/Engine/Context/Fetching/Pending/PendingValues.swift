/// The new objects of an entity by the hash of one attribute's value. Objects are given by their places among the new
/// objects.
///
/// Places with the same hash form a list, linked in both directions, so that one place is moved without a look at others.
final class PendingValues {
  let slot: PropertySlot
  private var hashes: ContiguousArray<Int> = []
  private var next: ContiguousArray<Int32> = []
  /// The place before; `isFirst` at the head of a list, `isOut` for a place that is in no list.
  private var previous: ContiguousArray<Int32> = []
  private var lists: [Int: (first: Int32, count: Int)] = [:]

  private static let none: Int32 = -1
  private static let isFirst: Int32 = -1
  private static let isOut: Int32 = -2

  init(_ slot: PropertySlot) { self.slot = slot }

  /// Makes room for as many places.
  func reserve(_ count: Int) {
    hashes.reserveCapacity(count)
    next.reserveCapacity(count)
    previous.reserveCapacity(count)
    lists.reserveCapacity(count)
  }

  /// Notes the hash of the value at a place.
  func set(_ hash: Int, at place: Int) {
    while hashes.count <= place {
      hashes.append(0)
      next.append(Self.none)
      previous.append(Self.isOut)
    }
    if previous[place] != Self.isOut {
      if hashes[place] == hash { return }
      remove(place)
    }
    hashes[place] = hash
    previous[place] = Self.isFirst
    if let list = lists[hash] {
      next[place] = list.first
      previous[Int(list.first)] = Int32(place)
      lists[hash] = (Int32(place), list.count + 1)
    } else {
      next[place] = Self.none
      lists[hash] = (Int32(place), 1)
    }
  }

  /// Takes a place out of its list.
  func remove(_ place: Int) {
    guard place < previous.count, previous[place] != Self.isOut else { return }
    let (before, after, hash) = (previous[place], next[place], hashes[place])
    if after != Self.none { previous[Int(after)] = before }
    previous[place] = Self.isOut
    guard let list = lists[hash] else { return }
    if before != Self.isFirst { next[Int(before)] = after }
    if list.count == 1 {
      lists[hash] = nil
    } else {
      lists[hash] = (before == Self.isFirst ? after : list.first, list.count - 1)
    }
  }

  /// Whether a place has a hash.
  func has(_ hash: Int, at place: Int) -> Bool {
    place < previous.count && previous[place] != Self.isOut && hashes[place] == hash
  }

  /// The number of places that have one of the hashes.
  func count(_ hashes: Set<Int>) -> Int { hashes.reduce(0) { $0 + (lists[$1]?.count ?? 0) } }

  /// The places that have one of the hashes.
  func places(_ hashes: Set<Int>) -> ContiguousArray<Int> {
    var places: ContiguousArray<Int> = []
    for hash in hashes {
      var place = lists[hash]?.first ?? Self.none
      while place != Self.none {
        places.append(Int(place))
        place = next[Int(place)]
      }
    }
    return places
  }
}
