import Foundation
import OpenCocoaFoundation

/// New objects that go into a SQLite store in one transaction, batch by batch: each batch is let go of when it is written, so
/// that any number of them takes little memory.
///
/// The objects refer to each other by their places in the series, also to those that come later. Each side of a relationship
/// is stored as it is given, and nothing follows: who gives the sides has to see that they fit. The objects are validated;
/// no code of the application's classes runs.
package final class ObjectSeries {
  /// An object of a series.
  package struct Place {
    package let entity: NSEntityDescription
    /// How many objects of the same root entity come before it.
    package let number: Int

    package init(_ entity: NSEntityDescription, _ number: Int) { (self.entity, self.number) = (entity, number) }
  }

  private let store: SQLiteStore
  private let context: NSManagedObjectContext
  private let writer: SeriesWriter
  private let batchSize: Int
  private var work = SaveWork()
  private var referred = 0
  /// The root entity that a key was asked of last, and the first of its keys.
  private var last: (root: Int, first: Int64)?
  /// The number of batches that were written.
  package private(set) var batches = 0
  /// The greatest number of objects that the context had at once: new ones, and those that these referred to.
  package private(set) var mostObjects = 0

  private init(_ store: SQLiteStore, _ context: NSManagedObjectContext, _ writer: SeriesWriter, batchSize: Int) {
    (self.store, self.context, self.writer, self.batchSize) = (store, context, writer, batchSize)
  }

  /// Whether a store can take a series of objects with all relationships of these entities: it is in SQLite's format, every
  /// to-many relationship has an inverse, and inverses lead back.
  package static func isPossible(in store: NSPersistentStore, _ entities: [NSEntityDescription]) -> Bool {
    guard store is SQLiteStore else { return false }
    return entities.flatMap { $0.relationshipsByName.values }.allSatisfy { relationship in
      guard let inverse = relationship.inverseRelationship else { return !relationship.isToMany }
      return inverse.inverseRelationship?.name == relationship.name && relationship.otherEnd?.name == inverse.name
    }
  }

  /// Writes a series.
  /// - Parameters:
  ///   - store: a store for which `isPossible` holds.
  ///   - counts: how many objects there will be, by the name of their root entity.
  ///   - author: the author of the transaction in the store's history.
  ///   - batchSize: how many objects are written at once.
  ///   - leastForIndexes: how many objects it takes until empty tables get their indexes after their rows.
  ///   - body: makes the objects with `insert`, gives them values and members, and finishes each.
  /// - Throws: the errors of `body`; 133021 if a uniqueness constraint is violated; 134090 if the store stays locked; the
  ///   errors of writing. Then the store is unchanged.
  package static func write(
    to store: NSPersistentStore, _ coordinator: NSPersistentStoreCoordinator, _ counts: [String: Int],
    author: String? = nil, batchSize: Int = 1000, leastForIndexes: Int = 10_000, _ body: (ObjectSeries) throws -> Void
  ) throws {
    guard let store = store as? SQLiteStore else {
      preconditionFailure("A series of objects can be written to a SQLite store alone, not to \(type(of: store)).")
    }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.transactionAuthor = author
    try context.performAndWait {
      do {
        try store.writeSeries(counts, HistorySource(context), leastForIndexes: leastForIndexes) { writer in
          let series = ObjectSeries(store, context, writer, batchSize: batchSize)
          try body(series)
          try series.flush()
        }
      } catch  where SQLiteError.isNotUnique(error) {
        throw NSError(
          coreData: NSManagedObjectConstraintMergeError, "An object has the same unique values as another one.",
          [NSUnderlyingErrorKey: error as NSError])
      }
    }
  }

  // MARK: Objects

  /// Makes an object, whose values and members are to be set before it is finished.
  package func insert(_ place: Place) -> NSManagedObject {
    let object = NSManagedObject(entity: place.entity, insertInto: context)
    let key = key(of: place)
    // Something may have referred to it already.
    if let known = context.objects.table(for: object.layout, store: store).object(key) { known.table?.remove(known) }
    context.objects.move(object, to: store, key: key)
    return object
  }

  /// Gives an attribute of an object a value of the attribute's kind and within its range, as `PropertySlot.kind` says. Without
  /// boxes, and without a way through the object's class.
  package func set(_ value: StoredValue, _ slot: PropertySlot, of object: NSManagedObject) {
    object.writableChanges().values[slot.index] = value
  }

  /// Gives an object the members of one of its relationships.
  ///
  /// Of a to-many relationship whose inverse leads to one object, the members' own sides are stored; its members are only
  /// needed where they are counted or have an order.
  package func relate(_ object: NSManagedObject, _ slot: PropertySlot, to members: [Place]) {
    guard let first = members.first else { return }
    if slot.kind == .toOne {
      // A row has no more than the key, unless the destination has subentities. A predicate looks at the object.
      let isKey = slot.entityIndex < 0 && slot.property.storedValidationPredicates.isEmpty
      object.writableChanges().values[slot.index] = isKey ? .int(key(of: first)) : .object(member(first))
      return
    }
    guard slot.inverseIsToMany || slot.hasRules else { return }
    let state = object.toManyState(slot.relationIndex)
    state.keys = KeyArray.empty
    for place in members { _ = state.add(member(place)) }
  }

  /// Validates an object, and writes it with others when there are enough.
  /// - Throws: the error of `validateForInsert()`; the errors of writing.
  package func finish(_ object: NSManagedObject) throws {
    try object.validateForInsert()
    work.inserted.append(object)
    if work.inserted.count >= batchSize { try flush() }
  }

  /// Writes the order of an object's members. All objects have to be finished.
  package func arrange(_ place: Place, _ name: String, _ members: [Place]) throws {
    try flush()
    guard let slot = place.entity.layout.slot(named: name), slot.isOrdered, !members.isEmpty else { return }
    try writer.arrange(
      PlannedOrder(
        owner: key(of: place), layout: place.entity.layout, slot: slot,
        change: .arrange(ContiguousArray(members.map(key)), runs: nil)))
  }

  private func flush() throws {
    if work.inserted.isEmpty { return }
    mostObjects = max(mostObjects, work.inserted.count + referred)
    try writer.write(work)
    (work, referred) = (SaveWork(), 0)
    context.reset()
    batches += 1
  }

  private func key(of place: Place) -> Int64 {
    let root = place.entity.layout.rootNumber
    if let last, last.root == root { return last.first + Int64(place.number) }
    guard let first = writer.firstKeys[place.entity.rootEntity.name ?? ""] else {
      preconditionFailure("No keys were reserved for objects of \(place.entity.name ?? "").")
    }
    last = (root, first)
    return first + Int64(place.number)
  }

  /// The object at a place, or one that stands for it: a row refers to it by its key and its entity alone.
  private func member(_ place: Place) -> NSManagedObject {
    let layout = place.entity.layout, key = key(of: place)
    let table = context.objects.table(for: layout, store: store)
    if let known = table.object(key) { return known }
    let object = NSManagedObject(entity: layout.entity, insertInto: nil)
    object.state = []
    table.register(object, key)
    referred += 1
    return object
  }
}
