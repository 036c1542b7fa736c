import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// A store without columns keeps the same values.
@Suite struct InMemoryValueTests {
  private func coordinator(_ model: NSManagedObjectModel) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    return coordinator
  }

  @Test func transformables() throws {
    let coordinator = try coordinator(ValuesModel.shapes())
    let tags = NSMutableArray(array: ["a"])
    try coordinator.inContext { context in
      let shape = context.make("Shape", ["name": "A", "tags": tags, "colour": Colour(1, 2, 3)])
      try context.save()
      tags.add("not saved")
      shape.setValue("B", forKey: "name")
      try context.save()
      #expect(shape.value(forKey: "tags") as? NSArray === tags)
      shape.setValue(Unarchivable(), forKey: "tags")
      #expect(throws: NSError.self) { try context.save() }
    }
    coordinator.emptyRowCache()
    try coordinator.inContext { context in
      let shape = try #require(try context.all("Shape").first)
      #expect(shape.value(forKey: "tags") as? [String] == ["a"] && shape.value(forKey: "name") as? String == "B")
      #expect(shape.value(forKey: "colour") as? Colour == Colour(1, 2, 3))
    }
  }

  @Test func composites() throws {
    let coordinator = try coordinator(ValuesModel.addresses())
    let home: [String: Any] = ["street": "Elm", "number": 5, "place": ["latitude": 1.5]]
    try coordinator.inContext { context in
      _ = context.make("Person", ["name": "Ada", "address": home])
      _ = context.make("Staff", ["name": "Bob", "address": NSNull(), "office": ["room": "1"]])
      try context.save()
    }
    coordinator.emptyRowCache()
    try coordinator.inContext { context in
      let people = try context.all("Person", sortedBy: "name")
      #expect(people[0].value(forKey: "address") as? NSDictionary == home as NSDictionary)
      #expect(people[1].value(forKey: "address") == nil && people[1].value(forKeyPath: "office.room") as? String == "1")
      people[0].setValue("Oak", forKeyPath: "address.street")
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.predicate = NSPredicate(format: "address.street == 'Oak' AND address.place.latitude > 1")
      #expect(try context.fetch(request) == [people[0]])
    }
  }
}
