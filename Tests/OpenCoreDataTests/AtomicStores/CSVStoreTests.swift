import CoreData
import Foundation
import Testing

@Suite struct CSVStoreTests {
  private static func model() -> NSManagedObjectModel {
    let person = TestModel.entity(
      "Person",
      [TestModel.attribute("name", .stringAttributeType), TestModel.attribute("age", .integer16AttributeType)])
    let manager = TestModel.entity("Manager", [], parent: person)
    TestModel.relate(person, "boss", max: 1, person, "reports", max: 0)
    let model = NSManagedObjectModel()
    model.entities = [person, manager]
    return model
  }

  private static func open(_ url: URL) throws -> NSPersistentStoreCoordinator {
    CSVStore.register()
    return try AtomicModel.coordinator(CSVStore.type, url, model())
  }

  private static func make(_ name: String, _ context: NSManagedObjectContext, boss: NSManagedObject? = nil)
    -> NSManagedObject
  {
    let person = NSEntityDescription.insertNewObject(forEntityName: boss == nil ? "Manager" : "Person", into: context)
    person.setValue(name, forKey: "name")
    person.setValue(boss, forKey: "boss")
    return person
  }

  private static func fill(_ coordinator: NSPersistentStoreCoordinator) throws {
    try coordinator.inContext { context in
      let ann = make("Ann", context)
      make("Bob", context, boss: ann).setValue(40, forKey: "age")
      _ = make("Cem", context, boss: ann)
      try context.save()
    }
  }

  private static func lines(_ url: URL) throws -> [String] {
    Array(try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n").dropFirst())
  }

  @Test func writesAndReads() throws {
    let url = try AtomicModel.folder().appendingPathComponent("people.csv")
    let coordinator = try Self.open(url)
    try Self.fill(coordinator)
    #expect(try Self.lines(url) == ["Manager,Ann,,,Bob Cem", "Person,Bob,40,Ann,", "Person,Cem,,Ann,"])
    let uri = try coordinator.inContext { try $0.named("Bob").objectID.uriRepresentation() }
    #expect(uri.lastPathComponent == "pBob")
    let again = try Self.open(url)
    try again.inContext { context in
      let bob = context.object(with: try #require(again.managedObjectID(forURIRepresentation: uri)))
      #expect(bob.text("name") == "Bob" && bob.number("age") == 40)
      #expect(bob.one("boss")?.entity.name == "Manager")
      #expect(bob.one("boss")?.many("reports").count == 2)
      #expect(try context.names("Person", where: "boss.name == 'Ann' AND age == nil") == ["Cem"])
      #expect(try context.names("Person", where: "ANY reports.age > 30") == ["Ann"])
    }
  }

  @Test func deletedNodesLeaveTheOtherEnds() throws {
    let url = try AtomicModel.folder().appendingPathComponent("people.csv")
    let coordinator = try Self.open(url)
    try Self.fill(coordinator)
    try coordinator.inContext { context in
      context.delete(try context.named("Bob"))
      try context.save()
      #expect(try context.named("Ann").many("reports").count == 1)
    }
    #expect((coordinator.persistentStores[0] as? CSVStore)?.removed == ["Bob"])
    #expect(try Self.lines(url) == ["Manager,Ann,,,Cem", "Person,Cem,,Ann,"])
    try coordinator.inContext { context in
      _ = Self.make("Bob", context, boss: try context.named("Cem"))
      try context.save()
      #expect(try context.named("Bob").number("age") == nil)
    }
    #expect(try Self.lines(url) == ["Manager,Ann,,,Cem", "Person,Bob,,Cem,", "Person,Cem,,Ann,Bob"])
  }

  @Test func aFailedSaveTakesBackWhatNodesTook() throws {
    let url = try AtomicModel.folder().appendingPathComponent("people.csv")
    let coordinator = try Self.open(url)
    try Self.fill(coordinator)
    let store = try #require(coordinator.persistentStores[0] as? CSVStore)
    func nodes() -> [String] {
      store.cacheNodes().map { node in
        let reports = (node.value(forKey: "reports") as? NSSet)?.allObjects ?? []
        let names = reports.compactMap { ($0 as? NSAtomicStoreCacheNode)?.value(forKey: "name") as? String }
        return "\(node.value(forKey: "name") ?? "") \(node.value(forKey: "age") ?? "") \(names.sorted())"
      }.sorted()
    }
    let before = nodes()
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      context.delete(try context.named("Bob"))
      let cem = try context.named("Cem")
      cem.setValue(50, forKey: "age")
      _ = Self.make("Dag", context, boss: cem)
      store.fails = true
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == CocoaError.Code.fileWriteOutOfSpace.rawValue)
    }
    #expect(nodes() == before)
    #expect(try coordinator.inContext { try $0.names("Person") } == ["Ann", "Bob", "Cem"])
    store.fails = false
    try context.performAndWait { try context.save() }
    #expect(try Self.lines(url) == ["Manager,Ann,,,Cem", "Person,Cem,50,Ann,Dag", "Person,Dag,,Cem,"])
  }

  @Test func aReferenceObjectIsOneObjects() throws {
    let coordinator = try Self.open(try AtomicModel.folder().appendingPathComponent("people.csv"))
    try Self.fill(coordinator)
    try coordinator.inContext { context in
      let other = Self.make("Bob", context)
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSCoreDataError)
      #expect(error?.localizedDescription.contains("Bob") == true)
      #expect(throws: NSError.self) { try context.obtainPermanentIDs(for: [other]) }
      other.setValue("Bert", forKey: "name")
      try context.save()
    }
    #expect(try coordinator.inContext { try $0.names("Person") } == ["Ann", "Bert", "Bob", "Cem"])
  }

  @Test func theLaterOfTwoContextsIsInConflict() throws {
    let coordinator = try Self.open(try AtomicModel.folder().appendingPathComponent("people.csv"))
    try Self.fill(coordinator)
    let first = TestModel.context(coordinator), second = TestModel.context(coordinator)
    try first.performAndWait {
      try first.named("Bob").setValue(1, forKey: "age")
      try second.performAndWait {
        second.retainsRegisteredObjects = true
        try second.named("Bob").setValue(2, forKey: "age")
        try second.named("Cem").setValue(3, forKey: "age")
      }
      try first.save()
      first.delete(try first.named("Cem"))
      try first.save()
    }
    second.performAndWait {
      let error = #expect(throws: NSError.self) { try second.save() }
      #expect(error?.code == NSManagedObjectMergeError)
    }
    #expect(try coordinator.inContext { try $0.named("Bob").number("age") } == 1)
  }

  /// Nodes refer to each other in circles, which the store undoes.
  @Test func nodesGoWithTheirStore() throws {
    weak var node: NSAtomicStoreCacheNode?
    weak var store: NSPersistentStore?
    do {
      let coordinator = try Self.open(try AtomicModel.folder().appendingPathComponent("people.csv"))
      try Self.fill(coordinator)
      store = coordinator.persistentStores[0]
      node = (store as? CSVStore)?.cacheNodes().first
      #expect(node != nil)
    }
    #expect(store == nil && node == nil)
  }
}
