import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Stores that a migration manager makes out of others.
@Suite struct MigrationManagerTests {
  class NotePolicyBase: NSEntityMigrationPolicy {
    func headline(_ title: String?, _ other: String) -> String { title?.uppercased() ?? other }

    override class var callableMethods: [OCDCallableMethod] {
      [OCDCallableMethod("headlineOf:or:", NotePolicyBase.headline)]
    }
  }

  final class NotePolicy: NotePolicyBase {}

  private func notes() throws -> (MigrationStores, NSMappingModel) {
    NSEntityMigrationPolicy.register(NotePolicy.self, forName: "Notes.NotePolicy")
    let stores = try MigrationStores(MigrationFixture.notes(1), MigrationFixture.notes(2))
    let mapping = try NSMappingModel(
      validatingContentsOf: MigrationFixture.folder.appendingPathComponent("Notes.xcmappingmodel"))
    return (stores, mapping)
  }

  private func fill(_ context: NSManagedObjectContext) {
    let folders = ["home", "work"].map { context.make("Folder", ["name": $0]) }
    let tags = ["red", "blue", "old"].map { context.make("Tag", ["name": $0]) }
    for number in 0..<7 {
      let note = context.make(number == 6 ? "Draft" : "Note", ["stars": number, "folder": folders[number % 2]])
      if number != 3 { note.setValue("note \(number)", forKey: "title") }
      if number != 1 { note.setValue("text \(number)", forKey: "text") }
      note.setValue(NSSet(array: [tags[number % 3], tags[2]]), forKey: "tags")
    }
    _ = context.make("Search", ["term": "gone"])
  }

  @Test(arguments: [NSPersistentStore.StoreType.sqlite, .xml, .binary])
  func aMappingModelOfXcodesWithAPolicy(_ type: NSPersistentStore.StoreType) throws {
    let (stores, mapping) = try notes()
    try stores.fill(type.rawValue) { fill($0) }
    let before = try Data(contentsOf: stores.source)
    try stores.migrate(mapping, from: type, to: type)
    #expect(try Data(contentsOf: stores.source) == before)
    #expect(try stores.newFiles() == ["New.sqlite"])
    try stores.result(type.rawValue) { context in
      let notes = try context.all("Note", sortedBy: "stars")
      #expect(
        notes.map { $0.text("headline") } == ["NOTE 0", "NOTE 1", "NOTE 2", "untitled", "NOTE 4", "NOTE 5", "NOTE 6"])
      #expect(notes.map { $0.value(forKey: "stars") as? Double } == [0, 1, 2, 3, 4, 5, 6])
      #expect(notes.map(\.entity.name) == Array(repeating: "Note", count: 6) + ["Draft"])
      #expect(notes.map { $0.texts("folder", "name") } == (0..<7).map { [["home", "work"][$0 % 2]] })
      #expect(notes[0].texts("labels", "name") == ["old", "red"] && notes[2].texts("labels", "name") == ["old"])
      // The filter: a text, and fewer than three stars.
      #expect(notes.map { $0.texts("attachments", "text") } == [["text 0"], [], ["text 2"], [], [], [], []])
      // Ordered by what they were made of, since they had no order.
      let folders = try context.all("Folder", sortedBy: "name")
      #expect(folders[0].texts("notes", "headline").sorted() == ["NOTE 0", "NOTE 2", "NOTE 4", "NOTE 6"])
      try #expect(context.all("Tag", sortedBy: "name").map { $0.texts("notes", "headline").count } == [2, 7, 3])
    }
    if type == .sqlite { #expect(try StoreCheck.errors(stores.destination) == []) }
  }

  @Test func anotherTypeOfStore() throws {
    let (stores, mapping) = try notes()
    try stores.fill(NSXMLStoreType, fill)
    try stores.migrate(mapping, from: .xml, to: .sqlite)
    try stores.result { try #expect($0.all("Note").count == 7) }
  }

  @Test func theOlderMethodAndTheContexts() throws {
    let (stores, mapping) = try notes()
    try stores.fill { fill($0) }
    let manager = stores.manager()
    try manager.migrateStore(
      from: stores.source, sourceType: NSSQLiteStoreType, with: mapping, toDestinationURL: stores.destination,
      destinationType: NSSQLiteStoreType)
    try stores.result { try #expect($0.all("Note").count == 7) }
    #expect(manager.migrationProgress == 1 && manager.mappingModel.entityMappings.isEmpty)
    #expect(manager.sourceContext.persistentStoreCoordinator == nil && manager.usesStoreSpecificMigrationManager)
    let error = try #require(throws: NSError.self) {
      try manager.migrateStore(
        from: stores.source, sourceType: NSSQLiteStoreType, with: nil, toDestinationURL: stores.destination,
        destinationType: NSSQLiteStoreType)
    }
    #expect(error.code == 134140)
  }

  // MARK: Relationships

  private static let before = """
    <entity name='Node'><attribute name='name' attributeType='String' optional='YES'/>
      <relationship name='parent' optional='YES' maxCount='1' destinationEntity='Node' inverseName='children'
        inverseEntity='Node'/>
      <relationship name='children' optional='YES' toMany='YES' ordered='YES' destinationEntity='Node'
        inverseName='parent' inverseEntity='Node'/>
      <relationship name='friends' optional='YES' toMany='YES' destinationEntity='Node' inverseName='friendOf'
        inverseEntity='Node'/>
      <relationship name='friendOf' optional='YES' toMany='YES' ordered='YES' destinationEntity='Node'
        inverseName='friends' inverseEntity='Node'/>
      <relationship name='twin' optional='YES' maxCount='1' destinationEntity='Node' inverseName='twin'
        inverseEntity='Node'/>
      <relationship name='best' optional='YES' maxCount='1' destinationEntity='Node'/>
      <relationship name='seen' optional='YES' toMany='YES' destinationEntity='Node'/></entity>
    <entity name='Leaf' parentEntity='Node'/>
    """
  private static let after = before.replacingOccurrences(of: "name='Node'>", with: "name='Knot' elementID='Node'>")
    .replacingOccurrences(of: "Entity='Node'", with: "Entity='Knot'")

  /// Every kind of relationship, more objects than a batch has.
  @Test func relationshipsOfEveryKind() throws {
    let stores = try MigrationStores(MigrationFixture.model(Self.before), MigrationFixture.model(Self.after))
    var random = SeededGenerator(for: "relationships")
    let count = MigrationRun.batchSize * 2 + 17
    func read(_ context: NSManagedObjectContext, _ entity: String) throws -> [String] {
      try context.all(entity, sortedBy: "name").map { node in
        let members = ["parent", "children", "friends", "friendOf", "twin", "best", "seen"].map {
          "\($0) \(node.texts($0, "name").joined(separator: ","))"
        }
        return "\(node.text("name") ?? "") \(node.entity.name == "Leaf") \(members.joined(separator: " "))"
      }
    }
    try stores.fill { context in
      let nodes = (0..<count).map { context.make($0 % 5 == 0 ? "Leaf" : "Node", ["name": "\($0)"]) }
      for node in nodes {
        let others = (0..<4).map { _ in nodes[Int.random(in: 0..<count, using: &random)] }
        node.setValue(NSOrderedSet(array: others), forKey: "children")
        node.setValue(NSSet(array: Array(others.dropLast())), forKey: "friends")
        node.setValue(others[0], forKey: "best")
        node.setValue(NSSet(array: others), forKey: "seen")
        if Bool.random(using: &random) { node.setValue(others[3], forKey: "twin") }
      }
    }
    try stores.migrate(stores.inferred())
    let expected = try MigrationStores.open(stores.source, stores.models.source) { try read($0, "Node") }
    let found = try stores.result { try read($0, "Knot") }
    #expect(expected.count == count && found == expected)
    #expect(try StoreCheck.errors(stores.destination) == [])
  }

  @Test func severalMembersWhereThereCanBeOne() throws {
    let stores = try MigrationStores(
      MigrationFixture.model(
        """
        <entity name='A'><relationship name='b' optional='YES' toMany='YES' destinationEntity='B'/></entity>
        <entity name='B'/>
        """),
      MigrationFixture.model(
        """
        <entity name='A'><relationship name='b' optional='YES' maxCount='1' destinationEntity='B'/></entity>
        <entity name='B'/>
        """))
    try stores.fill { $0.make("A").setValue(NSSet(object: $0.make("B")), forKey: "b") }
    try stores.migrate(stores.inferred())
    try stores.result { try #expect($0.all("A").first?.value(forKey: "b") != nil) }
    try FileManager.default.removeItem(at: stores.destination)
    try MigrationStores.open(stores.source, stores.models.source) { context in
      try context.all("A").first?.mutableSetValue(forKey: "b").add(context.make("B"))
      try context.save()
    }
    let error = try #require(throws: NSError.self) { try stores.migrate(stores.inferred()) }
    #expect(error.code == 134110 && error.localizedDescription.contains("A.b"))
    #expect(error.userInfo["entity"] as? String == "A" && error.userInfo["property"] as? String == "b")
    #expect(try stores.newFiles() == [])
  }

  // MARK: Several mapping models, metadata, external values

  @Test func severalMappingModelsOneAfterTheOther() throws {
    let (stores, mapping) = try notes()
    try stores.fill { fill($0) }
    let manager = stores.manager()
    // Folders first; then what leads to them finds them.
    for names in [["FolderToFolder", "TagToTag"], ["DraftToDraft", "NoteToNote", "NoteToAttachment"]] {
      let part = NSMappingModel()
      part.entityMappings = mapping.entityMappings.filter { names.contains($0.name) }
      try stores.migrate(part, by: manager)
    }
    try stores.result { context in
      try #expect(context.all("Note").count == 7 && context.all("Attachment").count == 2)
      let notes = try context.all("Note", sortedBy: "stars")
      #expect(notes.map { $0.texts("folder", "name") } == (0..<7).map { [["home", "work"][$0 % 2]] })
      #expect(notes[1].texts("labels", "name") == ["blue", "old"])
    }
    #expect(try stores.newFiles() == ["New.sqlite"])
    // Forgotten, or for other stores, nothing of it is found.
    #expect(!manager.associations.made(by: "FolderToFolder").isEmpty)
    manager.reset()
    #expect(manager.associations.made(by: "FolderToFolder").isEmpty && manager.migrationProgress == 0)
  }

  @Test func metadataAreTakenOverAndTheUUIDIsNew() throws {
    let (stores, mapping) = try notes()
    try stores.fill { fill($0) }
    var metadata = try MigrationPlace(stores.source, NSSQLiteStoreType, nil).metadata()
    let identifier = metadata[NSStoreUUIDKey] as? String
    metadata["own"] = "kept"
    try NSPersistentStoreCoordinator.setMetadata(
      metadata, forPersistentStoreOfType: NSSQLiteStoreType, at: stores.source)
    try stores.migrate(mapping)
    let new = try MigrationPlace(stores.destination, NSSQLiteStoreType, nil).metadata()
    #expect(new["own"] as? String == "kept" && new[NSStoreUUIDKey] as? String != identifier)
    #expect(new[NSStoreModelVersionHashesKey] as? [String: Data] == stores.models.destination.entityVersionHashesByName)
  }

  @Test func externalValuesFollow() throws {
    let text = """
      <entity name='A'><attribute name='n' attributeType='Integer 16' optional='YES'/>
        <attribute name='data' attributeType='Binary' optional='YES' allowsExternalBinaryDataStorage='YES'/></entity>
      """
    let stores = try MigrationStores(
      MigrationFixture.model(text),
      MigrationFixture.model(text.replacingOccurrences(of: "name='data'", with: "name='bytes' elementID='data'")))
    let large = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    try stores.fill { context in
      _ = context.make("A", ["n": 1, "data": large])
      _ = context.make("A", ["n": 2, "data": Data([1, 2, 3])])
    }
    try stores.migrate(stores.inferred())
    #expect(try stores.newFiles() == [".New_SUPPORT", "New.sqlite"])
    try FileManager.default.removeItem(at: stores.folder.appendingPathComponent(".Old_SUPPORT"))
    try stores.result { context in
      try #expect(
        context.all("A", sortedBy: "n").map { $0.value(forKey: "bytes") as? Data } == [large, Data([1, 2, 3])])
    }
    #expect(try StoreCheck.errors(stores.destination) == [])
  }

  /// Makes upper case of what it stores.
  final class ShoutingTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { Data($0.uppercased().utf8) } }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
      (value as? Data).flatMap { String(data: $0, encoding: .utf8) }
    }
    override class func allowsReverseTransformation() -> Bool { true }
  }

  /// A value goes from one transformer to another where there are both; otherwise its bytes stay.
  @Test func transformableValues() throws {
    ValueTransformer.setValueTransformer(
      ShoutingTransformer(), forName: NSValueTransformerName("MigrationTestsShoutingTransformer"))
    func model(_ transformer: String?) throws -> NSManagedObjectModel {
      let attribute = TestModel.attribute("x", .transformableAttributeType)
      attribute.valueTransformerName = transformer
      let model = NSManagedObjectModel()
      model.entities = [TestModel.entity("A", [attribute])]
      return model
    }
    let stores = try MigrationStores(model(nil), model("MigrationTestsShoutingTransformer"))
    try stores.fill { _ = $0.make("A", ["x": "text"]) }
    try stores.migrate(stores.inferred())
    try stores.result { try #expect($0.all("A").first?.text("x") == "TEXT") }
    // No such transformer: what it would have had to read stays.
    let unknown = NSMigrationManager(
      sourceModel: stores.models.destination, destinationModel: try model("none of these"))
    let third = stores.folder.appendingPathComponent("Third.sqlite")
    try unknown.migrateStore(
      from: stores.destination, type: .sqlite, mapping: stores.inferred(), to: third, type: .sqlite)
    try MigrationStores.open(third, stores.models.destination) { try #expect($0.all("A").first?.text("x") == "TEXT") }
    // It cannot be decoded: the same.
    let back = NSMigrationManager(sourceModel: try model("none of these"), destinationModel: stores.models.destination)
    let fourth = stores.folder.appendingPathComponent("Fourth.sqlite")
    try back.migrateStore(from: third, type: .sqlite, mapping: stores.inferred(), to: fourth, type: .sqlite)
    try MigrationStores.open(fourth, stores.models.destination) { try #expect($0.all("A").first?.text("x") == "TEXT") }
  }

  /// The source is read as it is when the migration begins, its log included.
  @Test func whatIsInTheLogIsThere() throws {
    let (stores, mapping) = try notes()
    let coordinator = try TestModel.coordinator(stores.models.source, url: stores.source)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      fill(context)
      try context.save()
    }
    #expect(FileManager.default.fileExists(atPath: stores.source.path + "-wal"))
    try stores.migrate(mapping)
    try stores.result { try #expect($0.all("Note").count == 7) }
  }

  @Test func modelsWithClassesAreTakenWithoutThem() throws {
    let model = try MigrationFixture.model("<entity name='A'/>")
    #expect(NSMigrationManager(sourceModel: model, destinationModel: model).sourceModel === model)
    let classes = try MigrationFixture.model("<entity name='A' representedClassName='SomeClass'/>")
    let manager = NSMigrationManager(sourceModel: classes, destinationModel: model)
    #expect(manager.sourceModel !== classes && manager.sourceModel.versionChecksum == classes.versionChecksum)
    #expect(manager.sourceModel.entities.map(\.managedObjectClassName) == ["NSManagedObject"])
  }

  @Test func aConfigurationOfTheModel() throws {
    func model(_ extra: String) throws -> NSManagedObjectModel {
      let model = try MigrationFixture.model(
        "<entity name='A'><attribute name='x' attributeType='String' optional='YES'/>\(extra)</entity><entity name='B'/>"
      )
      model.setEntities([try #require(model.entitiesByName["A"])], forConfigurationName: "Cloud")
      return model
    }
    let stores = try MigrationStores(
      model(""), model("<attribute name='y' attributeType='Integer 16' optional='YES' defaultValueString='4'/>"))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stores.models.source)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: "Cloud", at: stores.source)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      _ = context.make("A", ["x": "here"])
      try context.save()
    }
    try coordinator.remove(store)
    let mapping = try stores.inferred()
    mapping.entityMappings.removeAll { $0.sourceEntityName == "B" }
    try stores.migrate(mapping)
    let new = NSPersistentStoreCoordinator(managedObjectModel: stores.models.destination)
    try new.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: "Cloud", at: stores.destination)
    let result = TestModel.context(new)
    try result.performAndWait {
      try #expect(result.all("A").map { $0.value(forKey: "y") as? Int } == [4])
    }
  }
}
