import Foundation

/// The keys of a fetch's objects, and what is needed to make the objects.
struct FetchedEntries {
  let keys: ContiguousArray<Int64>
  /// The number of each object's entity, if there may be several entities; else empty.
  private let entities: ContiguousArray<Int32>
  private let stores: [NSPersistentStore?]
  /// The index in `stores` of each object's store, if there are several stores; else empty.
  private let places: ContiguousArray<UInt8>
  /// Objects that no store has, by their places: their temporary keys are replaced when they are saved.
  private let unsaved: [Int: NSManagedObject]
  private let layout: EntityLayout
  private let model: NSManagedObjectModel

  /// The entries of one store.
  init(_ fetched: FetchedRows, _ layout: EntityLayout) {
    keys = fetched.keys
    entities = fetched.entities
    stores = [fetched.store]
    places = []
    unsaved = [:]
    self.layout = layout
    model = layout.entity.managedObjectModel
  }

  /// The entries of these objects, which are not kept alive.
  init(_ objects: ContiguousArray<NSManagedObject>, _ layout: EntityLayout) {
    var stores: [NSPersistentStore?] = []
    var places: ContiguousArray<UInt8> = []
    var unsaved: [Int: NSManagedObject] = [:]
    for (index, object) in objects.enumerated() {
      let store = object.table?.store
      let place = stores.firstIndex { $0 === store } ?? stores.count
      if place == stores.count { stores.append(store) }
      places.append(UInt8(clamping: place))
      if object.key <= 0 { unsaved[index] = object }
    }
    keys = ContiguousArray(objects.map(\.key))
    entities = ContiguousArray(objects.map { object in Int32(object.table?.store?.number(of: object) ?? 0) })
    self.stores = stores
    self.places = places
    self.unsaved = unsaved
    self.layout = layout
    model = layout.entity.managedObjectModel
  }

  /// The only store of all objects, if there are no others, and no objects without a row.
  var onlyStore: NSPersistentStore? { unsaved.isEmpty && stores.count == 1 ? stores[0] : nil }

  /// The number of the entity of all objects in `onlyStore`, if they have the same entity.
  var commonEntityNumber: Int? { entities.isEmpty ? onlyStore?.number(of: layout.entity) ?? 0 : nil }

  /// The number of an object's entity, if there is no common one.
  func entityNumber(at index: Int) -> Int { Int(entities[index]) }

  /// Whether an object may be one of `onlyStore`'s objects for these entries; its key tells which.
  func mayHave(_ object: NSManagedObject) -> Bool {
    object.key > 0 && object.table?.store === stores[0] && object.layout.rootNumber == layout.rootNumber
  }

  /// Returns whether an object with this ID may be one of `onlyStore`'s objects for these entries.
  func mayHave(_ id: NSManagedObjectID) -> Bool {
    id.key > 0 && id.persistentStore === stores[0] && id.entity.layout.rootNumber == layout.rootNumber
  }

  /// Returns entries for other objects of `onlyStore`.
  func others(keys: ContiguousArray<Int64>, entities: ContiguousArray<Int32>) -> FetchedEntries {
    FetchedEntries(keys, entities, stores, layout)
  }

  private init(
    _ keys: ContiguousArray<Int64>, _ entities: ContiguousArray<Int32>, _ stores: [NSPersistentStore?],
    _ layout: EntityLayout
  ) {
    self.keys = keys
    self.entities = entities
    self.stores = stores
    places = []
    unsaved = [:]
    self.layout = layout
    model = layout.entity.managedObjectModel
  }

  func objectID(at index: Int) -> NSManagedObjectID {
    if let object = unsaved[index] { return object.objectID }
    return NSManagedObjectID(entity: layout(index).entity, store: store(index), key: keys[index])
  }

  /// The objects of one or several pages. Objects that are not registered become faults; the faults of a page fire together.
  func objects(
    _ range: Range<Int>, pageSize: Int, in context: NSManagedObjectContext
  ) -> ContiguousArray<NSManagedObject> {
    let wanted = ContiguousArray(keys[range])
    let faultBatch = FaultBatch(wanted, layout: layout, size: min(pageSize, wanted.count))
    if unsaved.isEmpty, stores.count == 1 {
      let table = context.objects.table(for: layout, store: stores[0])
      table.reserve(wanted.count)
      var objects: ContiguousArray<NSManagedObject> = []
      objects.reserveCapacity(wanted.count)
      table.lookUp(wanted) { index, known in
        let object = known ?? context.objects.makeFault(wanted[index], layout(range.lowerBound + index), table)
        if object.isUnread { object.faultBatch = faultBatch }
        objects.append(object)
      }
      return objects
    }
    return ContiguousArray(
      range.map { index in
        if let object = unsaved[index] { return object }
        let object = context.objects.faultObject(key: keys[index], layout: layout(index), store: store(index))
        if object.isUnread { object.faultBatch = faultBatch }
        return object
      })
  }

  private func store(_ index: Int) -> NSPersistentStore? { places.isEmpty ? stores[0] : stores[Int(places[index])] }

  private func layout(_ index: Int) -> EntityLayout {
    guard !entities.isEmpty, let store = store(index) else { return layout }
    return store.layout(number: Int(entities[index]), asked: layout)
  }
}
