import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Rows that are deleted without objects, and what the delete rules make of others.
@Suite struct BatchDeleteTests {
  /// A parent P with children C0 to C2 (leaves) in a box, tags and friends among them.
  private func coordinator(
    _ store: TestStore, _ model: NSManagedObjectModel = BatchModel.graph(), url: URL? = nil
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = try store.coordinator(model, url: url)
    try coordinator.inContext { context in
      let box = context.make("Box", ["name": "B"]), tag = context.make("Tag", ["name": "T"])
      let parent = context.make("Node", ["name": "P", "age": 40, "box": box, "tags": [tag]])
      for number in 0..<3 {
        _ = context.make(
          "Leaf",
          [
            "name": "C\(number)", "age": number, "parent": parent, "box": box, "tags": [tag], "friends": [parent],
            "card": context.make("Card", ["name": "K\(number)"]),
          ])
      }
      try context.save()
    }
    return coordinator
  }

  @Test(arguments: TestStore.all(that: .batchUpdates)) func theThreeResultTypesAndSubentities(_ store: TestStore) throws
  {
    try coordinator(store).inContext { context in
      #expect(try context.deleteBatch("Node", where: "age == 40", subentities: false) as? Int == 1)
      #expect(try context.deleteBatch("Node", subentities: false) as? Int == 0)
      #expect(try context.deleteBatch("Node", where: "name == 'C0'", .resultTypeStatusOnly) as? Bool == true)
      let ids = try #require(
        try context.deleteBatch("Node", where: "card.name != 'K7'", .resultTypeObjectIDs) as? [NSManagedObjectID])
      #expect(ids.count == 2 && ids.allSatisfy { $0.entity.name == "Leaf" })
      #expect(try context.count("Node") == 0)
      #expect(try context.deleteBatch("Card", where: nil, .resultTypeObjectIDs) is [NSManagedObjectID])
      #expect(try context.count("Card") == 0)
    }
  }

  @Test func nullifyTakesRowsOutOfAllRelationships() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try coordinator(.sqlite, BatchModel.graph(isOrdered: true), url: url)
    try coordinator.inContext { context in
      let box = try context.named("B", "Box"), tag = try context.named("T", "Tag")
      let leaf = try context.named("C0", "Leaf")
      #expect(box.number("nodeCount") == 4 && tag.number("nodeCount") == 4 && leaf.one("parent") != nil)
      #expect(leaf.many("friends").count == 1)
      try context.deleteBatch("Node", where: "name IN {'P', 'C1'}")
      context.refreshAllObjects()
      #expect(box.number("nodeCount") == 2 && tag.number("nodeCount") == 2)
      #expect(leaf.one("parent") == nil && leaf.many("friends").isEmpty)
      let names = (box.value(forKey: "nodes") as? NSOrderedSet)?.compactMap { ($0 as? NSManagedObject)?.text("name") }
      #expect(names == ["C0", "C2"])
      #expect(try context.named("K1", "Card").one("node") == nil)
      try context.deleteBatch("Box")
      context.refreshAllObjects()
      #expect(leaf.one("box") == nil)
    }
    #expect(try StoreCheck.errors(url, model: BatchModel.graph(isOrdered: true)).isEmpty)
  }

  @Test func cascadesGoAsFarAsTheyLead() throws {
    let model = BatchModel.graph {
      ["Node.children", "Node.card"].contains($0) ? .cascadeDeleteRule : .nullifyDeleteRule
    }
    let url = try TestModel.temporaryFile()
    let coordinator = try coordinator(.sqlite, model, url: url)
    try coordinator.inContext { context in
      var last = try context.named("C0", "Leaf")
      for number in 0..<50 {
        let next = context.make("Node", ["name": "D\(number)", "parent": last])
        last = next
      }
      // A circle comes to an end.
      let circle = (0..<2).map { context.make("Node", ["name": "E\($0)"]) }
      circle[0].setValue(circle[1], forKey: "parent")
      circle[1].setValue(circle[0], forKey: "parent")
      try context.save()
      let ids = try #require(
        try context.deleteBatch("Node", where: "name == 'P'", .resultTypeObjectIDs) as? [NSManagedObjectID])
      #expect(ids.count == 1 + 3 + 50 + 3 && ids.filter { $0.entity.name == "Card" }.count == 3)
      #expect(try context.deleteBatch("Node", where: "name == 'E0'") as? Int == 2)
      #expect(try context.count("Node") == 0 && context.count("Card") == 0 && context.count("Box") == 1)
    }
    #expect(try StoreCheck.errors(url, model: model).isEmpty)
  }

  @Test func denyRefusesUnlessTheMembersGoToo() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try coordinator(
      .sqlite,
      BatchModel.graph { $0 == "Node.children" ? .denyDeleteRule : .nullifyDeleteRule }, url: url)
    let before = try BatchModel.contents(url)
    try coordinator.inContext { context throws in
      let error = #expect(throws: NSError.self) { try context.deleteBatch("Node", where: "name IN {'P', 'C1'}") }
      #expect(error?.code == NSValidationRelationshipDeniedDeleteError)
      #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "children")
      #expect(error?.localizedDescription.contains("Node") == true)
      #expect(try BatchModel.contents(url) == before)
      #expect(try context.deleteBatch("Node") as? Int == 4)
    }
  }

  @Test(arguments: [("Node.parent", "Node/children", "OTM"), ("Card.node", "Node/card", "OTO")])
  func nullifyNeverLeavesAMandatoryOwnerOut(name: String, named: String, kind: String) throws {
    let model = BatchModel.graph { _ in
      .nullifyDeleteRule
    } isMandatory: {
      $0 == name
    }
    let url = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(model, url: url)
    try coordinator.inContext { context in
      let parent = context.make("Node", ["name": "P"])
      parent.setValue(parent, forKey: "parent")
      let child = context.make("Node", ["name": "C", "parent": parent])
      for node in [parent, child] { _ = context.make("Card", ["node": node]) }
      try context.save()
      let before = try BatchModel.contents(url)
      let error = #expect(throws: NSError.self) { try context.deleteBatch("Node", where: "name == 'P'") }
      #expect(error?.code == NSPersistentStoreSaveError)
      #expect(error?.localizedDescription.contains("mandatory \(kind) nullify inverse on \(named)") == true)
      #expect(try BatchModel.contents(url) == before)
    }
  }

  @Test(arguments: TestStore.all(that: .batchUpdates)) func limitAndOffsetCountInTheirOrder(_ store: TestStore) throws {
    try coordinator(store).inContext { context in
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Node")
      fetch.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
      fetch.fetchOffset = 1
      fetch.fetchLimit = 2
      let request = NSBatchDeleteRequest(fetchRequest: fetch)
      _ = try context.execute(request)
      #expect(try context.names("Node") == ["C0", "P"])
    }
  }

  @Test(arguments: TestStore.all(that: .batchUpdates)) func idsNameRowsOfOneEntity(_ store: TestStore) throws {
    let coordinator = try coordinator(store)
    try coordinator.inContext { context in
      let leaves = try context.all("Leaf", sortedBy: "name")
      let request = NSBatchDeleteRequest(objectIDs: [
        leaves[0].objectID, leaves[2].objectID, context.make("Leaf").objectID,
      ])
      request.resultType = .resultTypeCount
      #expect((try context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 2)
      #expect((try context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 0)
      context.rollback()
      #expect(try context.names("Node") == ["C1", "P"])
      let none = NSBatchDeleteRequest(objectIDs: [])
      none.resultType = .resultTypeObjectIDs
      #expect(((try context.execute(none) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID])?.isEmpty == true)
    }
  }

  @Test func idsOfSeveralEntitiesStopTheProgram() async {
    await #expect(processExitsWith: .failure) {
      let coordinator = try TestModel.coordinator(BatchModel.graph())
      let store = coordinator.persistentStores[0]
      let entities = coordinator.managedObjectModel.entitiesByName
      _ = NSBatchDeleteRequest(
        objectIDs: ["Node", "Leaf"].map { NSManagedObjectID(entity: entities[$0]!, store: store, key: 1) })
    }
  }

  @Test(arguments: TestStore.all(that: .batchUpdates))
  func whatHasNoSQLIsAnErrorAndDeletesNothing(_ store: TestStore) throws {
    try coordinator(store).inContext { context throws in
      let error = #expect(throws: NSError.self) { try context.deleteBatch("Node", where: "colour == 1") }
      #expect(error?.localizedDescription == "keypath colour not found in entity Node")
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Node")
      fetch.predicate = NSPredicate { _, _ in true }
      #expect(throws: NSError.self) { try context.execute(NSBatchDeleteRequest(fetchRequest: fetch)) }
      #expect(try context.count("Node") == 4)
    }
  }

  @Test(arguments: TestStore.all(that: .batchUpdates, .generations))
  func aPinnedContextKeepsItsGeneration(_ store: TestStore) throws {
    let coordinator = try coordinator(store, url: try store.place())
    let pinned = TestModel.context(coordinator)
    try pinned.performAndWait {
      try pinned.setQueryGenerationFrom(.current)
      #expect(try pinned.count("Node") == 4)
    }
    try coordinator.inContext { context in
      try context.deleteBatch("Node", where: "name == 'P'")
      _ = try context.insertBatch(NSBatchInsertRequest(entityName: "Node", objects: [["name": "N"], ["name": "M"]]))
    }
    try pinned.performAndWait {
      #expect(try pinned.names("Node") == ["C0", "C1", "C2", "P"])
      #expect(try pinned.named("C0", "Node").one("parent")?.text("name") == "P")
      try pinned.setQueryGenerationFrom(nil)
      #expect(try pinned.names("Node") == ["C0", "C1", "C2", "M", "N"])
    }
  }

  @Test func writersThatMeetWaitForEachOther() throws {
    let url = try TestModel.temporaryFile()
    let coordinators = try (0..<3).map { _ in try TestModel.coordinator(BatchModel.graph(), url: url) }
    let rounds = 10 * Soak.factor
    Soak.threads(6) { thread in
      for round in 0..<rounds {
        try coordinators[thread % 3].inContext { context in
          let name = "T\(thread)R\(round)"
          let rows = (0..<20).map { ["name": name, "age": $0] as [String: Any] }
          _ = try context.insertBatch(NSBatchInsertRequest(entityName: "Leaf", objects: rows))
          let update = NSBatchUpdateRequest(entityName: "Node")
          update.predicate = NSPredicate(format: "name == %@", name)
          update.propertiesToUpdate = ["age": NSExpression(format: "age + 100")]
          _ = try context.execute(update)
          #expect(try context.deleteBatch("Leaf", where: "name == '\(name)' AND age < 115") as? Int == 15)
        }
      }
    }
    #expect(try coordinators[0].inContext { try $0.count("Leaf", where: "age >= 115") } == 6 * rounds * 5)
    #expect(try StoreCheck.errors(url, model: BatchModel.graph()).isEmpty)
  }
}
