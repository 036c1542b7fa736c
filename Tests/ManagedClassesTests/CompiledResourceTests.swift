import CoreData
import Foundation
import Testing

/// Models and mapping models of the target, as applications ask their bundle for them.
@Suite struct CompiledResourceTests {
  private func url(_ name: String, _ suffix: String) throws -> URL {
    try #require(Bundle.module.url(forResource: name, withExtension: suffix), "\(name).\(suffix)")
  }

  private func model(_ name: String, _ suffix: String) throws -> NSManagedObjectModel {
    try #require(NSManagedObjectModel(contentsOf: url(name, suffix)))
  }

  private func version(_ name: String) throws -> NSManagedObjectModel {
    try #require(NSManagedObjectModel(contentsOf: url("Barn", "momd").appendingPathComponent(name + ".mom")))
  }

  @Test func theCurrentVersionIsRead() throws {
    let model = try model("Barn", "momd")
    #expect(model.entitiesByName.keys.sorted() == ["Animal", "Hen", "Loose", "Stall"])
    #expect(
      model.entityVersionHashesByName
        == NSPersistentContainer(name: "Barn").managedObjectModel.entityVersionHashesByName)
    // The sources are there, too, and say the same.
    #expect(try self.model("Barn", "xcdatamodeld") == model)
    #expect(try self.model("Tools", "mom") == self.model("Tools", "xcdatamodel"))
    #expect(try self.model("Studio", "momd").entitiesByName["LiveSession"] != nil)
  }

  @Test func versionsAreListedAndOpened() throws {
    let folder = try url("Barn", "momd")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "mom" }
    #expect(Set(files.map(\.lastPathComponent)) == ["Barn 1.mom", "Barn 2.mom"])
    let models = try files.map { try #require(NSManagedObjectModel(contentsOf: $0)) }
    let list = try Data(contentsOf: folder.appendingPathComponent("VersionInfo.plist"))
    let info = try #require(PropertyListSerialization.propertyList(from: list, format: nil) as? [String: Any])
    #expect(info["NSManagedObjectModel_CurrentVersionName"] as? String == "Barn 2")
    let hashes = try #require(info["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
    let checksums = try #require(info["NSManagedObjectModel_VersionChecksums"] as? [String: String])
    for (file, model) in zip(files, models) {
      let name = file.deletingPathExtension().lastPathComponent
      #expect(hashes[name] == model.entityVersionHashesByName && checksums[name] == model.versionChecksum)
    }
    #expect(
      Bundle.module.urls(forResourcesWithExtension: "mom", subdirectory: "Barn.momd")?.count == 2)
  }

  @Test func noModelIsFoundTwice() throws {
    let merged = try #require(NSManagedObjectModel.mergedModel(from: [Bundle.module]))
    #expect(Set(merged.entities.map(\.name)).isSuperset(of: ["Animal", "Stall", "Fork", "Session", "Take"]))
    #expect(merged.entities.count == Set(merged.entities.map(\.name)).count)
  }

  @Test func classesOfTheModuleAreFoundByName() throws {
    let model = try model("Barn", "momd")
    for name in ["Animal", "Hen", "Stall"] {
      let className = try #require(model.entitiesByName[name]?.managedObjectClassName)
      #expect(className == "ManagedClassesTests.\(name)")
      #expect(NSClassFromString(className) is NSManagedObject.Type)
    }
    #expect(model.entitiesByName["Loose"]?.managedObjectClassName == "NSManagedObject")
    #expect(try self.model("Tools", "mom").entities.first?.managedObjectClassName == "ManagedClassesTests.Fork")
    // What looks like a class's name in a value is none.
    let kind = model.entitiesByName["Animal"]?.attributesByName["kind"]?.defaultValue
    #expect(kind as? String == "representedClassName=\".Animal\"")
    // A class that names no module keeps its bare name, as on Apple's platforms.
    #expect(try self.model("Studio", "momd").entitiesByName["Take"]?.managedObjectClassName == "Take")
  }

  /// The usual way to empty a store goes through the names of the classes.
  @MainActor @Test func everyEntityIsEmptied() throws {
    let container = NSPersistentContainer(name: "Barn", managedObjectModel: try model("Barn", "momd"))
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))]
    container.loadPersistentStores { _, error in #expect(error == nil) }
    let context = container.viewContext
    _ = (Animal(context: context), Hen(context: context), Stall(context: context))
    try context.save()
    for entity in container.managedObjectModel.entities where entity.name != "Loose" {
      let type = try #require(NSClassFromString(entity.managedObjectClassName) as? NSManagedObject.Type)
      for object in try context.fetch(type.fetchRequest()) { context.delete(try #require(object as? NSManagedObject)) }
    }
    try context.save()
    #expect(try context.count(for: Animal.fetchRequest()) == 0 && context.count(for: Stall.fetchRequest()) == 0)
  }

  @Test func aStoreOfAnEarlierVersionIsMigratedByTheMappingModel() throws {
    let (first, second) = (try version("Barn 1"), try model("Barn", "momd"))
    let mapping = try #require(NSMappingModel(contentsOf: url("Barn", "cdm")))
    #expect(mapping.entityMappings.map(\.name) == ["BeastToAnimal"])
    let found = NSMappingModel(from: [Bundle.module], forSourceModel: first, destinationModel: second)
    #expect(found?.entityMappings.map(\.name) == ["BeastToAnimal"])
    #expect(NSMappingModel(from: [Bundle.module], forSourceModel: second, destinationModel: first) == nil)

    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appendingPathComponent("Barn.sqlite")
    func open(_ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      _ = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: store,
        options: [NSMigratePersistentStoresAutomaticallyOption: true])
      let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      return context
    }
    do {
      let context = try open(first)
      NSEntityDescription.insertNewObject(forEntityName: "Beast", into: context).setValue("Rosa", forKey: "name")
      try context.save()
    }
    // The model of the store, and the mapping model, are found in the bundle.
    let context = try open(second)
    #expect(try context.fetch(Animal.fetchRequest()).map(\.name) == ["Rosa"])
  }

  @MainActor @Test func membersComeInArraysAndSwiftSets() throws {
    let container = NSPersistentContainer(name: "Barn")
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))]
    container.loadPersistentStores { _, error in #expect(error == nil) }
    let context = container.viewContext
    let stall = Stall(context: context)
    let animals = (0..<4).map { _ in Animal(context: context) }
    let hens = (0..<2).map { _ in Hen(context: context) }
    func members() -> Set<Animal> { stall.animals as? Set<Animal> ?? [] }
    stall.addToAnimals([animals[0], animals[1]])
    #expect(members() == Set(animals[0...1]) && animals[0].stall === stall)
    stall.addToAnimals([animals[2], hens[0]])
    stall.addToAnimals(Set(animals))
    stall.addToAnimals(hens)
    #expect(members() == Set(animals + hens))
    stall.removeFromAnimals(hens)
    stall.removeFromAnimals(animals[0])
    #expect(members() == Set(animals[1...3]))
    stall.removeFromAnimals(NSSet(array: [animals[1], animals[2]]))
    stall.removeFromAnimals(members().lazy.filter { $0 === animals[3] })
    #expect(members().isEmpty && animals.allSatisfy { $0.stall == nil })
    let array = animals[0...1]
    stall.addToAnimals(array)
    #expect(members().count == 2)
    stall.removeFromAnimals(members())
    #expect(members().isEmpty)
  }
}

/// What projects have written, since Apple's methods take no arrays.
extension Stall {
  func addToAnimals(_ values: [Hen]) { addToAnimals(NSSet(array: values)) }
}
