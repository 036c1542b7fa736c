import CoreData
import Foundation
import Testing

import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

/// The steps of migration policies, and what expressions call.
@Suite struct MigrationPolicyTests {
  private static let before = """
    <entity name='Person'><attribute name='name' attributeType='String' optional='YES'/>
      <attribute name='city' attributeType='String' optional='YES'/>
      <relationship name='pets' optional='YES' toMany='YES' destinationEntity='Pet' inverseName='owner'
        inverseEntity='Pet'/></entity>
    <entity name='Pet'><attribute name='name' attributeType='String' optional='YES'/>
      <relationship name='owner' optional='YES' maxCount='1' destinationEntity='Person' inverseName='pets'
        inverseEntity='Person'/></entity>
    """
  /// Cities are objects of their own.
  private static let after = """
    <entity name='Person'><attribute name='name' attributeType='String' optional='YES'/>
      <attribute name='note' attributeType='String' optional='YES'/>
      <relationship name='home' optional='YES' maxCount='1' destinationEntity='City' inverseName='people'
        inverseEntity='City'/>
      <relationship name='pets' optional='YES' toMany='YES' destinationEntity='Pet' inverseName='owner'
        inverseEntity='Pet'/></entity>
    <entity name='City'><attribute name='name' attributeType='String' optional='YES'/>
      <relationship name='people' optional='YES' toMany='YES' destinationEntity='Person' inverseName='home'
        inverseEntity='Person'/></entity>
    <entity name='Pet'><attribute name='name' attributeType='String' optional='YES'/>
      <relationship name='owner' optional='YES' maxCount='1' destinationEntity='Person' inverseName='pets'
        inverseEntity='Person'/></entity>
    """

  private func stores() throws -> MigrationStores {
    let stores = try MigrationStores(MigrationFixture.model(Self.before), MigrationFixture.model(Self.after))
    try stores.fill { context in
      for (number, city) in ["Rome", "Oslo", "Rome"].enumerated() {
        let person = context.make("Person", ["name": "p\(number)", "city": city])
        context.make("Pet", ["name": "pet \(number)"]).setValue(person, forKey: "owner")
      }
    }
    return stores
  }

  private func mapping(
    _ source: String?, _ destination: String?, _ attributes: [String: String] = [:],
    _ relationships: [String: String] = [:], policy: String? = nil, filter: String? = nil
  ) throws -> NSEntityMapping {
    let mapping = NSEntityMapping()
    mapping.name = [source, destination].compactMap { $0 }.joined(separator: "To")
    (mapping.sourceEntityName, mapping.destinationEntityName) = (source, destination)
    mapping.mappingType = policy == nil ? .transformEntityMappingType : .customEntityMappingType
    mapping.entityMigrationPolicyClassName = policy
    mapping.attributeMappings = try attributes.sorted { $0.key < $1.key }
      .map { NSPropertyMapping($0.key, try NSExpression(parsing: $0.value)) }
    mapping.relationshipMappings = try relationships.sorted { $0.key < $1.key }
      .map { NSPropertyMapping($0.key, try NSExpression(parsing: $0.value)) }
    if let source { mapping.sourceExpression = MappingFunction.objects(of: source, where: filter ?? "TRUEPREDICATE") }
    return mapping
  }

  private func model(_ mappings: NSEntityMapping...) -> NSMappingModel {
    let model = NSMappingModel()
    model.entityMappings = mappings
    return model
  }

  // MARK: Steps

  /// Writes down every call.
  class Recorder: NSEntityMigrationPolicy {
    private func note(_ step: String, _ mapping: NSEntityMapping, _ manager: NSMigrationManager) {
      (manager.userInfo?["log"] as? NSMutableArray)?.add("\(mapping.name ?? "") \(step)")
      #expect(
        manager.currentEntityMapping === mapping && manager.mappingModel.entityMappings.contains { $0 === mapping })
    }

    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
      note("begin", mapping, manager)
    }

    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      note("create \(sInstance.text("name") ?? "")", mapping, manager)
      #expect(sInstance.managedObjectContext === manager.sourceContext)
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
      #expect(made.count == 1 && made[0].managedObjectContext === manager.destinationContext)
      #expect(manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: made) == [sInstance])
    }

    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      note("endInstances", mapping, manager)
      #expect(manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil).count == 3)
      #expect(manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: nil).count == 3)
      #expect(manager.destinationInstances(forEntityMappingName: "none", sourceInstances: nil).isEmpty)
    }

    override func createRelationships(
      forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      note("relate \(dInstance.text("name") ?? "")", mapping, manager)
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }

    override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      note("endRelationships", mapping, manager)
    }

    override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      note("validate", mapping, manager)
    }

    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      note("end", mapping, manager)
      #expect(manager.sourceEntity(for: mapping)?.name == mapping.sourceEntityName)
      #expect(manager.destinationEntity(for: mapping)?.name == mapping.destinationEntityName)
    }
  }

  /// Looks for what it has made among the registered objects, as policies do that put equal objects together.
  final class Gatherer: NSEntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      let name = sInstance.text("name")?.prefix(1) ?? ""
      let known = manager.destinationContext.registeredObjects.first { $0.text("name") == String(name) }
      let made = known ?? NSEntityDescription.insertNewObject(forEntityName: "Person", into: manager.destinationContext)
      made.setValue(String(name), forKey: "name")
      manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
    }
  }

  @Test func policiesFindWhatTheyHaveMade() throws {
    NSEntityMigrationPolicy.register(Gatherer.self, forName: "PolicyTests.Gatherer")
    let model = try MigrationFixture.model(Self.before)
    let stores = try MigrationStores(model, model)
    try stores.fill { context in
      // More than what is written together.
      for number in 0..<(MigrationRun.batchSize + 20) { _ = context.make("Person", ["name": "\(number % 2)\(number)"]) }
    }
    try stores.migrate(self.model(mapping("Person", "Person", policy: "PolicyTests.Gatherer")))
    try stores.result { context throws in
      #expect(try context.all("Person", sortedBy: "name").map { $0.text("name") } == ["0", "1"])
    }
  }

  @Test func everyStepInItsOrder() throws {
    NSEntityMigrationPolicy.register(Recorder.self, forName: "PolicyTests.Recorder")
    let stores = try stores()
    let owner = "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'PersonToPerson', "
    let manager = stores.manager()
    let log = NSMutableArray()
    manager.userInfo = ["log": log]
    try stores.migrate(
      model(
        mapping(
          "Pet", "Pet", ["name": "$source.name"], ["owner": owner + "$source.owner)"], policy: "PolicyTests.Recorder"),
        mapping("Person", "Person", ["name": "$source.name"], policy: "PolicyTests.Recorder")),
      by: manager)
    func pass(_ verb: String, _ name: String) -> [String] { (0..<3).map { "\(verb) \(name)\($0)" } }
    var expected: [String] = []
    let mappings = [("PetToPet", "pet "), ("PersonToPerson", "p")]
    for (mapping, name) in mappings {
      expected += (["begin"] + pass("create", name) + ["endInstances"]).map { "\(mapping) \($0)" }
    }
    for (mapping, name) in mappings {
      expected += (pass("relate", name) + ["endRelationships"]).map { "\(mapping) \($0)" }
    }
    for (mapping, _) in mappings { expected += ["\(mapping) validate", "\(mapping) end"] }
    #expect(log.compactMap { $0 as? String } == expected)
    try stores.result { context in
      try #expect(context.all("Pet", sortedBy: "name").map { $0.texts("owner", "name") } == [["p0"], ["p1"], ["p2"]])
    }
  }

  // MARK: Code of the application's own

  /// Makes one city for all people of it, found again in the manager's user info.
  final class CityPolicy: NSEntityMigrationPolicy {
    let prefix = "from "

    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      guard let name = sInstance.text("city") else { return }
      var cities = manager.userInfo as? [String: NSManagedObject] ?? [:]
      let city =
        cities[name] ?? NSEntityDescription.insertNewObject(forEntityName: "City", into: manager.destinationContext)
      city.setValue(name, forKey: "name")
      cities[name] = city
      manager.userInfo = cities
      let person = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])[0]
      person.setValue(city, forKey: "home")
    }

    func text(_ city: String?, _ mapping: NSEntityMapping, _ person: NSManagedObject) -> String {
      "\(prefix)\(city ?? "") by \(mapping.name ?? "") \(person.entity.name ?? "")"
    }

    override class var callableMethods: [OCDCallableMethod] {
      [OCDCallableMethod("text:mapping:person:", CityPolicy.text)]
    }
  }

  @Test func functionsVariablesAndObjectsThatPoliciesHold() throws {
    NSEntityMigrationPolicy.register(CityPolicy.self, forName: "CityPolicyOfTests")
    let stores = try stores()
    // More than a batch: what the policy holds is used in later ones.
    try MigrationStores.open(stores.source, stores.models.source) { context in
      for number in 3..<(MigrationRun.batchSize + 50) {
        _ = context.make("Person", ["name": "p\(number)", "city": number % 2 == 0 ? "Rome" : "Oslo"])
      }
      try context.save()
    }
    let note =
      "FUNCTION($entityPolicy, 'text:mapping:person:', $source.city, $entityMapping, $destination)"
    let pets =
      "FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', 'pets', $source.pets)"
    let people = try mapping(
      "Person", "Person",
      ["name": "TERNARY($source.name BEGINSWITH 'p1', 'one', $source.name)", "note": note], ["pets": pets],
      policy: "Somewhere.CityPolicyOfTests")
    try stores.migrate(model(people, mapping("Pet", "Pet", ["name": "$source.name"])))
    try stores.result { context in
      let cities = try context.all("City", sortedBy: "name")
      #expect(cities.map { $0.text("name") } == ["Oslo", "Rome"])
      #expect(
        cities.map { ($0.value(forKey: "people") as? NSSet)?.count ?? 0 }.reduce(0, +) == MigrationRun.batchSize + 50)
      let first = try #require(context.all("Person").first { $0.text("name") == "p0" })
      #expect(first.text("note") == "from Rome by PersonToPerson Person" && first.texts("pets", "name") == ["pet 0"])
      try #expect(context.all("Person").contains { $0.text("name") == "one" })
    }
    #expect(try StoreCheck.errors(stores.destination) == [])
  }

  /// Makes any number of objects without the default, and deletes one again.
  final class SplitPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      let entity = try #require(manager.destinationEntity(for: mapping))
      for suffix in ["a", "b"] where sInstance.text("name") != "p1" {
        let object = NSManagedObject(entity: entity, insertInto: manager.destinationContext)
        object.setValue((sInstance.text("name") ?? "") + suffix, forKey: "name")
        manager.associate(sourceInstance: sInstance, withDestinationInstance: object, for: mapping)
      }
    }

    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil)
      #expect(made.compactMap { $0.text("name") } == ["p0a", "p0b", "p2a", "p2b"])
      manager.destinationContext.delete(made[3])
    }
  }

  @Test func oneObjectBecomesSeveralOrNone() throws {
    NSEntityMigrationPolicy.register(SplitPolicy.self, forName: "SplitPolicyOfTests")
    let stores = try stores()
    let related =
      "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'PersonToPerson', $source)"
    let city = try mapping("Person", "City", ["name": "$source.city"], ["people": related], filter: "city == 'Rome'")
    try stores.migrate(model(mapping("Person", "Person", [:], [:], policy: "SplitPolicyOfTests"), city))
    try stores.result { context in
      try #expect(context.all("Person", sortedBy: "name").compactMap { $0.text("name") } == ["p0a", "p0b", "p2a"])
      try #expect(context.all("City").map { $0.texts("people", "name") } == [["p0a", "p0b"], ["p2a"]])
    }
  }

  @Test func typesOfMappings() throws {
    let stores = try stores()
    let copy = try mapping("Pet", "Pet")
    copy.mappingType = .copyEntityMappingType
    (copy.attributeMappings, copy.relationshipMappings) = (nil, nil)
    let added = try mapping(nil, "City")
    added.mappingType = .addEntityMappingType
    // What says nothing of its source takes all of it.
    let people = try mapping("Person", "Person", ["name": "$source.name"])
    people.sourceExpression = nil
    try stores.migrate(model(added, copy, people))
    try stores.result { context in
      try #expect(context.all("Pet", sortedBy: "name").map { $0.texts("owner", "name") } == [["p0"], ["p1"], ["p2"]])
      try #expect(context.all("City").isEmpty)
    }
    try FileManager.default.removeItem(at: stores.destination)
    let removed = try mapping("Person", nil)
    removed.mappingType = .removeEntityMappingType
    try stores.migrate(model(removed, copy))
    try stores.result { context in
      try #expect(context.all("Person").isEmpty)
      try #expect(context.all("Pet").map { $0.texts("owner", "name") } == [[], [], []])
    }
  }

  // MARK: Policies that there are not

  @Test func policiesAndMethodsThatAreMissing() throws {
    NSEntityMigrationPolicy.register(CityPolicy.self, forName: "CityPolicyOfTests")
    let stores = try stores()
    func error(_ mapping: NSEntityMapping) throws -> NSError {
      let error = try #require(throws: NSError.self) { try stores.migrate(model(mapping)) }
      #expect(try stores.newFiles() == [] && error.userInfo["mapping"] as? String == mapping.name)
      return error
    }
    let unknown = try error(mapping("Pet", "Pet", policy: "App.NoSuchPolicy"))
    #expect(unknown.code == 134170 && unknown.localizedDescription.contains("App.NoSuchPolicy"))
    let method = try error(
      mapping("Pet", "Pet", ["name": "FUNCTION($entityPolicy, 'none:', $source.name)"], policy: "CityPolicyOfTests"))
    #expect(method.code == 134170 && method.localizedDescription.contains("none:"))
    #expect(method.userInfo["entity"] as? String == "Pet" && method.userInfo["property"] as? String == "name")
    let cases = [
      try mapping("Pet", "Dog"), try mapping("Wolf", "Pet"), try mapping("Pet", "Pet", ["fur": "$source.name"]),
      try mapping("Pet", "Pet", ["name": "$source.fur"]), try mapping("Pet", "Pet", ["owner": "$source.name"]),
      try mapping("Pet", "Pet", ["name": "FUNCTION($manager, 'none:', 1)"]),
      try mapping(
        "Pet", "Pet", [:],
        [
          "owner":
            "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'NoSuch', $source.owner)"
        ]),
      try mapping("Pet", "Pet", filter: "name = = 1"),
    ]
    for mapping in cases { #expect(try error(mapping).code == 134110) }
  }

  @Test func classesAreFoundByTheirNames() throws {
    #expect(MigrationPolicyClasses.find("NSEntityMigrationPolicy") == NSEntityMigrationPolicy.self)
    #expect(MigrationPolicyClasses.find("OpenCoreDataTests.TopLevelPolicy") == TopLevelPolicy.self)
    #expect(MigrationPolicyClasses.find("NoSuchPolicyAtAll") == nil)
    // A class that is none.
    #expect(MigrationPolicyClasses.find("OpenCoreDataTests.NoPolicy") == nil)
  }
}

final class TopLevelPolicy: NSEntityMigrationPolicy {}
final class NoPolicy: NSObject {}
