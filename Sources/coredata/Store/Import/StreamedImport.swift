import CommandSupport
import CoreData
import CoreDataTools
import Foundation
@_spi(Store) import OpenCoreData

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
  private var entities: [ImportedEntity]
  private let numbers: [String: Int]
  private var ids = ImportedIDs()
  private var counts: [String: Int] = [:]
  private var hasOrder = false
  /// For each pair of relationships that are inverse to each other: what one side says less what the other one says. It is zero
  /// if both say the same.
  private var balance: [ObjectIdentifier: UInt64] = [:]
  /// How many objects of each root entity have been passed in this reading.
  private var next: [String: Int] = [:]
  /// The entity of the last record; most records have that of the one before.
  private var lastNumber: (name: String, number: Int)?
  private(set) var count = 0

  /// - Parameter author: the author of the transaction in the history of a store that keeps one.
  init(
    _ coordinator: NSPersistentStoreCoordinator, _ store: NSPersistentStore, _ model: NSManagedObjectModel,
    author: String
  ) {
    (self.coordinator, self.store, self.model, self.author) = (coordinator, store, model, author)
    let entities = model.entities
    self.entities = entities.map { ImportedEntity($0, of: entities) }
    numbers = Dictionary(
      entities.indices.map { (entities[$0].name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
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
    guard ObjectSeries.isPossible(in: store, model.entities) else { throw Unfit() }
    try source.records(needs: .references) { record in
      let number = try number(of: record), root = entities[number].root
      let object = ImportedIDs.Object(entity: UInt32(number), number: UInt32(counts[root] ?? 0))
      counts[root, default: 0] += 1
      count += 1
      if let id = record.id {
        if !ids.add(id, object) { throw ToolError("\(record.place): the id “\(id)” is there twice.") }
      } else if entities[number].relationships.count > 0 {
        throw Unfit()
      }
      guard record.relationships.count == entities[number].relationships.count else { throw Unfit() }
      for member in record.relationships { try weigh(member, of: record, number) }
      progress("Reading", count)
    }
    guard balance.values.allSatisfy({ $0 == 0 }) else { throw Unfit() }
  }

  /// Adds what a side of a relationship says to the balance of its pair.
  private func weigh(_ member: ImportedMember, of record: ImportedRecord, _ number: Int) throws {
    guard let known = entities[number].relationships[member.name] else { throw Unfit() }
    if known.isOrdered { hasOrder = true }
    guard let pair = known.pair, let id = record.id else { return }
    let owner = PairWeight(id)
    var sum: UInt64 = 0
    try ImportedReferences.forEachID(member.value, known.relationship, record.place) { id in
      let other = PairWeight(id)
      if pair.isFirst { sum &+= owner.with(other) }
      if !pair.isFirst || pair.isItsOwn { sum &-= other.with(owner) }
    }
    if sum != 0 { balance[pair.id, default: 0] &+= sum }
  }

  // MARK: The second reading

  private func insert(_ record: ImportedRecord, _ series: ObjectSeries) throws {
    let number = try number(of: record)
    let object = series.insert(try place(of: number, record))
    try setAttributes(of: object, record, number, series)
    for member in record.relationships {
      guard let known = entities[number].relationships[member.name] else { throw Unfit() }
      if known.relationship.isToMany, case .list(let members) = member.value, members.isEmpty { continue }
      series.relate(object, known.slot, to: try members(member.value, known, record.place))
    }
    try series.finish(object)
    count += 1
  }

  private func setAttributes(
    of object: NSManagedObject, _ record: ImportedRecord, _ number: Int, _ series: ObjectSeries
  ) throws {
    for member in record.attributes {
      // The element of a composite attribute, or a mistake.
      guard let known = entities[number].attributes[member.name] else {
        return try ImportedAttributes.set(record, of: object)
      }
      if known.isDerived { continue }
      do {
        if let value = try ImportedValue.stored(member.value, known.kind) {
          series.set(value, known.slot, of: object)
        } else {
          try ImportedAttributes.set(member, known.attribute, of: object, record)
        }
      } catch let mismatch as ImportedValue.Mismatch {
        throw ImportedAttributes.error(mismatch, member, record)
      }
    }
  }

  /// The number of a record's entity, of which there can be objects.
  private func number(of record: ImportedRecord) throws -> Int {
    if let lastNumber, lastNumber.name == record.entity { return lastNumber.number }
    _ = try model.concreteEntity(record)
    let number = numbers[record.entity] ?? 0
    lastNumber = (record.entity, number)
    return number
  }

  /// The place of the next object of an entity, in the order of the document.
  /// - Throws: a ``ToolError`` if the document has got more objects since its first reading, which no keys were reserved for.
  private func place(of number: Int, _ record: ImportedRecord) throws -> ObjectSeries.Place {
    let root = entities[number].root, place = next[root, default: 0]
    guard place < counts[root, default: 0] else {
      throw ToolError("\(record.place): the source was changed while it was read. Nothing was imported.")
    }
    next[root] = place + 1
    return ObjectSeries.Place(entities[number].entity, place)
  }

  /// - Throws: a ``ToolError`` if the document has lost objects since its first reading: others may refer to them.
  private func requireAll() throws {
    guard counts.allSatisfy({ next[$0.key, default: 0] == $0.value }) else {
      throw ToolError("The source was changed while it was read. Nothing was imported.")
    }
  }

  private func members(
    _ value: ImportedField, _ known: ImportedEntity.Relationship, _ place: ImportedPlace
  ) throws -> [ObjectSeries.Place] {
    var result: [ObjectSeries.Place] = []
    try ImportedReferences.forEachID(value, known.relationship, place) { id in
      // Objects of the store, and those of another entity, are told from mistakes in the other way.
      guard let object = ids[id], known.takes[Int(object.entity)] else { throw Unfit() }
      result.append(ObjectSeries.Place(entities[Int(object.entity)].entity, Int(object.number)))
    }
    return result
  }

  /// Gives ordered relationships their order, when all members are there.
  private func arrange(_ source: ImportSource, _ series: ObjectSeries) throws {
    next = [:]
    try source.records(needs: .references) { record in
      let number = try number(of: record), place = try place(of: number, record)
      for member in record.relationships {
        guard let known = entities[number].relationships[member.name], known.isOrdered else { continue }
        try series.arrange(place, member.name, try members(member.value, known, record.place))
      }
    }
  }
}

/// A number for an id, and for pairs of ids. Sums of the pairs' numbers are equal where the pairs are the same.
private struct PairWeight {
  private let value: UInt64

  init(_ id: String) {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325, id = id
    id.withUTF8 { bytes in for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 } }
    self.value = value
  }

  func with(_ other: PairWeight) -> UInt64 {
    // The order of the two matters, and each bit of them for all bits of the result.
    var mixed = (value &* 0x9E37_79B9_7F4A_7C15) ^ other.value
    mixed = (mixed ^ mixed >> 31) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 29) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 32
  }
}
