import Foundation
import OpenCocoaFoundation

/// A store of any kind that a coordinator has open, read in its state at one moment: at a query generation, if the
/// store has generations.
///
/// Only one thread at a time may use it.
package final class AskedStore: QueriedStore {
  let store: NSPersistentStore
  let context: NSManagedObjectContext
  let coordinator: NSPersistentStoreCoordinator
  let reader: StoreObjectReader
  /// For each destination of to-many relationships that has subentities: the names of its objects' entities, by key.
  var entitiesOfMembers: [ObjectIdentifier: [Int64: String]] = [:]
  /// Stops fetches.
  private let watch = FetchWatch(error: { CancellationError() })
  /// The number of objects that are read at a time.
  static let batchSize = 500

  /// - Throws: the error of pinning a context to the store's state.
  package init(_ store: NSPersistentStore, _ coordinator: NSPersistentStoreCoordinator) throws {
    (self.store, self.coordinator) = (store, coordinator)
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    if store.abilities.contains(.generations) {
      let context = context
      try context.performAndWait { try context.setQueryGenerationFrom(.current) }
    }
    reader = StoreObjectReader(store, coordinator, context: context)
  }

  /// Ends the fetch that runs and all that follow. Any thread may call it.
  package func stop() { watch.stop() }

  /// Runs `body` so that `stop` can end it.
  func stoppable<Result>(_ context: NSManagedObjectContext, _ body: () throws -> Result) throws -> Result {
    try watch.check()
    let before = context.readState.watch
    context.readState.watch = watch
    defer { context.readState.watch = before }
    return try body()
  }

  package var model: NSManagedObjectModel? { coordinator.managedObjectModel }

  /// - Throws: 134060, with the names of the entities that the store has.
  func layout(named name: String) throws -> EntityLayout {
    if let entity = coordinator.managedObjectModel.entitiesByName[name], store.holds(entity) { return entity.layout }
    let known = coordinator.managedObjectModel.entities.filter(store.holds).compactMap(\.name).sorted()
    throw NSError(
      coreData: NSCoreDataError,
      "The store \((store.url?.placeOfStore ?? "")) has no entity “\(name)”. It has \(known.joined(separator: ", ")).")
  }

  package func concreteEntities(of name: String?) throws -> [String] {
    let wanted = try name.map { try layout(named: $0).entity }
    return coordinator.managedObjectModel.entitiesInStoreOrder.filter { entity in
      !entity.isAbstract && store.holds(entity) && wanted.map(entity.isKindOf) ?? true
    }.compactMap(\.name)
  }

  package func valueColumns(of name: String) throws -> [String] {
    let layout = try layout(named: name)
    return layout.attributeSlots.map(\.name).sorted() + layout.toOneSlots.map(\.name).sorted()
  }

  package func toManyNames(of name: String) throws -> [String] {
    try layout(named: name).toManySlots.map(\.name).sorted()
  }

  package func elements(of keyPath: String, in name: String) throws -> [String] {
    let (layout, rest) = try layout(named: name).end(of: keyPath)
    let names = layout.attributeSlots.map(\.name).filter { $0.hasPrefix(rest + ".") }
    return names.sorted().map { keyPath.dropLast(rest.count) + $0 }
  }

  package func objectID(of reference: InspectedReference) -> NSManagedObjectID? {
    guard let entity = coordinator.managedObjectModel.entitiesByName[reference.entity], store.holds(entity) else {
      return nil
    }
    return NSManagedObjectID(entity: entity, store: store, key: reference.key)
  }

  deinit {
    let context = context
    context.performAndWait { context.reset() }
  }
}

extension EntityLayout {
  /// The attributes that rows have values for; for a composite attribute, its elements.
  var attributeSlots: [PropertySlot] {
    slots.filter { !$0.isTransient && !$0.kind.isRelationship && $0.kind != .composite && $0.kind != .anything }
  }

  var toOneSlots: [PropertySlot] { slots.filter { !$0.isTransient && $0.kind == .toOne } }
  var toManySlots: [PropertySlot] { slots.filter { !$0.isTransient && $0.kind == .toMany } }

  /// Returns the entity that the to-one relationships of a key path lead to, and the rest of the key path after them.
  func end(of keyPath: String) -> (layout: EntityLayout, rest: String) {
    var (layout, rest) = (self, keyPath)
    while !layout.attributeSlots.contains(where: { $0.name == rest }) {
      let parts = rest.split(separator: ".", maxSplits: 1)
      guard parts.count == 2, let slot = layout.toOneSlots.first(where: { $0.name == parts[0] }),
        let destination = slot.destination
      else { break }
      (layout, rest) = (destination.layout, String(parts[1]))
    }
    return (layout, rest)
  }
}
