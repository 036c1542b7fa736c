import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Whether verification notices what is not as it must be. That it finds nothing where nothing is wrong, every test
/// with `MigratedStore.migrateAndCheck` shows.
@Suite struct MigrationVerificationTests {
  private static let before = """
    <entity name='Root'><attribute name='number' optional='YES' attributeType='Integer 64'/></entity>
    <entity name='A' parentEntity='Root'>
      <attribute name='text' optional='YES' attributeType='String'/>
      <attribute name='cover' optional='YES' attributeType='Binary' allowsExternalBinaryDataStorage='YES'/>
      <relationship name='bs' optional='YES' toMany='YES' ordered='YES' destinationEntity='B' inverseName='a' inverseEntity='B'/>
    </entity>
    <entity name='B'>
      <attribute name='flag' optional='YES' attributeType='Boolean'/>
      <relationship name='a' optional='YES' maxCount='1' destinationEntity='A' inverseName='bs' inverseEntity='A'/>
    </entity>
    """
  private static let after = before.replacingOccurrences(
    of: "name='text'", with: "name='title' elementID='text'"
  ).replacingOccurrences(of: "'Integer 64'", with: "'Integer 32'")

  private static func fill(_ context: NSManagedObjectContext) throws {
    for number in 1...3 {
      let a = context.make("A", ["number": number, "text": "A \(number)"])
      if number == 1 { a.setValue(Data(repeating: 7, count: 300_000), forKey: "cover") }
      let bs = (0..<3).map { context.make("B", ["flag": $0 == 1]) }
      a.setValue(NSOrderedSet(array: bs), forKey: "bs")
    }
    _ = context.make("Root", ["number": 4])
    try context.save()
  }

  /// Migrates, changes something, and tells what is found.
  private func differences(
    _ type: String = NSSQLiteStoreType,
    _ means: (NSManagedObjectModel, NSManagedObjectModel) throws
      -> ProgressiveMigration.Means = { _, _ in .inferred }, _ change: (URL) throws -> Void
  ) throws -> MigrationVerification {
    let (old, new) = (try MigrationFixture.model(Self.before), try MigrationFixture.model(Self.after))
    let url = try TestModel.temporaryFile(), copy = try TestModel.temporaryFile()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: old)
    let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: nil)
    let context = TestModel.context(coordinator)
    try context.performAndWait { try Self.fill(context) }
    try coordinator.remove(store)
    if type == NSSQLiteStoreType {
      try NSPersistentStoreCoordinator.copyPersistentStore(at: url, to: copy, isQuiet: true)
    } else {
      try FileManager.default.copyItem(at: url, to: copy)
    }
    let step = ProgressiveMigration.Step(source: old, destination: new, means: try means(old, new))
    let place = ProgressiveMigration.Store(url, type: type)
    let outcome = try step.run(place)
    try change(url)
    return try step.verify(place, outcome, before: copy)
  }

  private static func mapped(
    _ old: NSManagedObjectModel, _ new: NSManagedObjectModel
  ) throws -> ProgressiveMigration.Means {
    .mapping(try .inferredMappingModel(forSourceModel: old, destinationModel: new))
  }

  private static let changes = [
    ("UPDATE ZROOT SET ZTITLE = 'A 7' WHERE ZNUMBER = 2", ".title: “A 7” is there, “A 2” is expected"),
    ("UPDATE ZROOT SET ZTITLE = NULL WHERE ZNUMBER = 2", ".title: no value is there, “A 2” is expected"),
    ("UPDATE ZROOT SET ZNUMBER = 5 WHERE ZNUMBER = 4", ".number: 5 is there, 4 is expected"),
    ("UPDATE ZROOT SET ZCOVER = X'0105' WHERE ZNUMBER = 1", ".cover: 1 bytes is there, 300000 bytes is expected"),
    ("UPDATE ZB SET ZFLAG = 1 - ZFLAG WHERE Z_PK = 4", ".flag: "),
    ("UPDATE ZB SET ZA = NULL WHERE Z_PK = 4", ".bs: "),
    ("DELETE FROM ZROOT WHERE ZNUMBER = 4", "Root/p"),
  ]

  @Test(arguments: changes) func oneChangeIsFound(_ sql: String, _ text: String) throws {
    let found = try differences { try PlainDatabase($0).rows(sql) }
    #expect(!found.isGood && found.differences.contains { $0.contains(text) }, "\(found.differences)")
    #expect(found.differenceCount == found.differences.count && found.differenceCount <= 2)
    let mapped = try differences(NSSQLiteStoreType, Self.mapped) { try PlainDatabase($0).rows(sql) }
    #expect(!mapped.isGood, "\(sql)")
    let property = String(text.prefix { $0 != ":" })
    #expect(mapped.differences.contains { $0.contains(property) }, "\(mapped.differences)")
  }

  @Test func anOrderThatDiffersIsFound() throws {
    let found = try differences {
      try PlainDatabase($0).rows("UPDATE ZB SET Z_FOK_A = 7000 WHERE Z_FOK_A = 1024 OR Z_PK = 1")
    }
    #expect(found.differences.contains { $0.contains(".bs: ") }, "\(found.differences)")
  }

  @Test func anObjectTooManyIsFound() throws {
    let found = try differences {
      try PlainDatabase($0).rows("INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) SELECT 100, Z_ENT, 1 FROM ZB LIMIT 1")
    }
    #expect(found.differences == ["B/p100 is there, and was not before"])
    #expect(found.entities.first { $0.name == "B" }.map { [$0.before, $0.after] } == [9, 10])
  }

  @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]) func nothingIsFoundWhereNothingIsWrong(
    type: String
  ) throws {
    for means in [{ (_, _) in .inferred }, Self.mapped]
      as [(NSManagedObjectModel, NSManagedObjectModel) throws
      -> ProgressiveMigration.Means]
    {
      let found = try differences(type, means) { _ in }
      #expect(found.isGood && found.objects == 13, "\(found.differences)")
      // Of an A four, of a B two, of a Root one.
      #expect(found.values == 3 * 4 + 9 * 2 + 1)
    }
  }

  @Test func aPlanCountsTheRowsInTheWay() throws {
    let store = try MigratedStore.make(
      try MigrationFixture.model(
        "<entity name='A'><attribute name='x' optional='YES' attributeType='Integer 64'/></entity>"),
      try MigrationFixture.model(
        "<entity name='A'><attribute name='x' attributeType='Integer 16'/><attribute name='y' attributeType='String'/></entity>"
      ),
      objects: 4)
    try PlainDatabase(store.url).rows("UPDATE ZA SET ZX = NULL WHERE Z_PK < 3")
    try PlainDatabase(store.url).rows("UPDATE ZA SET ZX = 70000 * Z_PK WHERE Z_PK = 3")
    try PlainDatabase(store.url).rows("UPDATE ZA SET ZX = 1 WHERE Z_PK > 3")
    let bytes = try Data(contentsOf: store.url)
    let checks = try store.inPlace().plan(checking: true).checks
    let counts = Dictionary(
      checks.map { ("\($0.obstacle.property ?? "") \($0.obstacle.kind)", $0.violations) }, uniquingKeysWith: { $1 })
    #expect(counts == ["x missingValue": 2, "x valueOutOfRange": 1, "y missingValue": 4])
    #expect(try Data(contentsOf: store.url) == bytes)
    #expect(try store.plan().checks.allSatisfy { $0.violations == nil })
  }
}
