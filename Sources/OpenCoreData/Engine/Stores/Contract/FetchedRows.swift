/// The result of a fetch: the keys in order and, where they were asked for, the rows.
@_spi(Store) public struct FetchedRows {
  /// The keys, in the order of the fetch.
  public var keys: ContiguousArray<Int64> = []
  /// The number of each key's entity, where objects of subentities may be among them and only keys were read.
  public var entities: ContiguousArray<Int32> = []
  /// The rows of the keys, where they were asked for.
  public var rows: ContiguousArray<Snapshot> = []
  package let store: NSPersistentStore
  /// Objects that the store has made. They are kept alive here until the context has them.
  package var objects: [NSManagedObject] = []

  /// Nothing, read from a store.
  public init(store: NSPersistentStore) { self.store = store }

  package mutating func reserve(_ count: Int) {
    keys.reserveCapacity(count)
    rows.reserveCapacity(count)
  }

  /// The entity of a row, if it is not certain to be the one that was asked for.
  package func layout(_ index: Int, asked: EntityLayout) -> EntityLayout {
    if !rows.isEmpty { return rows[index].layout }
    return entities.isEmpty ? asked : store.layout(number: Int(entities[index]), asked: asked)
  }
}
