import CoreData
import Foundation
import Testing

import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

/// Stores that are damaged at random, and what a program does with them.
struct DamagedStore {
  var random: SeededGenerator
  let file: URL
  let model: NSManagedObjectModel
  /// Whether everything can be read: then faults fire, too, which cannot throw.
  var isReadable = false
  /// Whether to print what is done.
  let isVerbose: Bool

  /// A small store with every kind of value and relationship, closed: its bytes are the same for the same seed.
  static func make(_ file: URL, _ model: NSManagedObjectModel) throws {
    let coordinator = try TestModel.coordinator(model, url: file)
    try coordinator.inContext { context in
      var made: [NSManagedObject] = []
      for number in 0..<60 {
        for entity in model.entities.sorted(by: { $0.name! < $1.name! }) {
          let object = NSManagedObject(entity: entity, insertInto: context)
          for attribute in entity.attributesByName.values where !attribute.isTransient && number % 5 != 0 {
            if let value = SampleValues.make(attribute, number) { object.setValue(value, forKey: attribute.name) }
          }
          for relationship in entity.relationshipsByName.values.sorted(by: { $0.name < $1.name }) where number % 3 != 0
          {
            guard let destination = relationship.destinationEntity,
              let member = made.last(where: { $0.entity.isKindOf(entity: destination) })
            else { continue }
            if relationship.isOrdered {
              object.mutableOrderedSetValue(forKey: relationship.name).add(member)
            } else if relationship.isToMany {
              object.mutableSetValue(forKey: relationship.name).add(member)
            } else {
              object.setValue(member, forKey: relationship.name)
            }
          }
          made.append(object)
        }
      }
      try context.save()
    }
    try coordinator.remove(try #require(coordinator.persistentStores.first))
  }

  /// Albums with ordered tracks and ordered guests, archives, large data and what is derived from them.
  static func albums() -> NSManagedObjectModel {
    let cover = TestModel.attribute("cover", .binaryDataAttributeType)
    cover.allowsExternalBinaryDataStorage = true
    let count = NSDerivedAttributeDescription()
    (count.name, count.attributeType, count.isOptional) = ("count", .integer64AttributeType, true)
    count.derivationExpression = NSExpression(format: "tracks.@count")
    let album = TestModel.entity(
      "Album", [TestModel.attribute("name", .stringAttributeType), cover, count])
    let track = TestModel.entity(
      "Track",
      [TestModel.attribute("name", .stringAttributeType), TestModel.attribute("words", .transformableAttributeType)])
    let live = TestModel.entity("Live", [TestModel.attribute("place", .URIAttributeType)], parent: track)
    let artist = TestModel.entity("Artist", [TestModel.attribute("name", .stringAttributeType)])
    TestModel.relate(album, "tracks", max: 0, track, "album", max: 1, rule: .cascadeDeleteRule)
    TestModel.relate(album, "guests", max: 0, artist, "albums", max: 0)
    for (entity, name) in [(album, "tracks"), (album, "guests"), (artist, "albums")] {
      entity.relationshipsByName[name]?.isOrdered = true
    }
    let model = NSManagedObjectModel()
    model.entities = [album, track, live, artist]
    return model
  }

  // MARK: Damage

  /// Changes bytes: single ones, runs, whole pages, the end.
  mutating func damageBytes(_ original: Data) throws {
    var bytes = original
    func place(_ random: inout SeededGenerator) -> Int {
      // The header and the schema are a small part of the file, and most worth damaging.
      Bool.random(using: &random)
        ? Int.random(in: 0..<bytes.count, using: &random) : Int.random(in: 0..<4096, using: &random)
    }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let start = place(&random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: bytes = bytes.prefix(start)
      case 1:
        let page = start / 4096 * 4096, other = place(&random) / 4096 * 4096
        if other + 4096 <= bytes.count, page + 4096 <= bytes.count {
          bytes.replaceSubrange(page..<page + 4096, with: bytes[other..<other + 4096])
        }
      case 2:
        let length = min(Int.random(in: 1...512, using: &random), bytes.count - start)
        for index in start..<start + length { bytes[index] = UInt8.random(in: 0...255, using: &random) }
      default: bytes[start] = UInt8.random(in: 0...255, using: &random)
      }
      if bytes.count < 4096 { break }
    }
    try bytes.write(to: file)
  }

  /// Puts values where the framework would never put them.
  mutating func damageValues() throws {
    let database = try PlainDatabase(file)
    let values = [
      "NULL", "0", "-1", "99", "1e300", "-1e999", "9223372036854775807", "-9223372036854775808", "0.5", "''", "'abc'",
      "'12abc'", "X''", "X'FF00FE'", "CAST(X'FFFE80' AS TEXT)", "CAST(X'610062' AS TEXT)", "zeroblob(70000)",
      "hex(zeroblob(5000))", "'nan'", "X'02414243'", "char(55357)", "'2021-01-01'",
    ]
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      guard let table = try database.tables().randomElement(using: &random),
        let column = try database.columns(table).randomElement(using: &random)
      else { continue }
      let row = Int.random(in: 0..<10, using: &random)
      let condition = row == 0 ? "1" : "rowid IN (SELECT rowid FROM \"\(table)\" LIMIT 1 OFFSET \(row - 1))"
      let value = values.randomElement(using: &random) ?? "NULL"
      run("UPDATE \"\(table)\" SET \"\(column)\" = \(value) WHERE \(condition)", database)
    }
    isReadable = true
    if Int.random(in: 0..<12, using: &random) == 0, let table = try database.tables().randomElement(using: &random) {
      let column = try database.columns(table).randomElement(using: &random) ?? ""
      isReadable = false
      run(
        Bool.random(using: &random) ? "DROP TABLE \"\(table)\"" : "ALTER TABLE \"\(table)\" DROP COLUMN \"\(column)\"",
        database)
    }
  }

  /// What a column cannot hold is refused.
  private func run(_ statement: String, _ database: PlainDatabase) {
    let isDone = (try? database.rows(statement)) != nil
    if isVerbose { print(isDone ? "" : "refused: ", statement, separator: "") }
  }

  // MARK: Use

  /// Opens the store, reads everything, changes something and saves: every step is right or an error with Apple's domain.
  func use() {
    func attempt(_ body: () throws -> Void) {
      do { try body() } catch {
        if isVerbose { print(error) }
        let error = error as NSError
        #expect(error.domain == NSCocoaErrorDomain && !error.localizedDescription.isEmpty, "\(error)")
      }
    }
    attempt { _ = try StoredModel(contentsOf: file) }
    attempt { _ = try StoreCheck.errors(file) }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    attempt {
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: file,
        options: [NSPersistentStoreTimeoutOption: NSNumber(value: 0.2)])
    }
    guard let store = coordinator.persistentStores.first else { return }
    let context = TestModel.context(coordinator)
    context.performAndWait {
      for entity in model.entities.sorted(by: { $0.name! < $1.name! }) {
        attempt { try read(entity, context) }
      }
      attempt {
        let entity = model.entities.sorted { $0.name! < $1.name! }[0]
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name!)
        request.fetchLimit = 1
        let new = NSManagedObject(entity: entity, insertInto: context)
        for object in try context.fetch(request) + [new] {
          if object.entity.attributesByName["name"] != nil { object.setValue("changed", forKey: "name") }
        }
        try context.save()
      }
      if isReadable {
        for entity in model.entities {
          attempt {
            for object in try context.all(entity.name!).prefix(2) { context.delete(object) }
            try context.save()
          }
        }
      }
      context.reset()
    }
    attempt { try coordinator.remove(store) }
  }

  /// Every value of every object. Relationships are read by the fetch, which can throw; a fault cannot.
  private func read(_ entity: NSEntityDescription, _ context: NSManagedObjectContext) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity.name!)
    if !isReadable {
      request.relationshipKeyPathsForPrefetching = Array(entity.relationshipsByName.keys)
      request.returnsObjectsAsFaults = false
    }
    for object in try context.fetch(request) {
      for attribute in object.entity.attributesByName.keys { _ = object.value(forKey: attribute) }
      for relationship in entity.relationshipsByName.values {
        let value = object.value(forKey: relationship.name)
        if !relationship.isToMany {
          #expect(value == nil || value is NSManagedObject)
        } else if relationship.isOrdered {
          #expect(value is NSOrderedSet)
        } else {
          #expect(value is NSSet)
        }
        guard isReadable else { continue }
        let members = (value as? NSSet)?.allObjects ?? (value as? NSOrderedSet)?.array ?? value.map { [$0] } ?? []
        for case let member as NSManagedObject in members {
          for attribute in member.entity.attributesByName.keys { _ = member.value(forKey: attribute) }
        }
      }
      _ = object.description
    }
    request.relationshipKeyPathsForPrefetching = nil
    request.predicate = NSPredicate(format: "%K != nil", entity.attributesByName.keys.sorted()[0])
    request.sortDescriptors = [NSSortDescriptor(key: entity.attributesByName.keys.sorted()[0], ascending: true)]
    _ = try context.count(for: request)
    _ = try context.fetch(request)
  }
}
