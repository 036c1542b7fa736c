/// What one save has to write to one store.
struct SaveWork {
  var inserted: ContiguousArray<NSManagedObject> = []
  var updated: ContiguousArray<NSManagedObject> = []
  var deleted: ContiguousArray<NSManagedObject> = []
  /// Objects that are not written, and that nobody may have changed.
  var locked: ContiguousArray<NSManagedObject> = []

  /// Whether some of the objects may refer to others.
  var mayHaveRelationships = true

  /// What is written.
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
