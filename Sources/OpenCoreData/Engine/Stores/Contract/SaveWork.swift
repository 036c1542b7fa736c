/// The changes that one save has to write to one store.
@_spi(Store) public struct SaveWork {
  /// The objects that become rows.
  public internal(set) var inserted: ContiguousArray<NSManagedObject> = []
  /// The objects whose rows change.
  public internal(set) var updated: ContiguousArray<NSManagedObject> = []
  /// The objects whose rows go.
  public internal(set) var deleted: ContiguousArray<NSManagedObject> = []
  /// Objects that are not written, but whose rows must be unchanged.
  public internal(set) var locked: ContiguousArray<NSManagedObject> = []

  /// Whether some of the objects may refer to others.
  var mayHaveRelationships = true

  /// All objects that are written.
  var all: [NSManagedObject] { Array(inserted) + updated + deleted }

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension SaveWork {
  /// The objects whose rows must be what they were read from.
  var guarded: ContiguousArray<NSManagedObject> {
    // An object that was deleted as a fault has read nothing that could be out of date.
    updated + deleted.filter { $0.snapshot != nil } + locked
  }
}
