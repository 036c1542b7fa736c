/// The result of a fetch: the keys in order, and the rows if they were requested.
@_spi(Store) public struct FetchedRows {
  /// The keys, in the order of the fetch.
  public var keys: ContiguousArray<Int64> = []
  /// The number of each key's entity, if the objects may be of subentities and only their keys were read.
  public var entities: ContiguousArray<Int32> = []
  /// The rows of the keys, if they were requested.
  public var rows: ContiguousArray<Snapshot> = []
  package let store: NSPersistentStore
  /// The objects that the store has made, which are kept alive until the context has them.
  package var objects: [NSManagedObject] = []

  /// Makes an empty result.
  public init(store: NSPersistentStore) { self.store = store }

  package mutating func reserve(_ count: Int) {
    keys.reserveCapacity(count)
    rows.reserveCapacity(count)
  }

  /// Returns the layout of a row's entity; `asked` if the result has no other.
  package func layout(_ index: Int, asked: EntityLayout) -> EntityLayout {
    if !rows.isEmpty { return rows[index].layout }
    return entities.isEmpty ? asked : store.layout(number: Int(entities[index]), asked: asked)
  }
}
