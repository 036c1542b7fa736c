import Foundation

// Objects for comparisons. Pages are not made for them: a binary search looks at objects that are far from each other.
extension PagedObjects {
  /// Returns the object at a place for a comparison with another object. If it is not in memory, only this object is made.
  mutating func asked(_ place: Int) -> NSManagedObject {
    if let object = objectInPages(place) { return object }
    let key = key(at: place)
    if let object = unsaved[key] { return object }
    if let object = met[key] { return object }
    let object = objects(at: [place])[0]
    met.note(object, for: key)
    return object
  }

  /// Returns the object at a place if no statement for it alone is needed: it is in a page, it has been read, or
  /// ``read(_:)`` has made it.
  mutating func atHand(_ place: Int) -> NSManagedObject? {
    if let object = objectInPages(place) { return object }
    let key = key(at: place)
    return unsaved[key] ?? met.atHand(key)
  }

  /// Returns the object at a place as ``atHand(_:)`` does, and counts it as met.
  mutating func met(at place: Int) -> NSManagedObject? {
    if let object = objectInPages(place) { return object }
    let key = key(at: place)
    if let object = unsaved[key] { return object }
    guard let object = met.atHand(key) else { return nil }
    met.note(object, for: key)
    return object
  }

  /// Makes the objects of places, which become faults that fire together. They stay until ``endSearches()``.
  mutating func read(_ places: [Int]) {
    if places.isEmpty { return }
    for (place, object) in zip(places, objects(at: places)) { met.hold(object, for: key(at: place)) }
  }

  /// Releases the objects that searches have met, but for those that were met last.
  mutating func endSearches() { met.endSearches() }

  private func objectInPages(_ place: Int) -> NSManagedObject? {
    for page in pages where page.start <= place && place - page.start < page.objects.count {
      return page.objects[place - page.start]
    }
    return nil
  }

  private func key(at place: Int) -> Int64 { keys?.list[place].key ?? entries.keys[place] }
}

/// The objects that binary searches have met, by their keys.
///
/// Those that were met last stay alive, since the searches of later changes begin with the same ones. The objects are kept
/// and not their values: the context keeps objects up to date.
struct MetObjects {
  /// The objects that have been met since the last change of generations, and those of the generation before.
  private var young: [Int64: NSManagedObject] = [:]
  private var old: [Int64: NSManagedObject] = [:]
  /// The objects of the searches of one change.
  private var held: [Int64: NSManagedObject] = [:]
  /// The number of objects of a generation; twice as many are kept.
  private static let limit = 256

  /// Returns the object with a key, and counts it as met.
  subscript(key: Int64) -> NSManagedObject? {
    mutating get {
      guard let object = held[key] ?? kept(key) else { return nil }
      note(object, for: key)
      return object
    }
  }

  /// Returns the object with a key if it has been read, or is held for the present searches. It is held from then on, since
  /// others that are met before it may take its place among those that stay alive.
  mutating func atHand(_ key: Int64) -> NSManagedObject? {
    if let object = held[key] { return object }
    guard let object = kept(key), !object.isUnread else { return nil }
    held[key] = object
    return object
  }

  private func kept(_ key: Int64) -> NSManagedObject? {
    guard let object = young[key] ?? old[key], !object.isDetached else { return nil }
    return object
  }

  mutating func note(_ object: NSManagedObject, for key: Int64) {
    if young.count >= Self.limit, young[key] == nil {
      old = young
      young = [:]
    }
    young[key] = object
  }

  /// Holds an object until ``endSearches()``.
  mutating func hold(_ object: NSManagedObject, for key: Int64) { held[key] = object }

  mutating func endSearches() {
    if !held.isEmpty { held = [:] }
  }
}
