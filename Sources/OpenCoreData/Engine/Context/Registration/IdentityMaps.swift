/// A context's identity maps by store, and what else it keeps about objects: which ones it keeps alive, and which stores
/// new objects were assigned to. Belongs to the context's queue.
struct IdentityMaps {
  /// The maps by store; objects without a store are in the family of nil. There are few families: going through all of
  /// them takes less time than hashing.
  private var families: [StoreTables] = []
  private var retained: Set<NSManagedObject> = []
  private var assigned: [ObjectIdentifier: NSPersistentStore] = [:]

  // MARK: Maps

  @inline(__always)
  func family(of store: NSPersistentStore?) -> StoreTables? {
    for family in families where family.store === store { return family }
    return nil
  }

  mutating func add(_ family: StoreTables) { families.append(family) }

  /// All maps that have been made so far.
  var all: some Sequence<IdentityMap> { families.lazy.flatMap(\.tables) }

  var isEmpty: Bool { families.isEmpty }

  /// All objects of a root entity, of all stores.
  func objects(of rootNumber: Int) -> some Sequence<NSManagedObject> {
    families.lazy.compactMap { $0.known(rootNumber) }.flatMap { $0.all() }
  }

  /// Whether the context has no objects.
  var haveNoObjects: Bool { families.allSatisfy { $0.tables.allSatisfy { $0.all().isEmpty } } }

  /// Takes all maps, so that the context has no objects any more.
  mutating func removeAll() -> [StoreTables] {
    defer { self = IdentityMaps() }
    return families
  }

  // MARK: Objects that are kept alive

  mutating func retain(_ object: NSManagedObject) { retained.insert(object) }

  mutating func retain(_ objects: some Sequence<NSManagedObject>) { retained.formUnion(objects) }

  /// Keeps all present objects alive, or none.
  mutating func retainAll(_ isWanted: Bool) {
    retained = []
    if isWanted { for table in all { retained.formUnion(table.all()) } }
  }

  // MARK: Stores of new objects

  var hasAssignments: Bool { !assigned.isEmpty }
  /// The number of objects that are assigned to stores.
  var assignmentCount: Int { assigned.count }

  func assignedStore(of object: NSManagedObject) -> NSPersistentStore? { assigned[ObjectIdentifier(object)] }

  mutating func assign(_ object: NSManagedObject, to store: NSPersistentStore) {
    assigned[ObjectIdentifier(object)] = store
  }

  /// Forgets the store that an object was assigned to, since the object is in its store now or needs none any more.
  @inline(__always)
  mutating func forgetAssignment(of object: NSManagedObject) {
    if !assigned.isEmpty { assigned[ObjectIdentifier(object)] = nil }
  }

  mutating func forgetAssignments() { assigned = [:] }

  /// Forgets an object that leaves the context.
  mutating func forget(_ object: NSManagedObject) {
    retained.remove(object)
    forgetAssignment(of: object)
  }
}
