import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Opening a store of another version where a bundle has models and a mapping model: in processes of their own, which know
/// no model but those.
@Suite struct MappingOnOpeningTests {
  /// A folder as a program has it: its model in two versions, and the mapping model between them.
  private static func bundle(_ mapping: String?) throws -> URL {
    let folder = try MigrationFixture.temporaryFolder()
    _ = try CompiledModel.compile(MigrationFixture.folder.appendingPathComponent("Notes.xcdatamodeld"), into: folder)
    if let mapping {
      try FileManager.default.copyItem(
        at: MigrationFixture.folder.appendingPathComponent(mapping), to: folder.appendingPathComponent(mapping))
    }
    return folder
  }

  /// A store of the first version, without a model of its own.
  private static func makeStore() throws -> URL {
    let url = try TestModel.temporaryFile("Notes.sqlite")
    try MigrationStores.open(url, MigrationFixture.notes(1)) { context in
      let tag = context.make("Tag", ["name": "red"])
      for number in 0..<5 {
        let note = context.make("Note", ["title": "note \(number)", "text": "text \(number)", "stars": number])
        note.setValue(NSSet(object: tag), forKey: "tags")
      }
      try context.save()
    }
    try PlainDatabase(url).rows("DELETE FROM Z_MODELCACHE")
    return url
  }

  private static func description(_ url: URL) -> NSPersistentStoreDescription {
    let description = NSPersistentStoreDescription(url: url)
    description.shouldInferMappingModelAutomatically = false
    return description
  }

  private static func load(_ model: NSManagedObjectModel, _ url: URL) -> (NSPersistentContainer, NSError?) {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    container.persistentStoreDescriptions = [description(url)]
    var failure: NSError?
    container.loadPersistentStores { _, error in failure = error.map { $0 as NSError } }
    return (container, failure)
  }

  @Test(arguments: ["Notes.cdm", "Notes.xcmappingmodel"]) func theMappingModelOfABundle(name: String) async throws {
    let (folder, url) = (try Self.bundle(name), try Self.makeStore())
    await #expect(processExitsWith: .success) { [folder = folder.path as String, path = url.path as String] in
      // As generated code does before main.
      RegisteredModels.add(folder + "/Notes.momd")
      NSEntityMigrationPolicy.register(MigrationManagerTests.NotePolicy.self, forName: "Notes.NotePolicy")
      let url = URL(fileURLWithPath: path)
      let model = try ModelLocator.model(named: "Notes")
      let (container, error) = Self.load(model, url)
      #expect(error == nil)
      try container.viewContext.performAndWait {
        let notes = try container.viewContext.all("Note", sortedBy: "stars")
        // What the policy makes, what only the mapping model knows, and what is related.
        #expect(notes.map { $0.text("headline") } == (0..<5).map { "NOTE \($0)" })
        #expect(
          notes.map { $0.texts("attachments", "text") } == [["text 0"], ["text 1"], ["text 2"], [], []])
        #expect(notes.allSatisfy { $0.texts("labels", "name") == ["red"] })
      }
      let coordinator = container.persistentStoreCoordinator
      try coordinator.remove(try #require(coordinator.persistentStores.first))
      #expect(try StoreCheck.errors(url) == [])
      let files = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
      #expect(files == ["Notes.sqlite"])
      // It has the new version, and is not migrated again.
      #expect(try NSManagedObjectModel(contentsOfStoreAt: url).isEqual(model))
      let again = NSPersistentStoreCoordinator(managedObjectModel: model)
      try again.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    }
  }

  /// CloudKit's tables name objects by keys, which the new objects do not have.
  @Test func aMirroredStoreIsMigratedOnlyIfTold() async throws {
    let (folder, url) = (try Self.bundle("Notes.cdm"), try Self.makeStore())
    try MirroringMigrationTests.mirror(url, MigrationFixture.notes(1))
    await #expect(processExitsWith: .success) { [folder = folder.path as String, path = url.path as String] in
      RegisteredModels.add(folder + "/Notes.momd")
      NSEntityMigrationPolicy.register(MigrationManagerTests.NotePolicy.self, forName: "Notes.NotePolicy")
      let url = URL(fileURLWithPath: path), model = try ModelLocator.model(named: "Notes")
      let before = try FolderContents(url.deletingLastPathComponent())
      let (_, failure) = Self.load(model, url)
      let error = try #require(failure)
      #expect(error.code == NSMigrationError)
      #expect(error.localizedDescription.contains(OCDMigrateMirroredStoreOption), "\(error)")
      #expect(try FolderContents(url.deletingLastPathComponent()) == before)
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url,
        options: [NSMigratePersistentStoresAutomaticallyOption: true, OCDMigrateMirroredStoreOption: true])
      #expect(try coordinator.inContext { try $0.all("Note", sortedBy: "stars").count } == 5)
      try coordinator.remove(store)
      let database = try PlainDatabase(url)
      #expect(
        try database.rows(
          "SELECT COUNT(*), COUNT(ZENTITYID), COUNT(ZENTITYPK), COUNT(ZENCODEDRECORD) FROM ANSCKRECORDMETADATA")
          == [[.integer(6), .integer(0), .integer(6), .integer(6)]])
      // What names no object stays.
      #expect(try database.rows("SELECT * FROM ANSCKEVENT") == [[.integer(1), .integer(2)]])
      let problems = StoreVerification(try InspectedStore(url)).problems()
      #expect(problems.map { "\($0.kind) \($0.severity)" } == ["mirroredRecord warning"], "\(problems)")
    }
  }

  /// By a coordinator, and of a type that is one file.
  @Test func theOptionsOfACoordinator() async throws {
    let folder = try Self.bundle("Notes.cdm"), url = try TestModel.temporaryFile("Notes.xml")
    try MigrationStores.open(url, MigrationFixture.notes(1), NSXMLStoreType) { context in
      _ = context.make("Note", ["title": "one"])
      try context.save()
    }
    await #expect(processExitsWith: .success) { [folder = folder.path as String, path = url.path as String] in
      RegisteredModels.add(folder + "/Notes.momd")
      NSEntityMigrationPolicy.register(MigrationManagerTests.NotePolicy.self, forName: "Notes.NotePolicy")
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try ModelLocator.model(named: "Notes"))
      try coordinator.addPersistentStore(
        ofType: NSXMLStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
        options: [NSMigratePersistentStoresAutomaticallyOption: true])
      let headlines = try coordinator.inContext { try $0.all("Note").map { $0.text("headline") } }
      #expect(headlines == ["ONE"])
    }
  }

  // MARK: What cannot be done leaves the store as it was

  private static func check(_ url: URL, _ code: Int, _ model: NSManagedObjectModel, _ old: NSManagedObjectModel) throws
    -> NSError
  {
    let before = try StoreImage(url, old), bytes = try Data(contentsOf: url)
    let (_, error) = load(model, url)
    #expect(error?.code == code && error?.domain == NSCocoaErrorDomain, "\(String(describing: error))")
    #expect(try Data(contentsOf: url) == bytes)
    let files = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
    #expect(files == ["Notes.sqlite"])
    let same = InferredMigration(from: old, to: old)
    #expect(try StoreImage(url, old).differences(from: before, by: same) == [])
    #expect(try StoreCheck.errors(url, model: old) == [])
    return try #require(error)
  }

  @Test func withoutAMappingModel() async throws {
    let (folder, url) = (try Self.bundle(nil), try Self.makeStore())
    await #expect(processExitsWith: .success) { [folder = folder.path as String, path = url.path as String] in
      RegisteredModels.add(folder + "/Notes.momd")
      let model = try ModelLocator.model(named: "Notes"), old = try MigrationFixture.notes(1)
      let error = try Self.check(URL(fileURLWithPath: path), 134140, model, old)
      #expect(error.userInfo["sourceModel"] is NSManagedObjectModel)
      #expect((error.userInfo["destinationModel"] as? NSManagedObjectModel) === model)
    }
  }

  @Test func withoutTheSourceModel() async throws {
    let url = try Self.makeStore()
    await #expect(processExitsWith: .success) { [path = url.path as String] in
      // The old model is read again for what is compared: the search must not find it.
      let new = try MigrationFixture.notes(2), url = URL(fileURLWithPath: path)
      let bytes = try Data(contentsOf: url)
      let (_, error) = Self.load(new, url)
      #expect(error?.code == 134130 && error?.userInfo["metadata"] is [String: Any])
      #expect(try Data(contentsOf: url) == bytes)
      let files = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
      #expect(files == ["Notes.sqlite"])
      try MigrationStores.open(url, MigrationFixture.notes(1)) { try #expect($0.all("Note").count == 5) }
    }
  }

  @Test func withoutThePolicy() async throws {
    let (folder, url) = (try Self.bundle("Notes.cdm"), try Self.makeStore())
    await #expect(processExitsWith: .success) { [folder = folder.path as String, path = url.path as String] in
      RegisteredModels.add(folder + "/Notes.momd")
      let model = try ModelLocator.model(named: "Notes"), old = try MigrationFixture.notes(1)
      let error = try Self.check(URL(fileURLWithPath: path), 134170, model, old)
      #expect(error.localizedDescription.contains("Notes.NotePolicy"))
    }
  }

  struct Broken: Error {}

  /// Does something wrong with the last note.
  class WrongPolicy: MigrationManagerTests.NotePolicyBase {
    func change(_ note: NSManagedObject) throws {}

    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      guard sInstance.number("stars") == 4 else { return }
      let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
      try change(made[0])
    }
  }

  final class ThrowingPolicy: WrongPolicy {
    override func change(_ note: NSManagedObject) throws { throw Broken() }
  }

  /// A mandatory attribute, which its default has filled.
  final class EmptyingPolicy: WrongPolicy {
    override func change(_ note: NSManagedObject) throws { note.setValue(nil, forKey: "headline") }
  }

  @Test func aPolicyThatThrows() async throws {
    let (folder, url) = (try Self.bundle("Notes.cdm"), try Self.makeStore())
    await #expect(processExitsWith: .success) { [folder = folder.path as String, path = url.path as String] in
      RegisteredModels.add(folder + "/Notes.momd")
      NSEntityMigrationPolicy.register(ThrowingPolicy.self, forName: "Notes.NotePolicy")
      let model = try ModelLocator.model(named: "Notes"), old = try MigrationFixture.notes(1)
      let error = try Self.check(URL(fileURLWithPath: path), 134170, model, old)
      #expect(error.userInfo["entity"] as? String == "Note" && error.userInfo["mapping"] as? String == "NoteToNote")
      #expect(error.userInfo[NSUnderlyingErrorKey] != nil)
    }
  }

  @Test func whatTheNewModelFindsInvalid() async throws {
    let (folder, url) = (try Self.bundle("Notes.cdm"), try Self.makeStore())
    await #expect(processExitsWith: .success) { [folder = folder.path as String, path = url.path as String] in
      RegisteredModels.add(folder + "/Notes.momd")
      NSEntityMigrationPolicy.register(EmptyingPolicy.self, forName: "Notes.NotePolicy")
      let model = try ModelLocator.model(named: "Notes"), old = try MigrationFixture.notes(1)
      let missing = try Self.check(URL(fileURLWithPath: path), 134110, model, old)
      #expect(missing.userInfo["entity"] as? String == "Note" && missing.userInfo["property"] as? String == "headline")
      #expect(missing.userInfo["attribute"] as? String == "headline")
      #expect((missing.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == 1570)
      // A rule that no hash counts.
      NSEntityMigrationPolicy.register(MigrationManagerTests.NotePolicy.self, forName: "Notes.NotePolicy")
      let strict = try MigrationFixture.notes(2)
      let label = try #require(strict.entitiesByName["Tag"]?.attributesByName["name"])
      label.setValidationPredicates([NSPredicate(format: "length >= 4")], withValidationWarnings: ["too short"])
      let invalid = try Self.check(URL(fileURLWithPath: path), 134110, strict, old)
      #expect(invalid.userInfo["entity"] as? String == "Tag" && invalid.userInfo["property"] as? String == "name")
      #expect((invalid.userInfo[NSUnderlyingErrorKey] as? NSError)?.domain == NSCocoaErrorDomain)
    }
  }
}
