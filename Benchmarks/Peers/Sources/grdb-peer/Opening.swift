import Foundation
import GRDB

extension Stores {
  /// Opens a database with 50 migrations that are done, as the first one of the process.
  func runFirstOpening() throws {
    let sample = try timed { try openMigrated() }
    print("open-50-first", String(format: "%.6f %.6f", sample.cpu, sample.cpu), 1, sample.answer, 0, 0, 0)
  }

  /// Opens it again and again.
  func runOpeningAgain() throws {
    for name in ["open-50-again", "open-50-model"] { try measure(name) { try openMigrated() } }
  }

  /// The number of tables, if the database has its object.
  private func openMigrated() throws -> Int {
    let queue = try open("peer-fifty.db")
    var migrator = DatabaseMigrator()
    for number in 0..<50 {
      migrator.registerMigration("create entity \(number)") { database in
        try database.create(table: "entity\(number)") { table in
          table.autoIncrementedPrimaryKey("id")
          table.column("attribute0", .text)
          table.column("attribute1", .integer)
          table.column("attribute2", .double)
          table.column("attribute3", .datetime)
          table.column("attribute4", .boolean)
          table.column("ownerId", .integer).indexed()
        }
        if number == 7 { try database.execute(sql: "INSERT INTO entity7 (attribute0) VALUES ('here')") }
      }
    }
    try migrator.migrate(queue)
    let found = try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM entity7") }
    try queue.close()
    return found == 1 ? 50 : 0
  }

  /// Makes the database, so that the opening that is measured finds it.
  func prepareOpening() throws { _ = try openMigrated() }
}
