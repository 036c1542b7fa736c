import Foundation

/// The user infos of the two notifications about a save, objects and IDs, kept from one save to the next.
///
/// Making the dictionaries anew would cost more than the rest of a small save's notifications: their keys are hashed as
/// `AnyHashable`. A dictionary that an observer keeps does not change, since the next save then puts its sets into a
/// copy.
struct SavedUserInfo {
  /// All three keys, each with a set, which may be empty.
  private(set) var objects = noObjects
  private(set) var identifiers = noIdentifiers

  mutating func put(_ saved: SavedObjects) {
    put(saved.inserted, .inserted)
    put(saved.updated, .updated)
    put(saved.deleted, .deleted)
  }

  /// Drops the references to the sets that `put` was given.
  mutating func clear(_ saved: SavedObjects) {
    clear(saved.inserted, .inserted)
    clear(saved.updated, .updated)
    clear(saved.deleted, .deleted)
  }

  private mutating func put(_ set: Set<NSManagedObject>, _ place: Place) {
    if set.isEmpty { return }
    objects.values[place.ofObjects] = set
    identifiers.values[place.ofIdentifiers] = SavedObjects.identifiers(set)
  }

  private mutating func clear(_ set: Set<NSManagedObject>, _ place: Place) {
    if set.isEmpty { return }
    objects.values[place.ofObjects] = Set<NSManagedObject>()
    identifiers.values[place.ofIdentifiers] = Set<NSManagedObjectID>()
  }

  // The contents that a context begins with. The sets in them are empty, so no object is shared between contexts.
  nonisolated(unsafe) private static let noObjects: [AnyHashable: Any] = [
    NSInsertedObjectsKey: Set<NSManagedObject>(), NSUpdatedObjectsKey: Set<NSManagedObject>(),
    NSDeletedObjectsKey: Set<NSManagedObject>(),
  ]
  nonisolated(unsafe) private static let noIdentifiers: [AnyHashable: Any] = [
    NSInsertedObjectIDsKey: Set<NSManagedObjectID>(), NSUpdatedObjectIDsKey: Set<NSManagedObjectID>(),
    NSDeletedObjectIDsKey: Set<NSManagedObjectID>(),
  ]

  /// The indices of one kind of sets in the two dictionaries. Copies of a dictionary, and changes of its values, keep the
  /// indices.
  private struct Place {
    let ofObjects: Dictionary<AnyHashable, Any>.Index
    let ofIdentifiers: Dictionary<AnyHashable, Any>.Index

    private init(_ objects: String, _ identifiers: String) {
      guard let ofObjects = noObjects.index(forKey: objects),
        let ofIdentifiers = noIdentifiers.index(forKey: identifiers)
      else { preconditionFailure("\(objects) and \(identifiers) are in the two") }
      self.ofObjects = ofObjects
      self.ofIdentifiers = ofIdentifiers
    }

    nonisolated(unsafe) static let inserted = Place(NSInsertedObjectsKey, NSInsertedObjectIDsKey)
    nonisolated(unsafe) static let updated = Place(NSUpdatedObjectsKey, NSUpdatedObjectIDsKey)
    nonisolated(unsafe) static let deleted = Place(NSDeletedObjectsKey, NSDeletedObjectIDsKey)
  }
}
