import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Every store that Apple's framework wrote, read for reading only with its model's file and with its cache, beside SQL.
@Suite(.enabled(if: Corpus.isThere, "the corpus of stores is not there"))
struct CorpusReadingTests {
  private struct Tally {
    var entities = 0, rows = 0, values = 0, undecodable = 0, walked = 0
  }

  @Test(arguments: CorpusStore.all, CorpusStore.Source.allCases)
  func everythingIsWhatSQLReads(store: CorpusStore, source: CorpusStore.Source) throws {
    CorpusTransformer.register()
    guard let (model, configuration) = try store.model(from: source) else {
      let reason = store.reasonWithoutModel(source)
      #expect(reason != nil, "no model by \(source.rawValue)")
      print("corpus \(store): no model by \(source.rawValue), \(reason ?? "and nobody knows why")")
      return
    }
    let url = try store.copy(index: source == .cache)
    let before = try FolderContents(url.deletingLastPathComponent())
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let opened = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: configuration, at: url,
      options: [NSReadOnlyPersistentStoreOption: NSNumber(true)])
    let entities = (model.entities(forConfigurationName: configuration) ?? []).sorted { $0.name! < $1.name! }
    let plain = try PlainGraph(store.copy(), entities)
    let uuid = try #require(plain.database.strings("SELECT Z_UUID FROM Z_METADATA").first)
    #expect(opened.identifier == uuid)
    let context = TestModel.context(coordinator)
    var tally = Tally()
    try context.performAndWait {
      for entity in entities {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name!)
        request.includesSubentities = false
        let objects = try context.fetch(request)
        let rows = plain.rows(of: entity)
        #expect(objects.count == rows.count, "\(entity.name!)")
        #expect(try context.count(for: request) == rows.count, "\(entity.name!)")
        tally.entities += 1
        tally.rows += objects.count
        guard !objects.isEmpty else { continue }
        try compareValues(objects, entity, rows, plain, uuid, &tally)
        try walk(objects, entity, plain, &tally)
      }
      #expect(!context.hasChanges)
      context.reset()
    }
    try coordinator.remove(opened)
    let after = try FolderContents(url.deletingLastPathComponent())
    #expect(after.files.keys.sorted() == before.files.keys.sorted())
    // The index of a log is where readers say how far they have read.
    for (name, bytes) in before.files where !name.hasSuffix("-shm") { #expect(after.files[name] == bytes, "\(name)") }
    print(
      "corpus \(store) by \(source.rawValue): \(tally.entities) entities, \(tally.rows) rows, \(tally.values) values, "
        + "\(tally.walked) relationships walked, \(tally.undecodable) values of classes that are not here")
    try FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }

  private func key(_ object: NSManagedObject) -> Int64 {
    Int64(object.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0
  }

  // MARK: Attributes

  private func compareValues(
    _ objects: [NSManagedObject], _ entity: NSEntityDescription, _ rows: [Int64: [String: PlainValue]],
    _ plain: PlainGraph, _ uuid: String, _ tally: inout Tally
  ) throws {
    let attributes = entity.attributesByName.values.filter { !$0.isTransient }
    #expect(
      Set(entity.propertiesByName.keys.map { $0.uppercased() }).count == entity.propertiesByName.count,
      "\(entity.name!) has names that differ in case only: their columns have digits")
    for object in objects {
      #expect(
        object.objectID.uriRepresentation().absoluteString == "x-coredata://\(uuid)/\(entity.name!)/p\(key(object))")
      guard let row = rows[key(object)] else { Issue.record("no row for \(object.objectID)"); continue }
      for attribute in attributes {
        let column = plain.column(attribute.name, in: entity)
        guard let stored = row[column] else { Issue.record("no column \(column) for \(entity.name!)"); continue }
        let value = object.value(forKey: attribute.name)
        tally.values += 1
        if attribute.attributeType == .transformableAttributeType, value == nil, stored != .null {
          tally.undecodable += 1
          // Thousands of them: expectations would describe each.
          do {
            _ = try object.transformedValue(forKey: attribute.name)
            Issue.record("\(object.objectID) \(attribute.name): nil where SQL reads \(stored)")
          } catch  where (error as NSError).localizedDescription.contains(attribute.name) {
          } catch {
            Issue.record(error)
          }
          continue
        }
        if !stored.isStored(value, for: attribute) {
          Issue.record("\(object.objectID) \(attribute.name): \(value ?? "nil") where SQL reads \(stored)")
        }
      }
    }
  }

  // MARK: Relationships

  /// Every relationship against SQL, and from each member back.
  private func walk(
    _ objects: [NSManagedObject], _ entity: NSEntityDescription, _ plain: PlainGraph, _ tally: inout Tally
  ) throws {
    for relationship in entity.relationshipsByName.values where !relationship.isTransient {
      let expected = try plain.members(relationship, of: entity)
      for object in objects {
        let value = object.value(forKey: relationship.name)
        let found = members(value)
        let keys = found.map { PlainKey(table: PlainGraph.table($0.entity), key: key($0)) }
        let stored = expected[key(object)] ?? []
        let name = "\(object.objectID) \(relationship.name)"
        if relationship.isToMany {
          #expect(value is NSSet || value is NSOrderedSet, "\(name)")
          if relationship.isOrdered {
            #expect(value is NSOrderedSet && keys == stored, "\(name)")
          } else {
            #expect(keys.count == stored.count && Set(keys) == Set(stored), "\(name)")
          }
        } else {
          #expect(keys == stored, "\(name)")
          if let member = found.first, relationship.destinationEntity?.subentities.isEmpty == false {
            let number = plain.tables[PlainGraph.table(member.entity)]?[key(member)]?["Z_ENT"]?.integer
            #expect(plain.numbers[member.entity.name!] == number, "\(name)")
          }
        }
        tally.walked += 1
        guard let inverse = relationship.inverseRelationship else { continue }
        for member in found where !members(member.value(forKey: inverse.name)).contains(where: { $0 === object }) {
          Issue.record("\(name): its member \(member.objectID) does not lead back by \(inverse.name)")
        }
      }
    }
  }

  private func members(_ value: Any?) -> [NSManagedObject] {
    switch value {
    case let object as NSManagedObject: [object]
    case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
    case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
    default: []
    }
  }
}
