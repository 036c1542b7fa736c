import Foundation

/// The associations of source objects with the destination objects made of them, by entity mapping. Of saved objects,
/// only the keys are held.
struct MigrationAssociations {
  /// The associations of one entity mapping.
  private struct Table {
    var destinations: [Reference: References] = [:]
    var sources: [Reference: References] = [:]
    /// The destination objects in the order in which they were made; `sources` has the source objects of each.
    var made: ContiguousArray<Reference> = []
    var given: ContiguousArray<Reference> = []

    mutating func add(_ source: Reference, _ destination: Reference) {
      if let known = destinations[source] {
        destinations[source] = known.adding(destination)
      } else {
        destinations[source] = .one(destination)
        given.append(source)
      }
      if let known = sources[destination] {
        sources[destination] = known.adding(source)
      } else {
        sources[destination] = .one(source)
        made.append(destination)
      }
    }
  }

  /// Objects that are not saved yet.
  private struct Pending {
    var pairs: [(source: Reference, destination: NSManagedObject)] = []
    var bySource: [Reference: [NSManagedObject]] = [:]
    var byDestination: [ObjectIdentifier: [Reference]] = [:]
  }

  private var tables: [String: Table] = [:]
  private var pending: [String: Pending] = [:]
  private var deleted: Set<Reference> = []
  private var places: [URL] = []
  private let source: [Int32: NSEntityDescription]
  private let destination: [Int32: NSEntityDescription]

  init(source: NSManagedObjectModel, destination: NSManagedObjectModel) {
    self.source = Self.entities(of: source)
    self.destination = Self.entities(of: destination)
  }

  private static func entities(of model: NSManagedObjectModel) -> [Int32: NSEntityDescription] {
    // A model with an entity that is too large is refused when the migration begins.
    guard (try? model.prepareWithinLimits()) != nil else { return [:] }
    let entities = model.entities.map { (Int32(truncatingIfNeeded: $0.layout.number), $0) }
    return Dictionary(entities, uniquingKeysWith: { first, _ in first })
  }

  mutating func removeAll() {
    (tables, pending, deleted, places) = ([:], [:], [], [])
  }

  /// Removes the associations if they are those of other stores.
  mutating func prepare(for source: URL, _ destination: URL) {
    let places = [source.standardizedFileURL, destination.standardizedFileURL]
    if self.places != places { removeAll() }
    self.places = places
  }

  // MARK: Adding

  mutating func add(_ source: NSManagedObject, _ destination: NSManagedObject, _ mapping: String) {
    let reference = Reference(source)
    if destination.key > 0 { return tables[mapping, default: Table()].add(reference, Reference(destination)) }
    let known = pending[mapping]?.byDestination[ObjectIdentifier(destination)] ?? []
    if known.contains(reference) { return }
    pending[mapping, default: Pending()].pairs.append((reference, destination))
    pending[mapping]?.bySource[reference, default: []].append(destination)
    pending[mapping]?.byDestination[ObjectIdentifier(destination), default: []].append(reference)
  }

  /// To be called after a save: new objects have keys now. An object without a key was deleted before the save.
  mutating func settle() {
    for (mapping, pending) in pending {
      for (source, destination) in pending.pairs where destination.key > 0 {
        tables[mapping, default: Table()].add(source, Reference(destination))
      }
    }
    pending = [:]
  }

  /// Leaves out objects that the next save deletes.
  mutating func remove(_ objects: some Sequence<NSManagedObject>) {
    for object in objects where object.key > 0 { deleted.insert(Reference(object)) }
  }

  // MARK: Looking up

  /// The names of the mappings that have made objects, sorted.
  var names: [String] { tables.keys.sorted() }

  /// The destination objects that a mapping has made so far, in the order in which they were made.
  func made(by mapping: String) -> ContiguousArray<Reference> {
    let made = tables[mapping]?.made ?? []
    return deleted.isEmpty ? made : made.filter { !deleted.contains($0) }
  }

  /// The number of source objects from which a mapping has made objects.
  func givenCount(of mapping: String) -> Int { tables[mapping]?.given.count ?? 0 }

  func destinations(
    _ mapping: String, of objects: [NSManagedObject]?, _ stack: MigrationStack?
  ) -> [NSManagedObject] {
    guard let stack else { return [] }
    guard let objects else {
      let saved = instances(made(by: mapping), destination, stack)
      return saved + (pending[mapping].map { distinct($0.pairs.map(\.destination)) } ?? [])
    }
    guard let table = tables[mapping] ?? (pending[mapping] == nil ? nil : Table()) else { return [] }
    let new = pending[mapping]
    var result: [NSManagedObject] = []
    for object in objects {
      let reference = Reference(object)
      if let found = table.destinations[reference] {
        let kept = deleted.isEmpty ? found.all : found.all.filter { !deleted.contains($0) }
        result += instances(kept, destination, stack)
      }
      if let found = new?.bySource[reference] { result += found }
    }
    return distinct(result)
  }

  func sources(
    _ mapping: String, of objects: [NSManagedObject]?, _ stack: MigrationStack?
  ) -> [NSManagedObject] {
    guard let stack else { return [] }
    guard let objects else {
      let new = pending[mapping]?.pairs.map(\.source) ?? []
      return distinct(instances((tables[mapping]?.given ?? []) + new, source, stack))
    }
    var result: [Reference] = []
    for object in objects {
      if object.key > 0 {
        result += tables[mapping]?.sources[Reference(object)]?.all ?? []
      } else {
        result += pending[mapping]?.byDestination[ObjectIdentifier(object)] ?? []
      }
    }
    return distinct(instances(result, source, stack))
  }

  /// All destination objects made of one source object, in the order of the mappings.
  func destinations(of object: NSManagedObject, _ mappings: [String], _ stack: MigrationStack?) -> [NSManagedObject] {
    distinct(mappings.flatMap { destinations($0, of: [object], stack) })
  }

  /// Returns the destination objects of references, in fault batches, so that they fire together.
  func destinationInstances(_ references: some Collection<Reference>, _ stack: MigrationStack) -> [NSManagedObject] {
    instances(references, destination, stack)
  }

  /// Puts the source objects of these destination objects into a fault batch, so that they fire together. Their order
  /// does not matter.
  func prepareSources(_ mapping: String, of references: some Collection<Reference>, _ stack: MigrationStack)
    -> [NSManagedObject]
  {
    guard let table = tables[mapping] else { return [] }
    return instances(references.flatMap { table.sources[$0]?.all ?? [] }, source, stack)
  }

  private func instances(
    _ references: some Collection<Reference>, _ entities: [Int32: NSEntityDescription], _ stack: MigrationStack
  ) -> [NSManagedObject] {
    var faultBatches: [Int32: FaultBatch] = [:]
    return references.compactMap { reference in
      guard let layout = entities[reference.entity]?.layout else { return nil }
      let object = stack.context.objects.faultObject(key: reference.key, layout: layout, store: stack.store)
      if references.count > 1, object.isUnread, object.faultBatch == nil {
        let faultBatch =
          faultBatches[reference.entity]
          ?? FaultBatch(
            ContiguousArray(references.lazy.filter { $0.entity == reference.entity }.map(\.key)), layout: layout)
        faultBatches[reference.entity] = faultBatch
        object.faultBatch = faultBatch
      }
      return object
    }
  }

  private func distinct(_ objects: [NSManagedObject]) -> [NSManagedObject] {
    guard objects.count > 1 else { return objects }
    var seen: Set<ObjectIdentifier> = []
    return objects.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}
