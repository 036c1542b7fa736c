import CoreData
import Foundation
import Testing

/// Policies and their methods, which generated code lists.
@Suite struct MigrationPolicyTests {
  @Test func methodsAreCalledBySelectors() throws {
    let value = try NSExpression(parsing: "FUNCTION($entityPolicy, 'shout:times:', $source.title, 2)").expressionValue(
      with: nil, context: ["entityPolicy": ShoutingPolicy(), "source": ["title": "a"]])
    #expect(value as? String == "A A")
  }

  @Test func aMappingModelFindsAPolicyByItsBareName() throws {
    let before = JournalEntry.model(), after = JournalEntry.model()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ocd-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let old = folder.appendingPathComponent("Old.sqlite"), new = folder.appendingPathComponent("New.sqlite")
    try Self.open(before, old) { context in
      JournalEntry(context: context).title = "hello"
      try context.save()
    }
    let mapping = NSEntityMapping()
    mapping.name = "EntryToEntry"
    (mapping.sourceEntityName, mapping.destinationEntityName) = ("JournalEntry", "JournalEntry")
    mapping.mappingType = .customEntityMappingType
    mapping.entityMigrationPolicyClassName = "ShoutingPolicy"
    mapping.sourceExpression = NSExpression(
      format:
        "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'JournalEntry', 'TRUEPREDICATE'), "
        + "$manager.sourceContext, NO)")
    let title = NSPropertyMapping()
    title.name = "title"
    title.valueExpression = NSExpression(format: "FUNCTION($entityPolicy, 'shout:times:', $source.title, 2)")
    mapping.attributeMappings = [title]
    let model = NSMappingModel()
    model.entityMappings = [mapping]
    try NSMigrationManager(sourceModel: before, destinationModel: after).migrateStore(
      from: old, sourceType: NSSQLiteStoreType, options: nil, with: model, toDestinationURL: new,
      destinationType: NSSQLiteStoreType, destinationOptions: nil)
    try Self.open(after, new) { context in
      let titles = try context.fetch(NSFetchRequest<JournalEntry>(entityName: "JournalEntry")).map(\.title)
      #expect(titles == ["HELLO HELLO"])
    }
  }

  private static func open(
    _ model: NSManagedObjectModel, _ url: URL, _ body: (NSManagedObjectContext) throws -> Void
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait { try body(context) }
  }
}
