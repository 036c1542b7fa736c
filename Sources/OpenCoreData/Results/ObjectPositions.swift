import Foundation

/// The places of objects in a list that changes now and then.
///
/// For each object, the place is kept where it was last seen. Since then it can have moved by no more places than other
/// objects were inserted and removed, so a short search around the kept place finds it. When that search gets long, all
/// places are recorded again.
struct ObjectPositions {
  private var hints: [ObjectIdentifier: Int] = [:]
  private var isKnown = false
  /// The number of objects that were inserted and removed since the places were recorded.
  private var drift = 0
  private static let maximalDrift = 512
  /// Lists up to this length are searched from the beginning.
  private static let shortList = 32

  /// Returns the place of an object; nil if it is not in the list.
  mutating func place(of object: NSManagedObject, in objects: [NSManagedObject]) -> Int? {
    if objects.count <= Self.shortList { return objects.firstIndex { $0 === object } }
    if !isKnown { note(objects) }
    guard let hint = hints[ObjectIdentifier(object)] else { return nil }
    if hint < objects.count, objects[hint] === object { return hint }
    for distance in 1...max(1, drift) {
      let (below, above) = (hint - distance, hint + distance)
      if below >= 0, below < objects.count, objects[below] === object { return below }
      if above < objects.count, objects[above] === object { return above }
    }
    return nil
  }

  private mutating func note(_ objects: [NSManagedObject]) {
    hints = Dictionary(minimumCapacity: objects.count)
    for (place, object) in objects.enumerated() { hints[ObjectIdentifier(object)] = place }
    (isKnown, drift) = (true, 0)
  }

  /// Forgets all places; the next look-up records them again.
  mutating func forget() {
    hints = [:]
    (isKnown, drift) = (false, 0)
  }

  /// Records that objects leave the list, and that other objects get places in it.
  mutating func change(removing removed: some Collection<NSManagedObject>, adding added: [(NSManagedObject, Int)]) {
    guard isKnown else { return }
    drift += removed.count + added.count
    if drift > Self.maximalDrift { return forget() }
    for object in removed { hints[ObjectIdentifier(object)] = nil }
    for (object, place) in added { hints[ObjectIdentifier(object)] = place }
  }
}
