import CSQLite
import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Time and memory of a million rows beside those of the plain SQL for the same change: `MIGRATION_ROWS=1000000`.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["MIGRATION_ROWS"] != nil, "measures, when MIGRATION_ROWS says how many"),
  .serialized)
struct MigrationSpeedTests {
  private static let rows = Int(ProcessInfo.processInfo.environment["MIGRATION_ROWS"] ?? "") ?? 0

  private static func attribute(_ name: String, _ type: String, _ rest: String = "optional='YES'") -> String {
    "<attribute name='\(name)' attributeType='\(type)' \(rest)/>"
  }

  private static let title = attribute("title", "String")
  private static let number = attribute("number", "Integer 32")
  private static let day = attribute("day", "Date")
  private static let changes: [(name: String, after: String, sql: [String])] = [
    ("column added", title + number + day + attribute("more", "String"), ["ALTER TABLE ZA ADD COLUMN ZMORE VARCHAR"]),
    (
      "column added with a value", title + number + day + attribute("more", "Integer 32", "defaultValueString='1'"),
      ["ALTER TABLE ZA ADD COLUMN ZMORE INTEGER", "UPDATE ZA SET ZMORE = 1"]
    ),
    ("column removed", title + number, ["ALTER TABLE ZA DROP COLUMN ZDAY"]),
    (
      "number converted", title + day + attribute("number", "Double"),
      [
        "ALTER TABLE ZA ADD COLUMN ZN2 FLOAT", "UPDATE ZA SET ZN2 = ZNUMBER", "ALTER TABLE ZA DROP COLUMN ZNUMBER",
        "ALTER TABLE ZA RENAME COLUMN ZN2 TO ZNUMBER",
      ]
    ),
    (
      "mandatory", title + day + attribute("number", "Integer 32", "defaultValueString='1'"),
      ["UPDATE ZA SET ZNUMBER = 1 WHERE ZNUMBER IS NULL"]
    ),
    (
      "column renamed", number + day + attribute("name", "String", "optional='YES' elementID='title'"),
      ["ALTER TABLE ZA RENAME COLUMN ZTITLE TO ZNAME"]
    ),
  ]

  @Test(arguments: changes.indices) func costsLittleMoreThanTheStatements(index: Int) throws {
    let change = Self.changes[index]
    let before = try MigrationFixture.model("<entity name='A'>\(Self.title + Self.number + Self.day)</entity>")
    let after = try MigrationFixture.model("<entity name='A'>\(change.after)</entity>")
    let store = try MigratedStore.make(before, after, objects: 0)
    try PlainDatabase(store.url).rows(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rows)) "
        + "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZDAY, ZTITLE) "
        + "SELECT i, 1, 1, CASE i % 3 WHEN 0 THEN NULL ELSE i END, i * 1.5, 'title of the row number ' || i FROM n")
    try PlainDatabase(store.url).rows("UPDATE Z_PRIMARYKEY SET Z_MAX = \(Self.rows)")
    try PlainDatabase(store.url).rows("PRAGMA wal_checkpoint(TRUNCATE)")
    let copy = try TestModel.temporaryFile()
    try FileManager.default.copyItem(at: store.url, to: copy)
    let plain = try Self.seconds {
      let database = try PlainDatabase(copy)
      try database.rows("BEGIN EXCLUSIVE")
      for statement in change.sql { try database.rows(statement) }
      try database.rows("COMMIT")
      try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    let memory = Self.peak()
    let ours = try Self.seconds { try store.inPlace().run() }
    let text =
      "\(change.name): \(ours) s, the statements alone \(plain) s, \(ours / plain) times, \(Self.peak() - memory) KB more"
    print(text)
    #expect(ours < max(3 * plain, 0.25), "\(text)")
    try? FileManager.default.removeItem(at: store.url.deletingLastPathComponent())
    try? FileManager.default.removeItem(at: copy.deletingLastPathComponent())
  }

  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    let time = ContinuousClock.now - start
    return Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
  }

  private static func peak() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
  }
}
