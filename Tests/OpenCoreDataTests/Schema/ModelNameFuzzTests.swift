import CoreData
import Foundation
import FuzzSupport
import Testing

@_spi(Store) @testable import OpenCoreData

/// Models with random names: one is refused with an error that names the place, or its objects are kept, found and migrated
/// and no other table is touched.
@Suite struct ModelNameFuzzTests {
  private static let words = [
    "name", "NAME", "Name1", "select", "Z_PK", "_PK", "_ent", "_OPT", "_1items", "_FOK_items", "x1items", "_METADATA",
    "_PRIMARYKEY",
    "größe", "ß", "SS", "ı", "i", "I", "é", "🦊", "rowid", "oid", "_rowid_", "items", "ITEMS", "owner", "1items",
    "2items",
    "a b", "'", "\"", ";", ")", "\u{0}", "", ".", "--", "\n", "%", "a$", "\u{202e}", "\u{feff}x",
  ]

  private static func name(_ random: inout SeededGenerator, isHostile: Bool) -> String {
    let plain = words.filter(\.isPlainName)
    var name = (isHostile ? words : plain).randomElement(using: &random)!
    if Int.random(in: 0..<3, using: &random) == 0 { name += plain.randomElement(using: &random)! }
    if Int.random(in: 0..<6, using: &random) == 0 { name = name.uppercased() }
    return name
  }

  private static func names(_ count: Int, _ random: inout SeededGenerator, isHostile: Bool) -> [String] {
    var names: [String] = []
    while names.count < count {
      let name = name(&random, isHostile: isHostile)
      if !names.contains(name), name.lowercased() != "self" { names.append(name) }
    }
    return names
  }

  /// What a model is made of, so that it can be made twice.
  private struct Plan {
    let entities: [String]
    let attributes: [[String]]
    /// Names of a relationship and its inverse between two entities, and whether each is to-many.
    let relationships: [(from: Int, to: Int, name: String, inverse: String, max: Int, inverseMax: Int)]
    let isIndexed: Bool

    init(_ random: inout SeededGenerator, isHostile: Bool) {
      entities = names(Int.random(in: 1...3, using: &random), &random, isHostile: isHostile)
      var attributes: [[String]] = []
      var relationships: [(Int, Int, String, String, Int, Int)] = []
      let count = entities.count
      var pools = (0..<count).map { _ in names(9, &random, isHostile: isHostile) }
      for place in 0..<count { attributes.append((0..<3).map { _ in pools[place].removeLast() }) }
      for place in 0..<count {
        let other = Int.random(in: 0..<count, using: &random)
        relationships.append(
          (
            place, other, pools[place].removeLast(), pools[other].removeLast(), Int.random(in: 0...1, using: &random),
            Int.random(in: 0...1, using: &random)
          ))
      }
      self.attributes = attributes
      self.relationships = relationships
      isIndexed = Bool.random(using: &random)
    }

    /// - Parameter change: whether the first attribute has another name, and there is one more.
    func model(changed: String? = nil) -> NSManagedObjectModel {
      let made = zip(entities, attributes).map { name, attributes in
        TestModel.entity(name, attributes.map { TestModel.attribute($0, .stringAttributeType) })
      }
      for (from, to, name, inverse, max, inverseMax) in relationships {
        TestModel.relate(made[from], name, max: max, made[to], inverse, max: inverseMax)
      }
      if isIndexed {
        for (entity, names) in zip(made, attributes) {
          let element = NSFetchIndexElementDescription(
            property: entity.propertiesByName[names[1]]!, collationType: .binary)
          entity.indexes = [NSFetchIndexDescription(name: names[2], elements: [element])]
        }
      }
      if let changed {
        made[0].properties[0].renamingIdentifier = attributes[0][0]
        made[0].properties[0].name = changed
        made[0].properties.append(TestModel.attribute(changed + "x", .stringAttributeType))
      }
      let model = NSManagedObjectModel()
      model.entities = made
      return model
    }
  }

  @Test func namesOfAnyKind() throws {
    try FuzzCampaign("model names", cases: 12).run { seed in
      var random = SeededGenerator(seed: seed)
      let isHostile = Int.random(in: 0..<3, using: &random) == 0
      let plan = Plan(&random, isHostile: isHostile)
      let file = try TestModel.temporaryFile()
      defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
      let all = plan.entities + plan.attributes.flatMap { $0 } + plan.relationships.flatMap { [$0.name, $0.inverse] }
      do {
        let coordinator = try TestModel.coordinator(plan.model(), url: file)
        #expect(all.allSatisfy { $0.isPlainName }, "case \(seed): \(all) were taken")
        try fill(plan, coordinator, seed)
        try coordinator.remove(coordinator.persistentStores[0])
      } catch let error as NSError where error.code == NSPersistentStoreIncompatibleSchemaError {
        #expect(!all.allSatisfy { $0.isPlainName }, "case \(seed): \(all) were refused: \(error)")
        #expect(!FileManager.default.fileExists(atPath: file.path))
        return
      }
      let changed = "changed" + plan.attributes[0][0]
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: plan.model(changed: changed))
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: file,
        options: [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true])
      try check(plan, coordinator, changed: changed, seed)
      let schema = coordinator.sqlStores[0].schema
      try coordinator.remove(coordinator.persistentStores[0])
      let tables = try PlainDatabase(file).rows("SELECT name FROM sqlite_master WHERE type = 'table'").map {
        $0[0].text!
      }
      let expected =
        ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"] + schema.tables.flatMap { [$0.name] + $0.joinTables.map(\.name) }
      #expect(Set(tables) == Set(expected) && tables.count == expected.count, "case \(seed): \(tables)")
    }
  }

  private func fill(_ plan: Plan, _ coordinator: NSPersistentStoreCoordinator, _ seed: UInt64) throws {
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let objects = zip(plan.entities, plan.attributes).map { entity, names in
        context.insert(entity, Dictionary(uniqueKeysWithValues: names.map { ($0, "\(entity) \($0)") }))
      }
      for relationship in plan.relationships {
        let other = objects[relationship.to]
        objects[relationship.from].set(relationship.max == 1 ? other : [other], forKey: relationship.name)
      }
      try context.save()
    }
    try check(plan, coordinator, changed: nil, seed)
  }

  private func check(
    _ plan: Plan, _ coordinator: NSPersistentStoreCoordinator, changed: String?, _ seed: UInt64
  ) throws {
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      for (place, entity) in plan.entities.enumerated() {
        for name in plan.attributes[place] {
          let key = place == 0 && name == plan.attributes[0][0] ? changed ?? name : name
          let request = NSFetchRequest<NSManagedObject>(entityName: entity)
          request.predicate = NSPredicate(format: "%K == %@", key, "\(entity) \(name)")
          request.sortDescriptors = [NSSortDescriptor(key: key, ascending: false)]
          #expect(try context.fetch(request).count == 1, "case \(seed): \(entity).\(key)")
        }
      }
      for relationship in plan.relationships {
        let object = try context.all(plan.entities[relationship.from]).first
        let value = object?.value(forKey: relationship.name)
        let member = relationship.max == 1 ? value as? NSManagedObject : (value as? Set<NSManagedObject>)?.first
        #expect(member?.entity.name == plan.entities[relationship.to], "case \(seed): \(relationship)")
      }
    }
  }
}
