import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Migration policies that change objects of the source and save them (D-MIG-16).
@Suite struct SourceSaveTests {
  /// Does what the manager's user info says.
  class Worker: NSEntityMigrationPolicy {
    private func run(_ step: String, _ manager: NSMigrationManager) throws {
      try (manager.userInfo?[step] as? SourceSaveTests.Step)?.work(manager)
    }

    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
      try run("begin", manager)
    }

    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      if manager.userInfo?["each"] as? Bool == true {
        sInstance.setValue((sInstance.text("name") ?? "") + "!", forKey: "name")
        try manager.sourceContext.save()
        #expect(!sInstance.hasChanges && sInstance.managedObjectContext === manager.sourceContext)
      }
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }

    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      try run("end", manager)
    }
  }

  fileprivate final class Step {
    let work: (NSMigrationManager) throws -> Void
    init(_ work: @escaping (NSMigrationManager) throws -> Void) { self.work = work }
  }

  private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]

  private func entities(_ more: String) -> String {
    """
    <entity name='Person'><attribute name='name' attributeType='String' optional='YES'/>
      <attribute name='photo' attributeType='Binary' optional='YES' allowsExternalBinaryDataStorage='YES'/>\(more)
      <relationship name='pets' optional='YES' toMany='YES' destinationEntity='Pet' inverseName='owner'
        inverseEntity='Pet'/></entity>
    <entity name='Pet'><attribute name='name' attributeType='String' optional='YES'/>
      <relationship name='owner' optional='YES' maxCount='1' destinationEntity='Person' inverseName='pets'
        inverseEntity='Person'/></entity>
    """
  }

  private static func photo(_ number: UInt8) -> Data { Data(repeating: number, count: 200_000) }

  /// A store of three people with a pet and a large photo each.
  private func stores(_ type: String = NSSQLiteStoreType) throws -> MigrationStores {
    let stores = try MigrationStores(
      MigrationFixture.model(entities("")),
      MigrationFixture.model(entities("<attribute name='note' attributeType='String' optional='YES'/>")))
    try stores.fill(type) { context in
      for number in 0..<3 {
        let person = context.make("Person", ["name": "p\(number)", "photo": Self.photo(UInt8(number))])
        context.make("Pet", ["name": "pet \(number)"]).setValue(person, forKey: "owner")
      }
    }
    return stores
  }

  private func mapping(_ stores: MigrationStores) throws -> NSMappingModel {
    NSEntityMigrationPolicy.register(Worker.self, forName: "SourceSaveTests.Worker")
    let mapping = try stores.inferred()
    mapping.entityMappings.first { $0.sourceEntityName == "Person" }?.entityMigrationPolicyClassName =
      "SourceSaveTests.Worker"
    return mapping
  }

  private func photo(_ name: String, in context: NSManagedObjectContext) throws -> Data? {
    try context.named(name).value(forKey: "photo") as? Data
  }

  /// The bytes of the files of the old store, by name.
  private func sourceFiles(_ stores: MigrationStores) throws -> [String: Data] {
    var files: [String: Data] = [:]
    let names = try #require(FileManager.default.enumerator(atPath: stores.folder.path))
    for case let name as String in names where name.contains("Old") {
      files[name] = try? Data(contentsOf: stores.folder.appendingPathComponent(name))
    }
    return files
  }

  @Test(arguments: types) func whatAPolicySavesIsMigratedAndTheSourceStays(_ type: String) throws {
    let stores = try stores(type), before = try sourceFiles(stores), manager = stores.manager()
    manager.userInfo = ["each": true]
    try stores.migrate(mapping(stores), by: manager, from: .init(rawValue: type), to: .init(rawValue: type))
    #expect(try sourceFiles(stores) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: stores.folder.path)
    #expect(!names.contains { $0.contains("migrationdestination") || $0.hasPrefix(".ocd") }, "\(names)")
    try stores.result(type) { (context: NSManagedObjectContext) throws in
      #expect(try context.names("Person") == ["p0!", "p1!", "p2!"])
      for person in try context.all("Person", sortedBy: "name") {
        let number = try #require(person.text("name")?.dropFirst().first?.wholeNumberValue)
        let photo = person.value(forKey: "photo") as? Data
        #expect(photo == Self.photo(UInt8(number)))
        #expect(person.texts("pets", "name") == ["pet \(number)"])
      }
    }
    try MigrationStores.open(stores.source, stores.models.source, type) { (context: NSManagedObjectContext) throws in
      #expect(try context.names("Person") == ["p0", "p1", "p2"])
    }
  }

  @Test(arguments: types) func newAndDeletedObjectsAndValuesInFilesAreMigrated(_ type: String) throws {
    let stores = try stores(type), before = try sourceFiles(stores), manager = stores.manager()
    manager.userInfo = [
      "begin": Step { manager in
        let context = manager.sourceContext
        let gone = try context.named("p0"), changed = try context.named("p1")
        context.delete(gone)
        changed.setValue(Self.photo(77), forKey: "photo")
        let new = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
        new.setValue("new", forKey: "name")
        new.setValue(Self.photo(99), forKey: "photo")
        new.setValue(NSSet(object: try context.named("pet 0", "Pet")), forKey: "pets")
        try context.save()
        #expect(!new.objectID.isTemporaryID)
        // A second save goes to the same copy.
        new.setValue("newer", forKey: "name")
        try context.save()
        context.reset()
        #expect(try context.names("Person") == ["newer", "p1", "p2"])
      }
    ]
    try stores.migrate(mapping(stores), by: manager, from: .init(rawValue: type), to: .init(rawValue: type))
    #expect(try sourceFiles(stores) == before)
    try stores.result(type) { (context: NSManagedObjectContext) throws in
      #expect(try context.names("Person") == ["newer", "p1", "p2"])
      #expect(try photo("p1", in: context) == Self.photo(77))
      #expect(try photo("p2", in: context) == Self.photo(2))
      #expect(try photo("newer", in: context) == Self.photo(99))
      #expect(try context.named("newer").texts("pets", "name") == ["pet 0"])
    }
  }

  @Test func batchRequestsGoToTheCopy() throws {
    let stores = try stores(), before = try sourceFiles(stores), manager = stores.manager()
    manager.userInfo = [
      "begin": Step { manager in
        let update = NSBatchUpdateRequest(entityName: "Person")
        update.propertiesToUpdate = ["name": "everybody"]
        try manager.sourceContext.execute(update)
      }
    ]
    try stores.migrate(mapping(stores), by: manager)
    #expect(try sourceFiles(stores) == before)
    #expect(try stores.result { try $0.names("Person") } == ["everybody", "everybody", "everybody"])
  }

  @Test(arguments: types) func aFailureAfterASaveLeavesEverythingAsItWas(_ type: String) throws {
    let stores = try stores(type), before = try sourceFiles(stores), manager = stores.manager()
    manager.userInfo = ["each": true, "end": Step { _ in throw CocoaError(.featureUnsupported) }]
    let error = #expect(throws: NSError.self) {
      try stores.migrate(mapping(stores), by: manager, from: .init(rawValue: type), to: .init(rawValue: type))
    }
    #expect(error?.code == NSEntityMigrationPolicyError)
    #expect(try sourceFiles(stores) == before)
    #expect(try stores.newFiles().isEmpty)
    // The manager can be used again.
    manager.userInfo = ["each": true]
    try stores.migrate(mapping(stores), by: manager, from: .init(rawValue: type), to: .init(rawValue: type))
    #expect(try stores.result(type) { try $0.names("Person") } == ["p0!", "p1!", "p2!"])
  }

  /// The copy would have other objects than those that were migrated already.
  @Test func aSourceThatOthersHaveWrittenMeanwhileIsRefused() throws {
    let stores = try stores(), manager = stores.manager()
    manager.userInfo = [
      "end": Step { manager in
        try MigrationStores.open(stores.source, stores.models.source) { context in
          _ = context.make("Person", ["name": "late"])
          try context.save()
        }
        try manager.sourceContext.named("p0").setValue("changed", forKey: "name")
        try manager.sourceContext.save()
      }
    ]
    let error = #expect(throws: NSError.self) { try stores.migrate(mapping(stores), by: manager) }
    #expect(error?.code == NSEntityMigrationPolicyError)
    #expect((error?.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == NSPersistentStoreSaveConflictsError)
    #expect(try stores.newFiles().isEmpty)
  }

  /// As opening a store with a mapping model does.
  @Test(arguments: types) func aStoreThatIsMigratedInItsPlaceHasWhatThePolicySaved(_ type: String) throws {
    let stores = try stores(type), manager = stores.manager()
    manager.userInfo = ["each": true]
    try StoreRemaking.migrate(
      MigrationPlace(stores.source, type, nil), from: stores.models.source, to: stores.models.destination,
      mapping(stores), by: manager)
    try MigrationStores.open(stores.source, stores.models.destination, type) {
      (context: NSManagedObjectContext) throws in
      #expect(try context.names("Person") == ["p0!", "p1!", "p2!"])
      #expect(try photo("p2!", in: context) == Self.photo(2))
    }
    #expect(try stores.newFiles().isEmpty)
  }

  /// Setting the URL of a store of one file has its next save write there.
  @Test(arguments: [NSXMLStoreType, NSBinaryStoreType]) func aMovedStoreOfOneFileIsWrittenAtItsNewPlace(
    _ type: String
  ) throws {
    let stores = try stores(type), before = try Data(contentsOf: stores.source)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stores.models.source)
    let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: stores.source)
    #expect(coordinator.setURL(stores.destination, for: store) && store.url == stores.destination)
    try coordinator.inContext { context in
      try context.named("p0").setValue("moved", forKey: "name")
      try context.save()
    }
    try coordinator.remove(store)
    #expect(try Data(contentsOf: stores.source) == before)
    try MigrationStores.open(stores.destination, stores.models.source, type) {
      (context: NSManagedObjectContext) throws in
      #expect(try context.names("Person") == ["moved", "p1", "p2"])
    }
  }
}
