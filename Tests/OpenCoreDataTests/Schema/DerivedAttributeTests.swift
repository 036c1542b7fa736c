import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite("Derived attributes") struct DerivedAttributeTests {
  private func stack() throws -> NSManagedObjectContext {
    TestModel.context(try TestModel.coordinator(DerivedModel.make()))
  }

  /// Saves, and looks at what the objects have, then at what the store has.
  private func check(_ context: NSManagedObjectContext, _ comment: Comment) throws {
    try context.save()
    #expect(try DerivedModel.differences(in: context) == [], comment)
    let coordinator = try #require(context.persistentStoreCoordinator)
    coordinator.emptyRowCache()
    let other = TestModel.context(coordinator)
    let differences = try other.performAndWait { try DerivedModel.differences(in: other) }
    #expect(differences == [], comment)
  }

  @Test func ownRow() throws {
    let context = try stack()
    try context.performAndWait {
      let owner = context.make("SpecialOwner", ["name": "Ärger ß"]), start = Date()
      try check(context, "insert")
      #expect(
        owner.value(forKey: "plain") as? String == "arger ß" || owner.value(forKey: "plain") as? String == "arger ss")
      let first = try #require(owner.value(forKey: "changed") as? Date)
      // SQLite's clock has milliseconds.
      #expect(first > start - 1 && first < Date() + 1)
      owner.setValue("Øre", forKey: "name")
      #expect(owner.value(forKey: "upper") as? String == "ÄRGER SS")
      #expect(Soak.wait { Date() > first + 0.002 })
      try check(context, "update")
      let second = try #require(owner.value(forKey: "changed") as? Date)
      #expect(second > first)
      owner.setValue("mine", forKey: "upper")
      owner.setValue(77, forKey: "itemCount")
      try check(context, "what is set by hand does not last")
      owner.setValue(nil, forKey: "name")
      try check(context, "nil")
    }
  }

  @Test func membersOfOneToMany() throws {
    let context = try stack()
    try context.performAndWait {
      let (ann, bob) = (context.make("Owner", ["name": "Ann"]), context.make("SpecialOwner", ["name": "Bob"]))
      let items = (0..<5).map { context.make("Item", ["price": Double($0) * 4.25, "owner": ann]) }
      try check(context, "insert")
      #expect(ann.value(forKey: "total") as? Double == 42.5)
      items[1].setValue(bob, forKey: "owner")
      items[2].setValue(1000.5, forKey: "price")
      items[3].setValue(nil, forKey: "price")
      try check(context, "move and change")
      ann.setValue("Anna", forKey: "name")
      bob.setValue(ann, forKey: "boss")
      try check(context, "names through one and two relationships")
      ann.setValue("Anne", forKey: "name")
      try check(context, "a name two relationships away")
      context.delete(items[0])
      items[4].setValue(nil, forKey: "owner")
      try check(context, "delete and remove")
      context.delete(ann)
      try check(context, "delete the owner")
    }
  }

  @Test func membersOfManyToMany() throws {
    let context = try stack()
    try context.performAndWait {
      let owner = context.make("Owner", ["name": "O"])
      let items = (0..<3).map { _ in context.make("Item", ["owner": owner]) }
      let tags = (1...3).map { context.make("Tag", ["weight": $0 * 10]) }
      items[0].setValue(Set(tags), forKey: "tags")
      try check(context, "insert")
      #expect(owner.value(forKey: "tagTotal") as? Int == 3)
      items[1].setValue(Set(tags[..<2]), forKey: "tags")
      items[0].setValue(Set(tags[1...]), forKey: "tags")
      try check(context, "add and remove")
      tags[1].setValue(7, forKey: "weight")
      try check(context, "a member changes")
      context.delete(tags[1])
      try check(context, "a member goes")
      context.delete(items[0])
      try check(context, "an owner goes")
    }
  }

  @Test func batchUpdates() throws {
    let context = try stack()
    try context.performAndWait {
      let owners = ["Ann", "Bob"].map { context.make("Owner", ["name": $0]) }
      let special = context.make("SpecialOwner", ["name": "Cid"])
      for price in 0..<6 { _ = context.make("Item", ["price": Double(price), "owner": owners[price % 2]]) }
      try context.save()
      let time = try #require(special.value(forKey: "changed") as? Date)
      #expect(Soak.wait { Date() > time + 0.002 })
      let rename = NSBatchUpdateRequest(entityName: "Owner")
      rename.propertiesToUpdate = ["name": "Éva", "itemCount": 99]
      _ = try context.execute(rename)
      let prices = NSBatchUpdateRequest(entityName: "Item")
      prices.propertiesToUpdate = ["price": NSExpression(format: "price * 2 + 1")]
      _ = try context.execute(prices)
      let move = NSBatchUpdateRequest(entityName: "Item")
      move.propertiesToUpdate = ["owner": special.objectID]
      move.predicate = NSPredicate(format: "price > 6")
      _ = try context.execute(move)
      context.reset()
      #expect(try DerivedModel.differences(in: context) == [])
      let request = NSFetchRequest<NSManagedObject>(entityName: "Owner")
      request.predicate = NSPredicate(format: "plain == 'eva' AND changed > %@", time as NSDate)
      #expect(try context.count(for: request) == 3)
      request.predicate = NSPredicate(format: "SELF IN %@ AND specialCount > 0", [special.objectID])
    }
  }

  @Test func rowsOfTheCacheAndOfOtherContextsFollow() throws {
    let context = try stack()
    try context.performAndWait {
      let owner = context.make("Owner", ["name": "Ann"])
      try context.save()
      let coordinator = try #require(context.persistentStoreCoordinator)
      let other = TestModel.context(coordinator)
      try other.performAndWait {
        let same = try other.existingObject(with: owner.objectID)
        #expect(same.value(forKey: "itemCount") as? Int == 0)
        _ = other.make("Item", ["price": 3.0, "owner": same])
        try other.save()
        #expect(same.value(forKey: "itemCount") as? Int == 1)
      }
      #expect(owner.value(forKey: "itemCount") as? Int == 0)
      context.refresh(owner, mergeChanges: true)
      #expect(owner.value(forKey: "itemCount") as? Int == 1)
    }
  }

  @Test func whatAStoreCannotComputeIsNil() throws {
    let model = DerivedModel.make()
    let owner = try #require(model.entitiesByName["Owner"])
    for (number, text) in ["items.@max.price", "items.tags.@count", "nothing", "items", "canonical:(boss.name)"]
      .enumerated()
    {
      let expression = try #require(DerivationText.expression(text), "\(text)")
      let attribute = DerivedModel.derived("other\(number)", .stringAttributeType, expression)
      owner.properties.append(attribute)
    }
    let context = TestModel.context(try TestModel.coordinator(model))
    try context.performAndWait {
      let owner = context.make("Owner", ["name": "Ann", "other1": "mine"])
      try context.save()
      for number in 0..<5 { #expect(owner.value(forKey: "other\(number)") == nil) }
      #expect(try DerivedModel.differences(in: context) == [])
    }
    let unstored = SQLDerivations(of: SQLModel(model: model)).unstored
    #expect(unstored.map(\.attribute) == (0..<5).map { "other\($0)" })
    #expect(model.warnings.filter { $0.property?.hasPrefix("other") == true }.count == 5)
  }

  @Test func randomChanges() throws {
    var random = SeededGenerator(for: "derived attributes")
    let context = try stack()
    try context.performAndWait {
      for step in 0..<(60 * Soak.factor) {
        for _ in 0..<Int.random(in: 1...6, using: &random) { try change(context, &random) }
        try context.save()
        #expect(try DerivedModel.differences(in: context) == [], "step \(step)")
        if step % 10 == 9 { try check(context, "step \(step)") }
      }
    }
  }

  private func change(_ context: NSManagedObjectContext, _ random: inout SeededGenerator) throws {
    func some(_ name: String) throws -> NSManagedObject? {
      let all = try context.all(name).filter { !$0.isDeleted }.sorted {
        $0.objectID.description < $1.objectID.description
      }
      return all.randomElement(using: &random)
    }
    let price = Double(Int.random(in: 0...80, using: &random)) / 4
    switch Int.random(in: 0..<10, using: &random) {
    case 0: _ = context.make(Bool.random(using: &random) ? "Owner" : "SpecialOwner", ["name": "Öwner \(price)"])
    case 1, 2:
      let item = context.make("Item", ["price": price])
      item.setValue(try some("Owner"), forKey: "owner")
    case 3: _ = context.make("Tag", ["weight": Int(price)])
    case 4: try some("Item")?.setValue(try some("Owner"), forKey: "owner")
    case 5: try some("Item")?.setValue(Bool.random(using: &random) ? nil : price, forKey: "price")
    case 6:
      let item = try some("Item")
      if let tag = try some("Tag") { item?.mutableSetValue(forKey: "tags").add(tag) }
    case 7:
      let item = try some("Item")
      if let tag = try some("Tag") { item?.mutableSetValue(forKey: "tags").remove(tag) }
      try some("Tag")?.setValue(Int(price), forKey: "weight")
    case 8:
      let owner = try some("Owner")
      owner?.setValue("N\(price)", forKey: "name")
      owner?.setValue(try some("Owner"), forKey: "boss")
    default:
      guard let gone = try some(["Owner", "Item", "Tag"].randomElement(using: &random) ?? "Tag") else { return }
      context.delete(gone)
    }
  }
}
