import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// A manager with the inferred mapping model gives the values that the inferred migration says.
@Suite struct MigrationDifferentialTests {
  private static let numbers: [NSAttributeType] = [
    .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType,
    .doubleAttributeType, .floatAttributeType, .decimalAttributeType,
  ]
  private static let others: [NSAttributeType] = [
    .stringAttributeType, .dateAttributeType, .binaryDataAttributeType, .UUIDAttributeType, .URIAttributeType,
    .transformableAttributeType,
  ]

  /// Every type of number to every other, and the rest as they are, renamed or not, optional or filled.
  private func models(_ random: inout SeededGenerator) -> (NSManagedObjectModel, NSManagedObjectModel) {
    var (before, after): ([NSAttributeDescription], [NSAttributeDescription]) = ([], [])
    for first in Self.numbers {
      for second in Self.numbers {
        let name = "n\(first.rawValue)x\(second.rawValue)"
        before.append(TestModel.attribute(name, first))
        after.append(TestModel.attribute(name, second))
      }
    }
    for type in Self.others {
      before.append(TestModel.attribute("o\(type.rawValue)", type))
      after.append(TestModel.attribute("o\(type.rawValue)", type))
    }
    after.append(TestModel.attribute("new", .stringAttributeType, optional: false, "fresh"))
    for attribute in after where attribute.name != "new" {
      if Bool.random(using: &random) {
        attribute.renamingIdentifier = attribute.name
        attribute.name = "renamed" + attribute.name
      }
      if Bool.random(using: &random), Self.numbers.contains(attribute.attributeType) {
        attribute.isOptional = false
        attribute.defaultValue = NSNumber(value: 1)
      }
    }
    let (old, new) = (NSManagedObjectModel(), NSManagedObjectModel())
    old.entities = [TestModel.entity("A", before + [TestModel.attribute("id", .integer64AttributeType)])]
    new.entities = [TestModel.entity("A", after + [TestModel.attribute("id", .integer64AttributeType)])]
    return (old, new)
  }

  private func number(_ type: NSAttributeType, isWild: Bool, _ random: inout SeededGenerator) -> NSNumber {
    let small = Int64.random(in: -30_000...30_000, using: &random)
    let wild = Int64.random(in: .min ... .max, using: &random)
    let whole = isWild ? wild : small
    switch type {
    case .integer16AttributeType: return NSNumber(value: Int16(truncatingIfNeeded: whole))
    case .integer32AttributeType: return NSNumber(value: Int32(truncatingIfNeeded: whole))
    case .integer64AttributeType: return NSNumber(value: whole)
    case .booleanAttributeType: return NSNumber(value: whole % 2 == 0)
    case .doubleAttributeType: return NSNumber(value: Double(small) / 7 * (isWild ? 1e10 : 1))
    case .floatAttributeType: return NSNumber(value: Float(small) / 3)
    default: return NSDecimalNumber(value: small).dividing(by: NSDecimalNumber(value: 8))
    }
  }

  @Test(arguments: RandomSeeds.seeds(4)) func valuesAreThoseOfTheInferredMigration(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (before, after) = models(&random)
    let stores = try MigrationStores(before, after)
    let migration = InferredMigration(from: before, to: after)
    let attributes = try #require(migration.entities.first).attributes
    // Values that do not fit stop a migration: mostly there are none.
    let isWild = seed.isMultiple(of: 4)
    try stores.fill { context in
      for id in 0..<40 {
        let object = context.make("A", ["id": id])
        for attribute in before.entities[0].attributesByName.values.sorted(by: { $0.name < $1.name }) {
          if attribute.name == "id" || Int.random(in: 0..<6, using: &random) == 0 { continue }
          let value: Any? =
            Self.numbers.contains(attribute.attributeType)
            ? number(attribute.attributeType, isWild: isWild, &random) : SampleValues.make(attribute, id)
          object.setValue(value, forKey: attribute.name)
        }
      }
    }
    func key(_ value: Any?) -> String { StoredValue.unwrapped(value).map { "\(type(of: $0)) \($0)" } ?? "nil" }
    var expected: [[String: String]] = []
    var failure: NSError?
    try MigrationStores.open(stores.source, before) { context in
      for object in try context.all("A", sortedBy: "id") {
        do {
          expected.append(
            try Dictionary(
              uniqueKeysWithValues: attributes.map { attribute in
                let value = try attribute.value(of: attribute.source.flatMap { object.value(forKey: $0.name) })
                // As the attribute gives it.
                let bare = NSManagedObject(entity: try #require(after.entitiesByName["A"]), insertInto: nil)
                bare.setValue(value, forKey: attribute.destination.name)
                return (attribute.destination.name, key(bare.value(forKey: attribute.destination.name)))
              }))
        } catch let error as NSError {
          failure = failure ?? error
        }
      }
    }
    guard failure == nil else {
      #expect(isWild, "SEED=\(seed): \(String(describing: failure))")
      let error = try #require(throws: NSError.self) { try stores.migrate(stores.inferred()) }
      #expect(error.code == 134110 && error.userInfo["entity"] as? String == "A" && error.userInfo["property"] != nil)
      #expect(try stores.newFiles() == [])
      return
    }
    #expect(!isWild, "SEED=\(seed)")
    try stores.migrate(stores.inferred())
    try stores.result { context in
      let objects = try context.all("A", sortedBy: "id")
      #expect(objects.count == expected.count)
      for (object, values) in zip(objects, expected) {
        for (name, value) in values { #expect(key(object.value(forKey: name)) == value, "SEED=\(seed): \(name)") }
      }
    }
  }

  /// The elements of a composite attribute, renamed and converted.
  @Test func compositeAttributes() throws {
    func model(_ second: String, _ type: NSAttributeType) -> NSManagedObjectModel {
      let place = NSCompositeAttributeDescription()
      place.name = "place"
      place.isOptional = true
      let first = TestModel.attribute("city", .stringAttributeType), other = TestModel.attribute(second, type)
      other.renamingIdentifier = "number"
      place.elements = [first, other]
      let model = NSManagedObjectModel()
      model.entities = [TestModel.entity("A", [place, TestModel.attribute("id", .integer64AttributeType)])]
      return model
    }
    let stores = try MigrationStores(model("number", .integer64AttributeType), model("house", .integer16AttributeType))
    try stores.fill { context in
      _ = context.make("A", ["id": 1, "place": ["city": "Rome", "number": 7] as [String: Any]])
      _ = context.make("A", ["id": 2])
    }
    try stores.migrate(stores.inferred())
    try stores.result { context in
      let places = try context.all("A", sortedBy: "id").map { $0.value(forKey: "place") as? [String: Any] }
      #expect(places[0]?["city"] as? String == "Rome" && places[0]?["house"] as? Int == 7 && places[1] == nil)
    }
    try FileManager.default.removeItem(at: stores.destination)
    try MigrationStores.open(stores.source, stores.models.source) { context in
      _ = context.make("A", ["id": 3, "place": ["number": 70_000]])
      try context.save()
    }
    let error = try #require(throws: NSError.self) { try stores.migrate(stores.inferred()) }
    #expect(error.code == 134110 && error.localizedDescription.contains("place.house"))
  }
}
