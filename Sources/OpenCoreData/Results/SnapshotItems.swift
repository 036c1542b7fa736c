/// The IDs of a controller's objects, kept from one snapshot to the next. Snapshots share their structure.
struct SnapshotItems {
  private(set) var ids: ChunkedList<NSManagedObjectID>
  /// The objects whose IDs in `ids` are temporary.
  private var temporary: [NSManagedObject]

  init(_ objects: some Collection<NSManagedObject>) {
    ids = ChunkedList(objects.lazy.map(\.objectID))
    temporary = objects.filter { $0.key < 0 }
  }

  /// The object IDs of stored objects, without making the objects.
  init(_ ids: [NSManagedObjectID]) {
    self.ids = ChunkedList(ids)
    temporary = []
  }

  mutating func apply(_ edit: ResultsEdit) {
    if edit.isLarge(for: ids.count) {
      var all = ids.array
      edit.apply(to: &all, \.objectID)
      ids = ChunkedList(all)
    } else {
      for place in edit.removed.reversed() { ids.remove(at: place) }
      for (number, coming) in edit.coming.enumerated() { ids.insert(coming.object.objectID, at: coming.base + number) }
    }
    for coming in edit.coming where coming.oldPlace == nil && coming.object.key < 0 {
      temporary.append(coming.object)
    }
  }

  /// Replaces temporary IDs by the permanent IDs that objects have got.
  /// - Returns: whether there were such objects.
  mutating func settle(place: (NSManagedObject) -> Int?) -> Bool {
    let count = temporary.count
    temporary.removeAll { object in
      guard object.key > 0 || object.isDetached else { return false }
      if let place = place(object) { ids.replace(at: place, with: object.objectID) }
      return true
    }
    return temporary.count < count
  }
}
