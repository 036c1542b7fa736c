import Foundation
import OpenCoreData
import Testing
import ToolProcess

/// `coredata store verify`: each kind of damage is found, and nothing else.
@Suite struct VerifyTests {
  private let files: StoreFiles

  init() throws { files = try StoreFiles() }

  private func problems(model: NSManagedObjectModel? = nil) throws -> [StoreProblem] {
    StoreVerification(try InspectedStore(files.store, model: model)).problems()
  }

  @Test func aHealthyStoreIsClean() throws {
    #expect(try problems().map(\.text) == [])
    let before = try files.contents()
    let tool = try Tool("store", "verify", files.store.path)
    #expect(tool.status == 0 && tool.errors.isEmpty)
    #expect(tool.output == "\(files.store.path): ok\n")
    #expect(try files.contents() == before)
  }

  /// Numbers: Card 1, Chapter 2, Item 3, Book 4, Film 5, Person 6, Tag 7.
  struct Damage: CustomTestStringConvertible, Sendable {
    let kind: StoreProblem.Kind
    let place: String
    let sql: String
    var examples: [String]?
    var severity = StoreProblem.Severity.error

    var testDescription: String { "\(kind) \(sql)" }
  }

  /// The table of records that CloudKit's mirroring keeps, with two that are right.
  private static let mirrored = """
    CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER, ZENTITYPK INTEGER);
    INSERT INTO ANSCKRECORDMETADATA VALUES (1, 4, 1), (2, 3, 3);
    """

  static let damages: [Damage] = [
    Damage(
      kind: .danglingKey, place: "Item.owner", sql: "UPDATE ZITEM SET ZOWNER = 99 WHERE Z_PK = 3", examples: ["Film/p3"]
    ),
    Damage(
      kind: .wrongDestination, place: "Chapter.book",
      sql:
        "UPDATE ZCHAPTER SET ZBOOK = 3 WHERE Z_PK = 1; INSERT INTO ZCHAPTER (Z_PK, Z_ENT, Z_OPT, ZBOOK, Z_FOK_BOOK) VALUES (3, 2, 1, 1, 1024); UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_ENT = 2",
      examples: ["Chapter/p1"]),
    Damage(
      kind: .wrongEntityColumn, place: "Person.favourite", sql: "UPDATE ZPERSON SET Z3_FAVOURITE = 4 WHERE Z_PK = 1",
      examples: ["Person/p1"]),
    Damage(
      kind: .brokenInverse, place: "Card.person", sql: "UPDATE ZPERSON SET ZCARD = NULL", examples: ["Card/p1"],
      severity: .warning),
    Damage(
      kind: .brokenInverse, place: "Person.card", sql: "UPDATE ZCARD SET ZPERSON = NULL", examples: ["Person/p1"],
      severity: .warning),
    Damage(
      kind: .wrongEntity, place: "ZTAG", sql: "UPDATE ZTAG SET Z_ENT = 77 WHERE Z_PK = 2", examples: ["Z_ENT 77/p2"]),
    Damage(kind: .wrongEntity, place: "ZTAG", sql: "UPDATE ZTAG SET Z_ENT = 1 WHERE Z_PK = 2", examples: ["Card/p2"]),
    Damage(
      kind: .wrongEntity, place: "ZTAG", sql: "UPDATE ZTAG SET Z_ENT = NULL WHERE Z_PK = 2", examples: ["Z_ENT NULL/p2"]
    ),
    Damage(
      kind: .wrongEntity, place: "ZITEM",
      sql: "UPDATE ZPERSON SET Z3_FAVOURITE = 3; UPDATE ZITEM SET Z_ENT = 3 WHERE Z_PK = 3", examples: ["Item/p3"]),
    Damage(kind: .keyCounter, place: "Item", sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Item'"),
    Damage(kind: .primaryKeyRow, place: "Z_PRIMARYKEY", sql: "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Film'"),
    Damage(
      kind: .primaryKeyRow, place: "Z_PRIMARYKEY", sql: "UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 WHERE Z_NAME = 'Film'"),
    Damage(
      kind: .primaryKeyRow, place: "Z_PRIMARYKEY", sql: "INSERT INTO Z_PRIMARYKEY VALUES (8, 'Toy', 0, 0)",
      severity: .warning),
    Damage(
      kind: .entityName, place: "Z_PRIMARYKEY", sql: "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Movie' WHERE Z_ENT = 5",
      severity: .warning),
    Damage(
      kind: .missingValue, place: "Item.title", sql: "UPDATE ZITEM SET ZTITLE = NULL WHERE Z_PK = 1",
      examples: ["Book/p1"]),
    Damage(kind: .wrongType, place: "Item.pages", sql: "UPDATE ZITEM SET ZPAGES = 1.5 WHERE Z_PK = 1"),
    Damage(kind: .wrongType, place: "Item.title", sql: "UPDATE ZITEM SET ZTITLE = x'00' WHERE Z_PK = 1"),
    Damage(kind: .wrongType, place: "Item.key", sql: "UPDATE ZITEM SET ZKEY = '1234567890123456' WHERE Z_PK = 1"),
    Damage(kind: .wrongType, place: "Item.added", sql: "UPDATE ZITEM SET ZADDED = '2020-01-01' WHERE Z_PK = 1"),
    Damage(kind: .wrongType, place: "Item.price", sql: "UPDATE ZITEM SET ZPRICE = 'cheap' WHERE Z_PK = 1"),
    Damage(
      kind: .outOfRange, place: "Item.pages", sql: "UPDATE ZITEM SET ZPAGES = 32768 WHERE Z_PK = 1",
      examples: ["Book/p1"]),
    Damage(kind: .outOfRange, place: "Item.big", sql: "UPDATE ZITEM SET ZBIG = -2147483649 WHERE Z_PK = 2"),
    Damage(kind: .outOfRange, place: "Item.isNew", sql: "UPDATE ZITEM SET ZISNEW = 2 WHERE Z_PK = 2"),
    Damage(kind: .outOfRange, place: "Item.key", sql: "UPDATE ZITEM SET ZKEY = x'01' WHERE Z_PK = 2"),
    Damage(
      kind: .invalidText, place: "Item.title", sql: "UPDATE ZITEM SET ZTITLE = CAST(x'41FF' AS TEXT) WHERE Z_PK = 2"),
    Damage(
      kind: .externalReference, place: "Item.cover", sql: "UPDATE ZITEM SET ZCOVER = x'0942' WHERE Z_PK = 2",
      examples: ["Book/p2"]),
    Damage(
      kind: .externalReference, place: "Item.cover", sql: "UPDATE ZITEM SET ZCOVER = x'024200' WHERE Z_PK = 2",
      examples: ["Book/p2"]),
    Damage(
      kind: .missingExternalFile, place: "Item.cover",
      sql:
        "UPDATE ZITEM SET ZCOVER = CAST(x'02' || '6F1B1C9E-0A53-4E0B-9B46-1F4C4A1B5D11' || x'00' AS BLOB) WHERE Z_PK = 2",
      examples: ["Z_PK 2: 6F1B1C9E-0A53-4E0B-9B46-1F4C4A1B5D11"]),
    Damage(kind: .orphanJoinRow, place: "Item.tags", sql: "INSERT INTO Z_3TAGS VALUES (1, 9)", examples: ["1 - 9"]),
    Damage(kind: .missingIndex, place: "ZITEM", sql: "DROP INDEX Z_Item_UNIQUE_code", severity: .warning),
    Damage(kind: .missingIndex, place: "ZITEM", sql: "DROP INDEX ZITEM_ZOWNER_INDEX", severity: .warning),
    Damage(kind: .missingColumn, place: "ZTAG", sql: "ALTER TABLE ZTAG DROP COLUMN ZNAME"),
    Damage(kind: .missingTable, place: "Z_3TAGS", sql: "DROP TABLE Z_3TAGS"),
    Damage(
      kind: .memberCount, place: "Book.chapters",
      sql:
        "INSERT INTO ZCHAPTER (Z_ENT, Z_OPT, ZBOOK, Z_FOK_BOOK) VALUES (2, 1, 1, 1), (2, 1, 1, 2), (2, 1, 1, 3); UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_ENT = 2",
      examples: ["Book/p1"], severity: .warning),
    Damage(
      kind: .missingPosition, place: "Chapter.book", sql: "UPDATE ZCHAPTER SET Z_FOK_BOOK = NULL WHERE Z_PK = 2",
      examples: ["Chapter/p2"], severity: .warning),
    Damage(kind: .metadata, place: "Z_METADATA", sql: "UPDATE Z_METADATA SET Z_PLIST = x'00'"),
    Damage(kind: .metadata, place: "Z_METADATA", sql: "UPDATE Z_METADATA SET Z_UUID = 'me'"),
    Damage(
      kind: .metadata, place: "Z_METADATA", sql: "INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA"),
    Damage(
      kind: .mirroredRecord, place: "ANSCKRECORDMETADATA",
      sql: mirrored + "INSERT INTO ANSCKRECORDMETADATA VALUES (8, 99, 1)",
      examples: ["Z_ENT 99/p1"]),
    Damage(
      kind: .mirroredRecord, place: "ANSCKRECORDMETADATA",
      sql: mirrored + "INSERT INTO ANSCKRECORDMETADATA VALUES (8, 4, 3)",
      examples: ["Book/p3"]),
    Damage(
      kind: .mirroredRecord, place: "ANSCKRECORDMETADATA",
      sql: mirrored + "INSERT INTO ANSCKRECORDMETADATA VALUES (8, 1, 7)",
      examples: ["Card/p7"], severity: .warning),
    Damage(kind: .modelCache, place: "Z_MODELCACHE", sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = x'0011'"),
  ]

  @Test(arguments: damages) func damageIsNamed(_ damage: Damage) throws {
    try files.damage(damage.sql)
    let found = try problems()
    #expect(found.map(\.kind) == [damage.kind], "\(found)")
    #expect(found.first?.place == damage.place && found.first?.severity == damage.severity)
    if let examples = damage.examples { #expect(found.first?.examples == examples) }
    let tool = try Tool("store", "verify", "--format", "json", files.store.path)
    #expect(tool.status == (damage.severity == .error ? 1 : 0), "\(tool.errors)")
    let listed = try tool.json()["problems"] as? [[String: Any]]
    #expect(listed?.map { $0["kind"] as? String } == [damage.kind.rawValue])
  }

  @Test func sidesThatLeadToDifferentObjects() throws {
    try files.damage(
      "INSERT INTO ZCARD (Z_PK, Z_ENT, Z_OPT) VALUES (2, 1, 1); UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 1; "
        + "UPDATE ZPERSON SET ZCARD = 2 WHERE ZCARD = 1")
    let found = try problems()
    #expect(
      Set(found.map { "\($0.severity) \($0.place)" }) == ["error Card.person", "warning Person.card"], "\(found)")
  }

  @Test func duplicatesAreFoundWhereNoIndexKeepsThemOut() throws {
    try files.damage("DROP INDEX Z_Item_UNIQUE_code; UPDATE ZITEM SET ZCODE = 'B1'")
    let found = try problems()
    #expect(found.map(\.kind) == [.missingIndex, .duplicateValues])
    #expect(found.last?.place == "Item.(code)" && found.last?.examples == ["Book/p1"])
  }

  @Test func filesThatNoRowNames() throws {
    try files.moveCoverToFile(of: 1)
    #expect(try problems().isEmpty)
    try files.damage("UPDATE ZITEM SET ZCOVER = NULL WHERE Z_PK = 1")
    let name = "6F1B1C9E-0A53-4E0B-9B46-1F4C4A1B5D11"
    // However long this takes, the file is younger than a minute.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 3600)],
      ofItemAtPath: files.path(".Library_SUPPORT/_EXTERNAL_DATA/\(name)"))
    let new = try problems()
    #expect(new.map(\.kind) == [.orphanExternalFile] && new.first?.severity == .warning)
    #expect(new.first?.text.contains("a save that is going on may need them") == true)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -90)],
      ofItemAtPath: files.path(".Library_SUPPORT/_EXTERNAL_DATA/\(name)"))
    let old = try problems()
    #expect(old.map(\.kind) == [.orphanExternalFile] && old.first?.severity == .warning)
    #expect(old.first?.text == "there are files that no row names" && old.first?.examples == [name])
  }

  @Test func filesOfTwoRows() throws {
    try files.moveCoverToFile(of: 1)
    try files.moveCoverToFile(of: 2)
    let found = try problems()
    #expect(found.map(\.kind) == [.sharedExternalFile] && found.first?.place == "Item.cover")
  }

  @Test func historyOfMissingTransactions() throws {
    try files.damage(
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
      CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, ZTIMESTAMP FLOAT);
      CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 2), (16002, 'TRANSACTION', 0, 1), (16003, 'TRANSACTIONSTRING', 0, 0);
      INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, NULL, 0);
      INSERT INTO ACHANGE VALUES (1, 16001, NULL, 0, 4, 1, 1, NULL), (2, 16001, NULL, 0, 4, 2, 1, NULL)
      """)
    #expect(try problems().isEmpty)
    try files.damage("UPDATE ACHANGE SET ZTRANSACTIONID = 5 WHERE Z_PK = 2; UPDATE ATRANSACTION SET ZAUTHORTS = 3")
    let found = try problems()
    #expect(found.map(\.kind) == [.history, .history])
    #expect(found.map(\.place) == ["ACHANGE", "ATRANSACTION"] && found.first?.examples == ["Z_PK 2"])
  }

  /// Framework 851 kept authors and the like in the transactions themselves.
  @Test func historyWithoutATableOfStrings() throws {
    try files.damage(
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
      CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR);
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 1), (16002, 'TRANSACTION', 0, 1);
      INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, 0, 'a', 'b', 'c', 'd');
      INSERT INTO ACHANGE VALUES (1, 16001, NULL, 0, 4, 1, 1, NULL)
      """)
    #expect(try problems().isEmpty)
  }

  @Test func aDamagedPageIsNamed() throws {
    let handle = try FileHandle(forUpdating: files.store)
    // Past the schema: the pages of tables and indexes.
    try handle.seek(toOffset: 4096 * 5)
    try handle.write(contentsOf: Data(repeating: 0x5A, count: 4096))
    try handle.close()
    let found = try problems()
    #expect(found.contains { $0.kind == .damagedFile || $0.kind == .unreadable }, "\(found)")
  }

  @Test func anotherModelIsNamed() throws {
    let other = files.folder.appending(path: "Other.xcdatamodel")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    let text = StoreFiles.library.replacingOccurrences(
      of: "<attribute name=\"number\" optional=\"YES\"", with: "<attribute name=\"number\"")
    try Data("<model>\(text)</model>".utf8).write(to: other.appending(path: "contents"))
    let tool = try Tool("store", "verify", files.store.path, "--model", other.path)
    #expect(tool.status == 1)
    #expect(
      tool.output.hasPrefix(
        "error: model: the given model has other versions of entities than the metadata state (1: Card)\n"))
    try Data().write(to: URL(fileURLWithPath: files.path("input.json")))
    for command in [["info"], ["export"], ["query", "Card"], ["import", files.path("input.json")]] {
      let tool = try Tool(
        ["store", command[0], files.store.path] + command.dropFirst() + ["--model", other.path])
      #expect(tool.status == 1)
      #expect(
        tool.errors
          == "Error: The model \(other.path) is not that of the store \(files.store.path); these entities differ: Card.\n"
      )
    }
    #expect(try Tool("store", "verify", files.store.path, "--model", files.model).status == 0)
  }
}
