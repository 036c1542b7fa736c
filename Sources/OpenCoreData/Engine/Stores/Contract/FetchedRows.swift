/// What a fetch has read: the keys in order and, where they were asked for, the rows.
struct FetchedRows {
  var keys: ContiguousArray<Int64> = []
  /// Z_ENT for each key, where subentities share the table and only keys were read.
  var entities: ContiguousArray<Int32> = []
  var rows: ContiguousArray<Snapshot> = []
  let store: NSPersistentStore
  /// Keeps objects that the store has made until the context has them.
  var objects: [NSManagedObject] = []

  mutating func reserve(_ count: Int) {
    keys.reserveCapacity(count)
    rows.reserveCapacity(count)
  }

  /// The entity of a row, if it is not certain to be the one that was asked for.
  func layout(_ index: Int, asked: EntityLayout) -> EntityLayout {
    if !rows.isEmpty { return rows[index].layout }
    return entities.isEmpty ? asked : store.layout(number: Int(entities[index]), asked: asked)
  }
}
