import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Stores with the tables of CloudKit's mirroring, which name objects by the numbers of their entities. The tables are made by
/// hand, as far as they are known.
@Suite struct MirroringMigrationTests {
  /// Makes the tables, with a record for each object of a store.
  static func mirror(_ url: URL, _ model: NSManagedObjectModel) throws {
    let database = try PlainDatabase(url)
    try database.rows(
      """
      CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZENTITYID INTEGER,
      ZENTITYPK INTEGER, ZCKRECORDNAME VARCHAR, ZENCODEDRECORD BLOB)
      """)
    try database.rows("CREATE UNIQUE INDEX ANSCK_UNIQUE ON ANSCKRECORDMETADATA (ZENTITYID, ZENTITYPK)")
    try database.rows(
      "CREATE TABLE ANSCKHISTORYANALYZERSTATE (Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER, ZENTITYPK INTEGER)")
    // A table that names no objects, and one of somebody else's.
    try database.rows("CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER)")
    try database.rows("INSERT INTO ANSCKEVENT VALUES (1, 2)")
    try database.rows("CREATE TABLE notes (ZENTITYID INTEGER, ZENTITYPK INTEGER)")
    try database.rows("INSERT INTO notes VALUES (2, 7)")
    for table in try tables(of: model) {
      try database.rows(
        "INSERT INTO ANSCKRECORDMETADATA (Z_ENT, Z_OPT, ZENTITYID, ZENTITYPK, ZCKRECORDNAME, ZENCODEDRECORD) "
          + "SELECT 16100, 1, Z_ENT, Z_PK, Z_ENT || '/' || Z_PK, randomblob(9) FROM \"\(table)\"")
    }
    try database.rows(
      "INSERT INTO ANSCKHISTORYANALYZERSTATE (ZENTITYID, ZENTITYPK) SELECT ZENTITYID, ZENTITYPK FROM ANSCKRECORDMETADATA"
    )
  }

  private static func tables(of model: NSManagedObjectModel) throws -> [String] {
    try model.prepareWithinLimits()
    return SQLModel(entities: model.entities, dialect: SQLiteDialect()).tables.map(\.name)
  }

  /// The objects that the tables of a model have, and those that are mirrored; the latter without those of removed entities.
  private static func objects(_ url: URL, _ model: NSManagedObjectModel) throws -> (
    there: Set<String>, named: [Set<String>]
  ) {
    let database = try PlainDatabase(url)
    var there: Set<String> = []
    for table in try tables(of: model) {
      there.formUnion(try database.strings("SELECT CAST(Z_ENT || '/' || Z_PK AS TEXT) FROM \"\(table)\""))
    }
    return (
      there,
      try ["ANSCKRECORDMETADATA", "ANSCKHISTORYANALYZERSTATE"].map {
        Set(
          try database.strings("SELECT CAST(ZENTITYID || '/' || ZENTITYPK AS TEXT) FROM \($0) WHERE ZENTITYID NOT NULL")
        )
      }
    )
  }

  private static func entity(_ name: String, _ rest: String = "") -> String {
    "<entity name='\(name)' \(rest)><attribute name='name' attributeType='String' optional='YES'/></entity>"
  }

  struct Change: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let before: String, after: String
    /// The entity after the migration, by the entity before; nil for one that is removed.
    let names: [String: String?]
  }

  static let changes = [
    Change(
      testDescription: "an entity before others", before: entity("Book") + entity("Card"),
      after: entity("Author") + entity("Book") + entity("Card"), names: ["Book": "Book", "Card": "Card"]),
    Change(
      testDescription: "numbers exchanged by new names", before: entity("Book") + entity("Card"),
      after: entity("Zebra", "elementID='Book'") + entity("Card"), names: ["Book": "Zebra", "Card": "Card"]),
    Change(
      testDescription: "an entity removed", before: entity("Author") + entity("Book") + entity("Card"),
      after: entity("Author") + entity("Card"), names: ["Author": "Author", "Book": nil, "Card": "Card"]),
    Change(
      testDescription: "an entity that gets a superentity", before: entity("Book") + entity("Card"),
      after: "<entity name='Item' isAbstract='YES'/>" + entity("Book", "parentEntity='Item'") + entity("Card"),
      names: ["Book": "Book", "Card": "Card"]),
    Change(
      testDescription: "nothing in the numbers", before: entity("Book"),
      after:
        "<entity name='Book'><attribute name='title' attributeType='String' optional='YES' elementID='name'/></entity>",
      names: ["Book": "Book"]),
  ]

  @Test(arguments: changes) func recordsGoWithTheirObjects(_ change: Change) throws {
    let before = try MigrationFixture.model(change.before), after = try MigrationFixture.model(change.after)
    let store = try MigratedStore.make(before, after, objects: 4)
    try Self.mirror(store.url, before)
    let database = try PlainDatabase(store.url)
    // Each object gets a name of its own, by which it is known again.
    for table in try Self.tables(of: before) { try database.rows("UPDATE \(table) SET ZNAME = Z_ENT || '/' || Z_PK") }
    let old = before.entitiesInStoreOrder.map { $0.name ?? "" }
    _ = try #require(try store.inPlace().run())
    let new = after.entitiesInStoreOrder
    let records = try database.rows(
      "SELECT ZENTITYID, ZENTITYPK, ZCKRECORDNAME, length(ZENCODEDRECORD) FROM ANSCKRECORDMETADATA")
    #expect(records.count == 4 * old.count)
    for record in records {
      let name = try #require(record[2].text)
      let source = old[try #require(Int(name.prefix { $0 != "/" })) - 1]
      #expect(record[3].integer == 9)
      guard let wanted = change.names[source] ?? nil else {
        #expect(record[0] == .null, "\(name)")
        continue
      }
      let entity = new[Int(try #require(record[0].integer)) - 1]
      #expect(entity.name == wanted, "\(name)")
      let table = SQLModel(entities: after.entities, dialect: SQLiteDialect()).entity(named: wanted)?.tableName ?? ""
      let column = change.testDescription.hasPrefix("nothing") ? "ZTITLE" : "ZNAME"
      #expect(
        try database.strings("SELECT \(column) FROM \(table) WHERE Z_PK = \(record[1].integer ?? 0)") == [name],
        "\(name)")
    }
    #expect(try database.rows("SELECT * FROM ANSCKEVENT") == [[.integer(1), .integer(2)]])
    #expect(try database.rows("SELECT * FROM notes") == [[.integer(2), .integer(7)]])
    let kinds = StoreVerification(try InspectedStore(store.url)).problems().filter { $0.kind == .mirroredRecord }
    #expect(kinds.map(\.severity) == (change.names.values.contains(nil) ? [.warning] : []), "\(kinds)")
  }

  /// What a migration does that does not know the tables, as earlier ones: it is told.
  @Test func recordsThatWereLeftBehindAreTold() throws {
    let before = try MigrationFixture.model(Self.changes[0].before),
      after = try MigrationFixture.model(Self.changes[0].after)
    let store = try MigratedStore.make(before, after, objects: 4)
    try store.inPlace().run()
    let database = try PlainDatabase(store.url)
    try Self.mirror(store.url, after)
    func problems() throws -> [String] {
      StoreVerification(try InspectedStore(store.url)).problems().filter { $0.kind == .mirroredRecord }
        .map { "\($0.severity) \($0.count) \($0.text.prefix(30))" }
    }
    #expect(try problems() == [])
    // Book was 1 and Card 2; now Author is 1, Book 2 and Card 3.
    try database.rows("UPDATE ANSCKRECORDMETADATA SET ZENTITYID = -(ZENTITYID - 1)")
    try database.rows("UPDATE ANSCKRECORDMETADATA SET ZENTITYID = -ZENTITYID")
    #expect(try problems() == ["warning 4 records name objects of Author"])
    try database.rows("UPDATE ANSCKRECORDMETADATA SET ZENTITYID = 77 WHERE ZENTITYID = 1")
    #expect(try problems() == ["error 4 ZENTITYID has numbers of entit"])
  }

  /// Random models and edits: whatever numbers and keys the objects get, each is named as before.
  @Test func randomVersions() throws {
    var migrated = 0
    for seed in RandomSeeds.seeds(40) {
      var random = SeededGenerator(seed: seed)
      var versions = RandomModels(using: &random)
      let before = try MigrationFixture.model(versions.text)
      for _ in 0..<3 { versions.edit(&random) }
      let after = try MigrationFixture.model(versions.text)
      guard before.entityVersionHashesByName != after.entityVersionHashesByName else { continue }
      let store = try MigratedStore.make(before, after, objects: 5, seed: seed)
      defer { try? FileManager.default.removeItem(at: store.url.deletingLastPathComponent()) }
      try Self.mirror(store.url, before)
      guard (try? store.inPlace().run()) != nil else { continue }
      migrated += 1
      let (there, named) = try Self.objects(store.url, after)
      for one in named { #expect(one == there, "SEED=\(seed)") }
    }
    print("\(migrated) random versions with mirrored records")
    #expect(migrated > 15)
  }
}
