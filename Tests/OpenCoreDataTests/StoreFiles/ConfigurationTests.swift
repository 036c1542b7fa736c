import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// A model whose entities live in two files.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct ConfigurationTests {
  /// People and their notes in one, places in the other; a person has a home there, which no store can keep.
  private func model() -> NSManagedObjectModel {
    let person = TestModel.entity("Person", [TestModel.attribute("name", .stringAttributeType)])
    let note = TestModel.entity("Note", [TestModel.attribute("name", .stringAttributeType)])
    let place = TestModel.entity("Place", [TestModel.attribute("name", .stringAttributeType)])
    let city = TestModel.entity("City", [TestModel.attribute("size", .integer32AttributeType)], parent: place)
    TestModel.relate(person, "notes", max: 0, note, "person", max: 1, rule: .cascadeDeleteRule)
    TestModel.relate(person, "home", max: 1, place, "residents", max: 0)
    TestModel.relate(person, "visited", max: 0, place, "visitors", max: 0)
    let model = NSManagedObjectModel()
    model.entities = [person, note, place, city]
    model.setEntities([person, note], forConfigurationName: "People")
    model.setEntities([place, city], forConfigurationName: "Places")
    return model
  }

  private func open(_ people: URL, _ places: URL, _ model: NSManagedObjectModel? = nil) throws
    -> NSPersistentStoreCoordinator
  {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model ?? self.model())
    try coordinator.addPersistentStore(type: .sqlite, configuration: "People", at: people)
    try coordinator.addPersistentStore(type: .sqlite, configuration: "Places", at: places)
    return coordinator
  }

  @Test func eachEntityGoesToItsFileAndIsFoundAgain() throws {
    let people = try TestModel.temporaryFile("People.sqlite"), places = try TestModel.temporaryFile("Places.sqlite")
    var coordinator = try open(people, places)
    #expect(coordinator.persistentStores.map(\.configurationName) == ["People", "Places"])
    try coordinator.inContext { (context) throws in
      let ann = context.make("Person", ["name": "Ann"])
      _ = context.make("Note", ["name": "N", "person": ann])
      _ = context.make("Place", ["name": "P"])
      _ = context.make("City", ["name": "C", "size": 5])
      try context.save()
    }
    #expect(try Shell.sql(people, "SELECT Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT") == ["Note", "Person"])
    #expect(try Shell.sql(places, "SELECT Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT") == ["Place", "City"])
    try FileStore.close(coordinator)
    coordinator = try open(people, places)
    try coordinator.inContext { (context) throws in
      #expect(try context.names("Person") == ["Ann"] && context.names("Place") == ["C", "P"])
      #expect(try context.named("Ann").many("notes").count == 1)
      let request = NSFetchRequest<NSManagedObject>(entityName: "City")
      request.affectedStores = [coordinator.persistentStores[0]]
      #expect(try context.fetch(request).isEmpty)
      request.affectedStores = [coordinator.persistentStores[1]]
      #expect(try context.fetch(request).map { $0.number("size") } == [5])
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == 1)
      // To-manys whose members are in another file are empty.
      #expect(try context.named("Ann").many("visited").isEmpty && context.named("P", "Place").many("residents").isEmpty)
    }
  }

  @Test func relationshipsBetweenFilesAreRefused() throws {
    let coordinator = try open(TestModel.temporaryFile(), TestModel.temporaryFile())
    try coordinator.inContext { (context) throws in
      let ann = context.make("Person", ["name": "Ann"]), place = context.make("Place", ["name": "P"])
      ann.setValue(place, forKey: "home")
      #expect(FileStore.code { try context.save() } == NSManagedObjectExternalRelationshipError)
      ann.setValue(nil, forKey: "home")
      ann.setValue(NSSet(object: place), forKey: "visited")
      #expect(FileStore.code { try context.save() } == NSManagedObjectExternalRelationshipError)
      ann.setValue(NSSet(), forKey: "visited")
      try context.save()
    }
  }

  @Test func aFileIsOpenedAsWhatItIs() throws {
    let people = try TestModel.temporaryFile(), places = try TestModel.temporaryFile()
    let coordinator = try open(people, places)
    for configuration in [nil, "Places"] {
      let other = NSPersistentStoreCoordinator(managedObjectModel: model())
      let code = FileStore.code {
        try other.addPersistentStore(type: .sqlite, configuration: configuration, at: people)
      }
      #expect(code == NSPersistentStoreIncompatibleVersionHashError)
    }
    // The model is whole in each of the two; which configuration fits, the metadata tell.
    try FileStore.close(coordinator)
    let model = try NSManagedObjectModel(contentsOfStoreAt: places)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: places)
    let fitting = model.configurations.filter {
      model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
    }
    #expect(fitting == ["Places"])
    let again = try open(people, places, model)
    #expect(again.persistentStores.count == 2)
  }

  @Test func aStoreMovesWithItsConfiguration() throws {
    let coordinator = try open(TestModel.temporaryFile(), TestModel.temporaryFile())
    try coordinator.inContext { (context) throws in
      _ = context.make("Person", ["name": "Ann"])
      _ = context.make("Place", ["name": "P"])
      try context.save()
    }
    try coordinator.migratePersistentStore(
      coordinator.persistentStores[0], to: URL(fileURLWithPath: "/dev/null"), type: .inMemory)
    #expect(coordinator.persistentStores.map(\.configurationName) == ["People", "Places"])
    try coordinator.migratePersistentStore(
      coordinator.persistentStores[1], to: try TestModel.temporaryFile(), type: .sqlite)
    try coordinator.inContext { (context) throws in
      #expect(try context.names("Person") == ["Ann"] && context.names("Place") == ["P"])
      let id = try context.named("Ann").objectID
      #expect(id.persistentStore === coordinator.persistentStores[0])
    }
  }
}
