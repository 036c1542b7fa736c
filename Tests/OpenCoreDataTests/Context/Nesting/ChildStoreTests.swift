import CoreData
import Testing

/// Children over every kind of store, and over several.
@Suite struct ChildStoreTests {
  private func work(_ coordinator: NSPersistentStoreCoordinator) throws {
    let tree = Tree(coordinator)
    try tree.leaf.inside { leaf throws in
      let boss = leaf.make("Person", ["name": "boss", "age": 50])
      for number in 0..<3 {
        let person = leaf.make("Person", ["name": "p\(number)"])
        person.setValue(boss, forKey: "boss")
        person.mutableSetValue(forKey: "clubs").add(leaf.make("Club", ["name": "c\(number)"]))
      }
      try leaf.save()
    }
    try Tree.saveUp(tree.middle)
    try tree.leaf.inside { leaf throws in
      let boss = try leaf.named("boss")
      #expect(!boss.objectID.isTemporaryID && boss.many("reports").count == 3)
      boss.setValue(51, forKey: "age")
      leaf.delete(try leaf.named("p0"))
      try leaf.named("p1").setValue(nil, forKey: "boss")
      try leaf.save()
      #expect(boss.many("reports").count == 1)
    }
    #expect(try tree.middle.inside { try $0.named("boss").many("reports").count == 1 })
    try Tree.saveUp(tree.middle)
    try coordinator.inContext { context throws in
      #expect(try context.names("Person") == ["boss", "p1", "p2"])
      #expect(try context.named("boss").number("age") == 51)
      #expect(try context.named("boss").many("reports") == [context.named("p2")])
      #expect(try context.named("p2").many("clubs").count == 1)
    }
  }

  @Test(arguments: TestStore.all) func everyKind(_ store: TestStore) throws {
    try work(try Society.coordinator(store, url: try store.place()))
  }

  @Test func xml() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Society.model())
    try coordinator.addPersistentStore(
      ofType: NSXMLStoreType, configurationName: nil, at: try TestModel.temporaryFile("Store.xml"))
    try work(coordinator)
  }

  private func twoStores(_ store: TestStore) throws -> NSPersistentStoreCoordinator {
    let coordinator = try Society.coordinator(store)
    try store.add(to: coordinator)
    return coordinator
  }

  @Test(arguments: TestStore.all) func objectsGoToTheStoreThatAChildAssigns(_ store: TestStore) throws {
    let tree = Tree(try twoStores(store))
    let stores = tree.coordinator.persistentStores
    let ids = try tree.leaf.inside { leaf throws in
      let first = leaf.make("Person", ["name": "A"]), second = leaf.make("Person", ["name": "B"])
      leaf.assign(second, to: stores[1])
      try leaf.save()
      return (first.objectID, second.objectID)
    }
    try Tree.saveUp(tree.middle)
    try tree.leaf.inside { leaf throws in
      #expect(leaf.object(with: ids.0).objectID.persistentStore === stores[0])
      #expect(leaf.object(with: ids.1).objectID.persistentStore === stores[1])
    }
  }

  /// The keys of two stores are the same numbers.
  @Test(arguments: TestStore.all) func newObjectsLeadToMembersInTheirStore(_ kind: TestStore) throws {
    let tree = Tree(try twoStores(kind))
    let stores = tree.coordinator.persistentStores
    try tree.root.inside { root throws in
      for (number, store) in stores.enumerated() {
        let boss = root.make("Manager", ["name": "boss \(number)"]),
          club = root.make("Club", ["name": "club \(number)"])
        root.assign(boss, to: store)
        root.assign(club, to: store)
      }
      try root.save()
    }
    try tree.middle.inside { middle throws in
      let person = middle.make("Person", ["name": "p"])
      middle.assign(person, to: stores[1])
      person.setValue(try middle.named("boss 1"), forKey: "boss")
      person.mutableSetValue(forKey: "clubs").add(try middle.named("club 1", "Club"))
    }
    try tree.leaf.inside { leaf throws in
      let person = try leaf.named("p")
      #expect(person.one("boss")?.text("name") == "boss 1")
      #expect(person.many("clubs").map { $0.text("name") } == ["club 1"])
      person.setValue("q", forKey: "name")
      try leaf.save()
      #expect(person.one("boss")?.text("name") == "boss 1")
    }
    try Tree.saveUp(tree.middle)
    try tree.leaf.inside { leaf throws in
      let person = try leaf.named("q")
      #expect(person.objectID.persistentStore === stores[1] && person.one("boss")?.text("name") == "boss 1")
      #expect(person.many("clubs").map { $0.text("name") } == ["club 1"])
    }
  }

  @Test func incremental() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Society.model())
    NSPersistentStoreCoordinator.registerStoreClass(RecordingStore.self, forStoreType: RecordingStore.type)
    try coordinator.addPersistentStore(
      ofType: RecordingStore.type, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
    let tree = Tree(coordinator)
    let id = try tree.leaf.inside { leaf throws in
      let ada = leaf.make("Person", ["name": "Ada"])
      ada.setValue(leaf.make("Person", ["name": "boss"]), forKey: "boss")
      try leaf.save()
      return ada.objectID
    }
    try Tree.saveUp(tree.middle)
    try tree.leaf.inside { leaf throws in
      let ada = leaf.object(with: id)
      #expect(!ada.objectID.isTemporaryID && ada.text("name") == "Ada")
      leaf.refreshAllObjects()
      #expect(ada.text("name") == "Ada" && ada.one("boss")?.text("name") == "boss")
      ada.setValue("A", forKey: "name")
      try leaf.save()
    }
    try Tree.saveUp(tree.middle)
    try coordinator.inContext { context throws in
      #expect(Set(try context.all("Person").map { $0.text("name")! }) == ["A", "boss"])
    }
  }
}
