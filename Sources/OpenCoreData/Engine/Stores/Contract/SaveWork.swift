/// The changes that one save has to write to one store.
@_spi(Store) public struct SaveWork {
  /// The objects that become rows.
  public internal(set) var inserted: ContiguousArray<NSManagedObject> = []
  /// The objects whose rows change.
  public internal(set) var updated: ContiguousArray<NSManagedObject> = []
  /// The objects whose rows are deleted.
  public internal(set) var deleted: ContiguousArray<NSManagedObject> = []
  /// Objects that are not written, but whose rows must be unchanged.
  public internal(set) var locked: ContiguousArray<NSManagedObject> = []

  /// Whether some of the objects may refer to others.
  package var mayHaveRelationships = true

  /// All objects that are written.
  package var all: [NSManagedObject] { Array(inserted) + updated + deleted }

  package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension SaveWork {
  /// Puts updated and deleted objects into the order of their tables and keys. Rows with neighbouring keys are on the same
  /// page of a file; and where a store locks rows one by one, all processes lock them in the same order.
  package mutating func sortByKey() {
    Self.sortByKey(&updated)
    Self.sortByKey(&deleted)
  }

  private static func sortByKey(_ objects: inout ContiguousArray<NSManagedObject>) {
    var isSorted = true, last = (root: Int.min, key: Int64.min)
    for object in Borrowed(objects) {
      let place = object.read { (root: $0.layout.rootNumber, key: $0.key) }
      if place < last {
        isSorted = false
        break
      }
      last = place
    }
    if isSorted { return }
    var places: ContiguousArray<(root: Int, key: Int64, index: Int)> = []
    places.reserveCapacity(objects.count)
    var isOneTable = true
    objects.forEachUncounted { index, object in
      places.append((object.layout.rootNumber, object.key, index))
      if object.layout.rootNumber != places[0].root { isOneTable = false }
    }
    // Comparing tuples takes several times as long as comparing keys.
    if isOneTable { places.sort { $0.key < $1.key } } else { places.sort { ($0.root, $0.key) < ($1.root, $1.key) } }
    let unsorted = objects
    objects = ContiguousArray(places.lazy.map { unsorted[$0.index] })
  }

  /// The objects whose rows must be unchanged since they were read.
  package var guarded: ContiguousArray<NSManagedObject> {
    // An object that was deleted as a fault has read nothing that could be out of date.
    updated + deleted.filter { $0.snapshot != nil } + locked
  }
}
