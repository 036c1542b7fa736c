import Foundation

/// The positions of objects in a list that changes from time to time.
///
/// Each object has the position at which it was last seen. Since then it can have moved by no more positions than objects
/// have been added and removed. So a short search around that position finds it; when the search gets long, all positions are
/// noted again.
struct ObjectPositions {
  private var hints: [ObjectIdentifier: Int] = [:]
  private var isKnown = false
  /// The number of objects that were added and removed since the positions were noted.
  private var drift = 0
  private static let maximalDrift = 512
  /// Lists as short as this are searched.
  private static let shortList = 32

  /// The place of an object; nil if it is not in the list.
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

  /// Forgets all places; the next question notes them anew.
  mutating func forget() {
    hints = [:]
    (isKnown, drift) = (false, 0)
  }

  /// Objects leave the list, and others get places in it.
  mutating func change(removing removed: some Collection<NSManagedObject>, adding added: [(NSManagedObject, Int)]) {
    guard isKnown else { return }
    drift += removed.count + added.count
    if drift > Self.maximalDrift { return forget() }
    for object in removed { hints[ObjectIdentifier(object)] = nil }
    for (object, place) in added { hints[ObjectIdentifier(object)] = place }
  }
}
