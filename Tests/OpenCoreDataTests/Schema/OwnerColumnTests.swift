import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Join columns with a digit, and relationships without inverse, as Apple's files have them.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct OwnerColumnTests {
  /// Two many-to-many relationships of one entity whose inverses have the same name.
  private static func chat() throws -> NSManagedObjectModel {
    try MigrationFixture.model(
      """
      <entity name='Message'><attribute name='text' attributeType='String' optional='YES'/>
        <relationship name='users' optional='YES' toMany='YES' destinationEntity='User' inverseName='systemMessages' inverseEntity='User'/></entity>
      <entity name='Reaction'><attribute name='text' attributeType='String' optional='YES'/>
        <relationship name='users' optional='YES' toMany='YES' destinationEntity='User' inverseName='reactions' inverseEntity='User'/></entity>
      <entity name='User'><attribute name='name' attributeType='String' optional='YES'/>
        <relationship name='reactions' optional='YES' toMany='YES' destinationEntity='Reaction' inverseName='users' inverseEntity='Reaction'/>
        <relationship name='systemMessages' optional='YES' toMany='YES' destinationEntity='Message' inverseName='users' inverseEntity='Message'/></entity>
      """)
  }

  private func fill(_ context: NSManagedObjectContext) throws {
    let user = context.make("User", ["name": "u"])
    user.set([context.make("Reaction", ["text": "r"])], forKey: "reactions")
    user.set(
      [context.make("Message", ["text": "m1"]), context.make("Message", ["text": "m2"])], forKey: "systemMessages")
    try context.save()
  }

  private func check(_ url: URL, _ model: NSManagedObjectModel) throws {
    try TestModel.coordinator(model, url: url).inContext { context in
      let user = try context.named("u", "User")
      #expect(user.many("reactions").map { $0.text("text") } == ["r"])
      #expect(Set(user.many("systemMessages").map { $0.text("text") }) == ["m1", "m2"])
      #expect(try context.all("Message").allSatisfy { $0.many("users") == [user] })
    }
    #expect(try StoreCheck.errors(url, model: model).isEmpty)
  }

  @Test func columnsAreNamedInTheirEntity() throws {
    let url = try TestModel.temporaryFile()
    try TestModel.coordinator(Self.chat(), url: url).inContext(fill)
    // The relationships of User by name: reactions, then systemMessages.
    let tables = try Shell.sql(
      url, "SELECT sql FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*' ORDER BY name")
    #expect(
      tables == [
        "CREATE TABLE Z_1USERS ( Z_1SYSTEMMESSAGES INTEGER, Z_3USERS1 INTEGER, PRIMARY KEY (Z_1SYSTEMMESSAGES, Z_3USERS1) )",
        "CREATE TABLE Z_2USERS ( Z_2REACTIONS INTEGER, Z_3USERS INTEGER, PRIMARY KEY (Z_2REACTIONS, Z_3USERS) )",
      ])
    try check(url, Self.chat())
  }

  /// Earlier versions of this library named the columns of each table by itself.
  @Test func filesWithTheNamesFromBefore() throws {
    let url = try TestModel.temporaryFile()
    try TestModel.coordinator(Self.chat(), url: url).inContext(fill)
    try Shell.sql(url, "ALTER TABLE Z_1USERS RENAME COLUMN Z_3USERS1 TO Z_3USERS")
    try check(url, Self.chat())
    let next = try Self.chat().adding("<entity name='Zoo'/>")
    let plan = try InPlaceMigration(
      storeAt: url, from: Self.chat(), to: next, configuration: nil, options: nil
    ).run()
    #expect(plan != nil)
    try check(url, next)
    #expect(try Shell.sql(url, "SELECT name FROM pragma_table_info('Z_1USERS')").contains("Z_3USERS1"))
  }

  // MARK: Without inverse

  private static func bars(ordered: Bool = false, more: String = "") throws -> NSManagedObjectModel {
    try MigrationFixture.model(
      """
      <entity name='Cocktail'><attribute name='name' attributeType='String' optional='YES'/>
        <relationship name='spec' optional='YES' toMany='YES' \(ordered ? "ordered='YES' " : "")destinationEntity='Ingredient'/></entity>
      <entity name='Ingredient'><attribute name='name' attributeType='String' optional='YES'/>\(more)
        <relationship name='base' optional='YES' maxCount='1' destinationEntity='Cocktail'/></entity>
      """)
  }

  private func mix(_ context: NSManagedObjectContext) throws {
    for name in ["a", "b"] {
      let parts = (0..<3).map { context.make("Ingredient", ["name": "\(name)\($0)"]) }
      _ = context.make("Cocktail", ["name": name, "spec": parts])
    }
    try context.save()
  }

  private func specs(_ url: URL, _ model: NSManagedObjectModel) throws -> [String: [String]] {
    try TestModel.coordinator(model, url: url).inContext { context in
      try context.all("Cocktail").reduce(into: [:]) {
        $0[$1.text("name") ?? ""] = (($1.value(forKey: "spec") as? NSOrderedSet)?.array ?? Array($1.many("spec")))
          .compactMap { ($0 as? NSManagedObject)?.text("name") }.sorted()
      }
    }
  }

  private static let wanted = ["a": ["a0", "a1", "a2"], "b": ["b0", "b1", "b2"]]

  @Test(arguments: [false, true]) func theColumnIsWhereApplesIs(ordered: Bool) throws {
    let url = try TestModel.temporaryFile()
    try TestModel.coordinator(Self.bars(ordered: ordered), url: url).inContext(mix)
    #expect(
      try Shell.sql(url, "SELECT sql FROM sqlite_master WHERE name = 'ZINGREDIENT'") == [
        "CREATE TABLE ZINGREDIENT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZBASE INTEGER, Z1SPEC INTEGER, "
          + (ordered ? "Z_FOK_1SPEC INTEGER, " : "") + "ZNAME VARCHAR )"
      ])
    #expect(
      try Shell.sql(url, "SELECT sql FROM sqlite_master WHERE name = 'ZINGREDIENT_Z1SPEC_INDEX'")
        == ["CREATE INDEX ZINGREDIENT_Z1SPEC_INDEX ON ZINGREDIENT (Z1SPEC)"])
    #expect(try Shell.sql(url, "SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*'").isEmpty)
    #expect(try specs(url, Self.bars(ordered: ordered)) == Self.wanted)
    #expect(try StoreCheck.errors(url, model: Self.bars(ordered: ordered)).isEmpty)
  }

  @Test func aMigrationKeepsTheOwners() throws {
    let url = try TestModel.temporaryFile()
    try TestModel.coordinator(Self.bars(), url: url).inContext(mix)
    // The number of the owner's entity becomes another one, and the members' table is written anew.
    let amount = "<attribute name='amount' attributeType='Integer 16' defaultValueString='1'/>"
    let next = try Self.bars(more: amount).adding("<entity name='Bar'/>")
    _ = try InPlaceMigration(storeAt: url, from: Self.bars(), to: next, configuration: nil, options: nil).run()
    #expect(try Shell.sql(url, "SELECT name FROM pragma_table_info('ZINGREDIENT')").contains("Z2SPEC"))
    #expect(try specs(url, next) == Self.wanted)
    #expect(try StoreCheck.errors(url, model: next).isEmpty)
  }

  /// A file that was migrated may have the number from before, and an attribute may be called like such a column.
  @Test func anAttributeIsNoOwnersColumn() throws {
    let url = try TestModel.temporaryFile()
    let model = try Self.bars(more: "<attribute name='7spec' attributeType='Integer 16' optional='YES'/>")
    try TestModel.coordinator(model, url: url).inContext(mix)
    try Shell.sql(url, "ALTER TABLE ZINGREDIENT RENAME COLUMN Z1SPEC TO Z5SPEC")
    #expect(try specs(url, model) == Self.wanted)
  }

  /// A file as earlier versions of this library wrote it, with a table for the relationship.
  private func withTable(sharing: Bool = false) throws -> URL {
    let url = try TestModel.temporaryFile()
    try TestModel.coordinator(Self.bars(), url: url).inContext(mix)
    try Shell.sql(
      url,
      """
      CREATE TABLE Z_1SPEC ( Z_1COCKTAIL INTEGER, Z_2SPEC INTEGER, PRIMARY KEY (Z_1COCKTAIL, Z_2SPEC) );
      CREATE INDEX Z_1SPEC_Z_2SPEC_INDEX ON Z_1SPEC (Z_2SPEC, Z_1COCKTAIL);
      INSERT INTO Z_1SPEC SELECT Z1SPEC, Z_PK FROM ZINGREDIENT WHERE Z1SPEC NOT NULL;
      DROP INDEX ZINGREDIENT_Z1SPEC_INDEX; ALTER TABLE ZINGREDIENT DROP COLUMN Z1SPEC;
      """)
    if sharing {
      try Shell.sql(url, "INSERT INTO Z_1SPEC SELECT 3 - Z_1COCKTAIL, Z_2SPEC FROM Z_1SPEC WHERE Z_2SPEC = 1")
    }
    return url
  }

  @Test func aTableThatIsThereIsKept() throws {
    let url = try withTable(sharing: true)
    let model = try Self.bars()
    #expect(try StoreCheck.errors(url, model: model).isEmpty)
    try TestModel.coordinator(model, url: url).inContext { context in
      let shared = try context.all("Cocktail").filter { $0.many("spec").count == 4 }
      #expect(shared.count == 1)
      shared[0].mutableSetValue(forKey: "spec").add(context.make("Ingredient", ["name": "new"]))
      try context.save()
    }
    #expect(try Shell.sql(url, "SELECT COUNT(*) FROM Z_1SPEC") == ["8"])
  }

  @Test func aMigrationNarrowsTheTable() throws {
    let url = try withTable()
    let next = try Self.bars().adding("<entity name='Zoo'/>")
    _ = try InPlaceMigration(storeAt: url, from: Self.bars(), to: next, configuration: nil, options: nil).run()
    #expect(try Shell.sql(url, "SELECT name FROM sqlite_master WHERE name = 'Z_1SPEC'").isEmpty)
    #expect(try specs(url, next) == Self.wanted)
    #expect(try StoreCheck.errors(url, model: next).isEmpty)
  }

  @Test func aMigrationThatWouldLoseOwnersIsRefused() throws {
    let url = try withTable(sharing: true)
    let next = try Self.bars().adding("<entity name='Zoo'/>")
    let before = try Data(contentsOf: url)
    let error = #expect(throws: NSError.self) {
      try InPlaceMigration(storeAt: url, from: Self.bars(), to: next, configuration: nil, options: nil).run()
    }
    let text = error?.localizedDescription ?? ""
    #expect(error?.code == NSMigrationError && text.contains("Cocktail.spec"))
    #expect(text.contains("Ingredient/p1") && text.contains("Cocktail/p1") && text.contains("Cocktail/p2"), "\(text)")
    #expect(try Data(contentsOf: url) == before)
    let model = try NSMappingModel.inferredMappingModel(forSourceModel: Self.bars(), destinationModel: next)
    let target = url.deletingLastPathComponent().appendingPathComponent("target.sqlite")
    let mapped = #expect(throws: NSError.self) {
      try NSMigrationManager(sourceModel: Self.bars(), destinationModel: next).migrateStore(
        from: url, sourceType: NSSQLiteStoreType, options: nil, with: model, toDestinationURL: target,
        destinationType: NSSQLiteStoreType, destinationOptions: nil)
    }
    let reasons = "\(mapped?.localizedDescription ?? "") \(mapped?.userInfo ?? [:])"
    #expect(reasons.contains("Cocktail.spec") && reasons.contains("Ingredient/p1"), "\(reasons)")
    #expect(!FileManager.default.fileExists(atPath: target.path))
  }
}

extension NSManagedObjectModel {
  /// The model with one entity more.
  fileprivate func adding(_ entity: String) throws -> NSManagedObjectModel {
    entities += try MigrationFixture.model(entity).entities.compactMap { $0.copy() as? NSEntityDescription }
    return self
  }
}
