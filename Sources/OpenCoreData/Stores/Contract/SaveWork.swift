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
