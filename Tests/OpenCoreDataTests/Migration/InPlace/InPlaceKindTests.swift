import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Each kind of lightweight change on a SQLite store: values, layout and verification afterwards.
@Suite struct InPlaceKindTests {
  @discardableResult
  private func check(_ before: String, _ after: String, _ name: String = "") throws -> MigrationPlan {
    let store = try MigratedStore.make(try MigrationFixture.model(before), try MigrationFixture.model(after))
    return try store.migrateAndCheck(name)
  }

  private func entity(_ name: String = "A", _ properties: String, _ rest: String = "") -> String {
    "<entity name='\(name)' \(rest)>\(properties)</entity>"
  }

  private func attribute(_ name: String, _ type: String = "String", _ rest: String = "optional='YES'") -> String {
    "<attribute name='\(name)' attributeType='\(type)' \(rest)/>"
  }

  private func relationship(
    _ name: String, to entity: String, _ inverse: String?, _ rest: String = "", optional: Bool = true
  ) -> String {
    let back = inverse.map { "inverseName='\($0)' inverseEntity='\(entity)'" } ?? ""
    return
      "<relationship name='\(name)' destinationEntity='\(entity)' \(back) \(optional ? "optional='YES'" : "") \(rest)/>"
  }

  @Test func attributes() throws {
    let x = attribute("x"), y = attribute("y", "Integer 32")
    try check(entity("A", x), entity("A", x + y), "added")
    try check(entity("A", x), entity("A", x + attribute("y", "Integer 32", "defaultValueString='7'")), "with default")
    try check(entity("A", x + y), entity("A", x), "removed")
    try check(entity("A", x), entity("A", attribute("z", "String", "optional='YES' elementID='x'")), "renamed")
    try check(
      entity("A", x + y),
      entity(
        "A",
        attribute("x", "Integer 32", "optional='YES' elementID='y'")
          + attribute("y", "String", "optional='YES' elementID='x'")), "swapped")
    try check(entity("A", x), entity("A", attribute("x", "String", "defaultValueString='it&apos;s'")), "mandatory")
    try check(
      entity("A", attribute("x", "Date") + attribute("d", "UUID") + attribute("b", "Binary")),
      entity("A", attribute("b", "Binary")), "two removed")
  }

  @Test(arguments: ["Boolean", "Decimal", "Double", "Float", "Integer 16", "Integer 32", "Integer 64"])
  func numbers(type: String) throws {
    for other in ["Boolean", "Decimal", "Double", "Float", "Integer 16", "Integer 32", "Integer 64"] where other != type
    {
      try check(
        entity("A", attribute("x", type)), entity("A", attribute("x", other)), "\(type) to \(other)")
      try check(
        entity("A", attribute("x", type)), entity("A", attribute("x", other, "defaultValueString='1'")),
        "\(type) to mandatory \(other)")
    }
  }

  @Test func entities() throws {
    let x = attribute("x"), one = entity("B", x + relationship("m", to: "M", "bs"))
    let many = entity("M", attribute("n") + relationship("bs", to: "B", "m", "toMany='YES'"))
    try check(one + many, entity("A", x) + one + many, "added before the others")
    try check(entity("A", x) + one + many, one + many, "removed")
    let other =
      entity("Z", x + relationship("m", to: "M", "bs"), "elementID='B'")
      + entity("M", attribute("n") + relationship("bs", to: "Z", "m", "toMany='YES'"))
    try check(one + many, other, "renamed")
    try check(
      entity("A", x) + entity("B", attribute("y")),
      entity("B", x, "elementID='A'") + entity("A", attribute("y"), "elementID='B'"), "names change places")
  }

  @Test func oneAndMany() throws {
    func models(_ a: String, _ b: String) -> String {
      entity("A", attribute("x") + a) + entity("B", attribute("y") + b)
    }
    let toOne = relationship("b", to: "B", "as"), toMany = relationship("b", to: "B", "as", "toMany='YES'")
    let backOne = relationship("as", to: "A", "b"), backMany = relationship("as", to: "A", "b", "toMany='YES'")
    let ordered = relationship("as", to: "A", "b", "toMany='YES' ordered='YES'")
    try check(models(toOne, backMany), models(toMany, backMany), "to many-to-many")
    try check(models(toOne, backOne), models(toOne, backMany), "one-to-one to one-to-many")
    try check(models(toOne, backOne), models(toMany, backMany), "one-to-one to many-to-many")
    try check(models(toOne, backMany), models(toOne, ordered), "ordered")
    try check(models(toOne, ordered), models(toOne, backMany), "unordered")
    try check(models(toMany, backMany), models(toMany, ordered), "ordered join")
    try check(models(toMany, ordered), models(toMany, backMany), "unordered join")
    try check(models(toOne, ordered), models(toMany, ordered), "ordered to ordered join")
    try check(models(toMany, backMany), models("", ""), "removed")
    try check(models("", ""), models(toMany, ordered), "added")
    try check(models("", ""), models(toOne, backMany), "added to-one")
    try check(models(toMany, ordered), entity("AA", attribute("x")) + models(toMany, ordered), "renumbered join")
    // Without an inverse before.
    try check(models(relationship("b", to: "B", nil), ""), models(toOne, backMany), "inverse added")
    try check(models(relationship("b", to: "B", nil, "toMany='YES'"), ""), models(toMany, ordered), "inverse of join")
    try check(models(toOne, backMany), models("", relationship("as", to: "A", nil, "toMany='YES'")), "inverse removed")
  }

  @Test func hierarchies() throws {
    let x = attribute("x"), y = attribute("y"), z = attribute("z", "Integer 16")
    let owner = entity("O", relationship("a", to: "A", "o") + relationship("many", to: "A", "some", "toMany='YES'"))
    let back = relationship("o", to: "O", "a", "toMany='YES'") + relationship("some", to: "O", "many", "toMany='YES'")
    let flat = entity("A", x + back)
    let tree = flat + entity("B", y, "parentEntity='A'") + entity("C", z, "parentEntity='A'") + owner
    try check(tree, flat + owner, "subentities removed")
    try check(flat + owner, tree, "subentities added")
    try check(
      tree, entity("A", back) + entity("B", x + y, "parentEntity='A'") + entity("C", x + z, "parentEntity='A'") + owner,
      "moved down")
    try check(
      entity("A", back) + entity("B", x + y, "parentEntity='A'") + entity("C", x + z, "parentEntity='A'") + owner, tree,
      "moved up")
    try check(tree, flat + entity("B", y, "parentEntity='A'") + entity("C", x + z) + owner, "split")
    let alone = entity("R", relationship("b", to: "B", nil) + relationship("bs", to: "B", nil, "toMany='YES'"))
    try check(
      entity("A", x) + entity("B", y) + alone, entity("A", x) + entity("B", y, "parentEntity='A'") + alone,
      "entered a hierarchy")
    try check(
      entity("A", x) + entity("B", y) + entity("C", z) + alone,
      entity("A", x) + entity("B", y, "parentEntity='A'") + entity("C", z, "parentEntity='B'") + alone, "two entered")
    try check(
      entity("B", x + y) + alone, entity("P", x, "isAbstract='YES'") + entity("B", y, "parentEntity='P'") + alone,
      "new parent")
    try check(
      entity("P", x, "isAbstract='YES'") + entity("B", y, "parentEntity='P'") + entity("C", z, "parentEntity='P'")
        + alone,
      entity("B", x + y) + entity("C", x) + alone, "parent removed")
  }

  @Test func composites() throws {
    func model(_ elements: [(String, NSAttributeType, Any?, String?)], _ rest: [NSPropertyDescription] = [])
      -> NSManagedObjectModel
    {
      let composite = NSCompositeAttributeDescription()
      composite.name = "place"
      composite.isOptional = true
      composite.elements = elements.map { name, type, value, renaming in
        let element = TestModel.attribute(name, type, optional: true, value)
        element.renamingIdentifier = renaming
        return element
      }
      let model = NSManagedObjectModel()
      model.entities = [TestModel.entity("A", [composite] + rest)]
      return model
    }
    let before = model([("x", .integer16AttributeType, nil, nil), ("y", .stringAttributeType, nil, nil)])
    let after = model([
      ("x", .doubleAttributeType, nil, nil), ("name", .stringAttributeType, nil, "y"),
      ("z", .integer32AttributeType, 7, nil),
    ])
    try MigratedStore.make(before, after).migrateAndCheck("elements")
    let plain = NSManagedObjectModel()
    plain.entities = [TestModel.entity("A", [TestModel.attribute("t", .stringAttributeType)])]
    let added = model(
      [("x", .integer16AttributeType, nil, nil)], [TestModel.attribute("t", .stringAttributeType)])
    try MigratedStore.make(plain, added).migrateAndCheck("added")
    try MigratedStore.make(added, plain).migrateAndCheck("removed")
  }

  /// A store of one configuration has nothing of the other entities, before and after.
  @Test func configurations() throws {
    func model(_ properties: String) throws -> NSManagedObjectModel {
      let model = try MigrationFixture.model(entity("A", attribute("x") + properties) + entity("Other", properties))
      model.setEntities(model.entities.filter { $0.name == "A" }, forConfigurationName: "Mine")
      return model
    }
    let (before, after) = (try model(""), try model(attribute("y", "Integer 16", "defaultValueString='3'")))
    before.freeze()
    let url = try TestModel.temporaryFile()
    var random = SeededGenerator(seed: 3)
    try StoreFiller.make(before, at: url, configuration: "Mine", objects: 4, random: &random)
    let old = try StoreImage(url, before, configuration: "Mine")
    let errors = try StoreCheck.errors(url)
    let options: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
    ]
    let new = try StoreImage(url, after, configuration: "Mine", options: options)
    #expect(try new.differences(from: old, by: InferredMigration(from: before, to: after)) == [])
    #expect(new.objects.count == 4)
    #expect(try !PlainDatabase(url).tables().contains("ZOTHER") && StoreCheck.errors(url) == errors)
  }
}
