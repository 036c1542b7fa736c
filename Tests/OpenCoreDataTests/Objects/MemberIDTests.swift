import CoreData
import Testing

/// `objectIDs(forRelationshipNamed:)` and what else of NSManagedObject is short.
@Suite struct MemberIDTests {
  @Test(arguments: TestStore.all) func idsWithoutObjects(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    let ids = try coordinator.inContext { context in
      let people = ["A", "B", "C"].map { context.make("Employee", ["name": $0]) }
      let boss = context.make("Manager", ["name": "boss"])
      boss.setValue(NSSet(array: people), forKey: "reports")
      try context.save()
      return (people + [boss]).map(\.objectID)
    }
    try coordinator.inContext { context in
      let boss = context.object(with: ids[3]), one = context.object(with: ids[0])
      let found = boss.objectIDs(forRelationshipNamed: "reports")
      #expect(Set(found) == Set(ids[..<3]) && found.count == 3 && found.allSatisfy { $0.entity.name == "Employee" })
      #expect(one.objectIDs(forRelationshipNamed: "boss") == [ids[3]])
      #expect(one.objectIDs(forRelationshipNamed: "boss").first?.entity.name == "Manager")
      #expect(boss.objectIDs(forRelationshipNamed: "boss") == [] && boss.objectIDs(forRelationshipNamed: "clubs") == [])
      #expect(context.registeredObjects == [boss, one])
      // With what was changed since.
      context.object(with: ids[1]).setValue(nil, forKey: "boss")
      let new = context.make("Person", ["boss": boss])
      #expect(Set(boss.objectIDs(forRelationshipNamed: "reports")) == [ids[0], ids[2], new.objectID])
      #expect(context.registeredObject(for: ids[2]) == nil)
      #expect(new.objectIDs(forRelationshipNamed: "boss") == [ids[3]])
      new.setValue(nil, forKey: "boss")
      #expect(new.objectIDs(forRelationshipNamed: "boss").isEmpty)
      _ = boss.many("reports")
      #expect(Set(boss.objectIDs(forRelationshipNamed: "reports")) == [ids[0], ids[2]])
    }
  }

  @Test(arguments: TestStore.all) func idsInTheirOrder(_ store: TestStore) throws {
    let model = Society.family(.nullifyDeleteRule)
    model.entitiesByName["Parent"]?.relationshipsByName["children"]?.isOrdered = true
    let coordinator = try store.coordinator(model)
    let ids = try coordinator.inContext { context in
      let children = (0..<5).map { context.make("Child", ["name": "\($0)"]) }
      context.make("Parent", ["name": "P"]).setValue(
        NSOrderedSet(array: [3, 1, 4, 0, 2].map { children[$0] }), forKey: "children")
      try context.save()
      return children.map(\.objectID)
    }
    try coordinator.inContext { context in
      let parent = try context.named("P", "Parent")
      #expect(parent.objectIDs(forRelationshipNamed: "children") == [3, 1, 4, 0, 2].map { ids[$0] })
      #expect(context.registeredObjects == [parent])
      parent.mutableOrderedSetValue(forKey: "children").moveObjects(at: [4], to: 0)
      #expect(parent.objectIDs(forRelationshipNamed: "children") == [2, 3, 1, 4, 0].map { ids[$0] })
    }
  }

  @Test func aKeyThatIsNoRelationship() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Society.coordinator().inContext { _ = $0.make("Person").objectIDs(forRelationshipNamed: "name") }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("for the key \"name\""))
  }

  @Test(arguments: TestStore.all) func subscripts(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let person = context.make("Person")
      person["name"] = "Ada"
      person["boss"] = context.make("Person", ["name": "Bob"])
      #expect(person["name"] as? String == "Ada" && (person["boss"] as? NSManagedObject)?["name"] as? String == "Bob")
      person["name"] = nil
      #expect(person["name"] == nil && person.value(forKey: "name") == nil)
    }
  }

  @Test(arguments: TestStore.all) func changesOfUnmodelledProperties(_ store: TestStore) throws {
    #expect(NSManagedObject.contextShouldIgnoreUnmodeledPropertyChanges)
    let model = NSManagedObjectModel()
    model.entities = [Sticky.self, Loose.self].map { type in
      let entity = TestModel.entity("\(type)", [TestModel.attribute("name", .stringAttributeType)])
      entity.managedObjectClassName = NSStringFromClass(type)
      return entity
    }
    try store.coordinator(model).inContext { context in
      let sticky = context.insert("Sticky"), loose = context.insert("Loose")
      try context.save()
      for object in [sticky, loose] {
        object.willChangeValue(forKey: "colour")
        object.didChangeValue(forKey: "colour")
      }
      #expect(sticky.hasChanges && context.updatedObjects == [sticky] && !sticky.hasPersistentChangedValues)
      #expect(!loose.hasChanges)
      try context.save()
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: TestStore.all) func observationInfo(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let person = context.make("Person")
      #expect(person.observationInfo() == nil)
      let observer = Watcher()
      person.addObserver(observer, forKeyPath: "name", options: [], context: nil)
      #expect(person.observationInfo() != nil)
      person["name"] = "A"
      person.setObservationInfo(nil)
      person["name"] = "B"
      #expect(person.observationInfo() == nil && observer.count == 1)
      person.observationInfo = nil
      let info: UnsafeMutableRawPointer? = person.observationInfo
      #expect(info == nil)
    }
  }

  private final class Watcher: NSObject, NSKeyValueObserving {
    var count = 0
    func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) { count += 1 }
  }
}

final class Sticky: NSManagedObject {
  override class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { false }
}

final class Loose: NSManagedObject {}
