import CommandSupport
import CoreData
import CoreDataTools
import Foundation
import OpenCoreData

/// Imports a document that says everything of its objects, as exports do, in one transaction and with little memory.
///
/// The document is read twice: first its ids, then its objects, each of which is written with the keys of those that it refers
/// to. So each side of every relationship has to be there, and the two sides have to fit. A document that says less is left to
/// ``StoreImporter``, which lets each side follow the other one.
final class StreamedImport {
  /// Why a document has to be imported in another way.
  private struct Unfit: Error {}

  private let coordinator: NSPersistentStoreCoordinator
  private let store: NSPersistentStore
  private let model: NSManagedObjectModel
  private let author: String
  private let entities: [NSEntityDescription]
  /// The names of the entities' root entities.
  private let roots: [String]
  private let numbers: [String: Int]
  /// The relationships that a record has to have, by the number of the entity.
  private let relationships: [[String: NSRelationshipDescription]]
  private var ids = ImportedIDs()
  private var counts: [String: Int] = [:]
  private var hasOrder = false
  /// For each pair of relationships that are inverse to each other, by the name of the one: what one side says less what the
  /// other one says. It is zero if both say the same.
  private var balance: [ObjectIdentifier: Int] = [:]
  /// How many objects of each root entity have been passed in this reading.
  private var next: [String: Int] = [:]
  private(set) var count = 0

  /// - Parameter author: the author of the transaction in the history of a store that keeps one.
  init(
    _ coordinator: NSPersistentStoreCoordinator, _ store: NSPersistentStore, _ model: NSManagedObjectModel,
    author: String
  ) {
    (self.coordinator, self.store, self.model, self.author) = (coordinator, store, model, author)
    let entities = model.entities
    self.entities = entities
    roots = entities.map { $0.root.name ?? "" }
    numbers = Dictionary(
      entities.indices.map { (entities[$0].name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    relationships = entities.map { entity in entity.relationshipsByName.filter { !$0.value.isTransient } }
  }

  /// Imports all objects or none.
  /// - Returns: false if the document has to be imported in another way, also to find out all that is wrong with it.
  /// - Throws: a ``ToolError`` with the place of the data that cannot be imported, or the error of writing.
  func run(_ source: ImportSource, _ progress: (String, Int) -> Void) throws -> Bool {
    do {
      try scan(source, progress)
      (count, next) = (0, [:])
      try ObjectSeries.write(to: store, coordinator, counts, author: author) { series in
        try source.records { record in
          try insert(record, series)
          progress("Importing", count)
        }
        try requireAll()
        if hasOrder { try arrange(source, series) }
      }
      return true
    } catch is Unfit {
      return false
    } catch let error as NSError where Self.isOfObjects(error) {
      return false
    }
  }

  /// Whether an error is one of objects that are not valid or not unique.
  private static func isOfObjects(_ error: NSError) -> Bool {
    error.domain == NSCocoaErrorDomain
      && (1550...1699 ~= error.code || error.code == NSManagedObjectConstraintMergeError)
  }

  // MARK: The first reading

  private func scan(_ source: ImportSource, _ progress: (String, Int) -> Void) throws {
    guard ObjectSeries.isPossible(in: store, entities) else { throw Unfit() }
    try source.records(needs: .references) { record in
      _ = try model.concreteEntity(record)
      let number = numbers[record.entity] ?? 0
      let root = roots[number]
      let object = ImportedIDs.Object(entity: UInt32(number), number: UInt32(counts[root] ?? 0))
      counts[root, default: 0] += 1
      count += 1
      if let id = record.id {
        if !ids.add(id, object) { throw ToolError("\(record.place): the id “\(id)” is there twice.") }
      } else if !relationships[number].isEmpty {
        throw Unfit()
      }
      guard record.relationships.count == relationships[number].count else { throw Unfit() }
      for member in record.relationships { try weigh(member, of: record, number) }
      progress("Reading", count)
    }
    guard balance.values.allSatisfy({ $0 == 0 }) else { throw Unfit() }
  }

  /// Adds what a side of a relationship says to the balance of its pair.
  private func weigh(_ member: ImportedMember, of record: ImportedRecord, _ number: Int) throws {
    guard let relationship = relationships[number][member.name] else { throw Unfit() }
    if relationship.isOrdered { hasOrder = true }
    // The sides of a one-to-one relationship need not fit.
    guard let inverse = relationship.inverseRelationship, relationship.isToMany || inverse.isToMany,
      let owner = record.id
    else { return }
    let names = [relationship, inverse].map { "\($0.entity.name ?? "").\($0.name)" }
    let isFirst = names[0] <= names[1], pair = ObjectIdentifier(isFirst ? relationship : inverse)
    for id in try ImportedReferences.ids(member.value, relationship, record.place) {
      if isFirst { balance[pair, default: 0] &+= Self.weight(owner, id) }
      if !isFirst || relationship === inverse { balance[pair, default: 0] &-= Self.weight(id, owner) }
    }
  }

  private static func weight(_ first: String, _ second: String) -> Int {
    var hasher = Hasher()
    hasher.combine(first)
    hasher.combine(second)
    return hasher.finalize()
  }

  // MARK: The second reading

  private func insert(_ record: ImportedRecord, _ series: ObjectSeries) throws {
    let number = numbers[record.entity] ?? 0
    let object = series.insert(try place(of: number, record))
    try ImportedAttributes.set(record, of: object)
    for member in record.relationships {
      guard let relationship = relationships[number][member.name] else { throw Unfit() }
      series.relate(object, member.name, to: try members(member.value, relationship, record.place))
    }
    try series.finish(object)
    count += 1
  }

  /// The place of the next object of an entity, in the order of the document.
  /// - Throws: a ``ToolError`` if the document has got more objects since its first reading, which no keys were reserved for.
  private func place(of number: Int, _ record: ImportedRecord) throws -> ObjectSeries.Place {
    guard next[roots[number], default: 0] < counts[roots[number], default: 0] else {
      throw ToolError("\(record.place): the source was changed while it was read. Nothing was imported.")
    }
    defer { next[roots[number], default: 0] += 1 }
    return ObjectSeries.Place(entities[number], next[roots[number]] ?? 0)
  }

  /// - Throws: a ``ToolError`` if the document has lost objects since its first reading: others may refer to them.
  private func requireAll() throws {
    guard counts.allSatisfy({ next[$0.key, default: 0] == $0.value }) else {
      throw ToolError("The source was changed while it was read. Nothing was imported.")
    }
  }

  private func members(
    _ value: ImportedField, _ relationship: NSRelationshipDescription, _ place: ImportedPlace
  ) throws -> [ObjectSeries.Place] {
    try ImportedReferences.ids(value, relationship, place).map { id in
      // Objects of the store, and those of another entity, are told from mistakes in the other way.
      guard let object = ids[id], let destination = relationship.destinationEntity,
        entities[Int(object.entity)].isKindOf(entity: destination)
      else { throw Unfit() }
      return ObjectSeries.Place(entities[Int(object.entity)], Int(object.number))
    }
  }

  /// Gives ordered relationships their order, when all members are there.
  private func arrange(_ source: ImportSource, _ series: ObjectSeries) throws {
    next = [:]
    try source.records(needs: .references) { record in
      let number = numbers[record.entity] ?? 0, place = try place(of: number, record)
      for member in record.relationships {
        guard let relationship = relationships[number][member.name], relationship.isOrdered else { continue }
        try series.arrange(place, member.name, try members(member.value, relationship, record.place))
      }
    }
  }
}

extension NSEntityDescription {
  /// The topmost of the entities that the entity inherits from.
  fileprivate var root: NSEntityDescription { superentity?.root ?? self }
}
