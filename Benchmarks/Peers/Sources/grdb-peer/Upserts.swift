import GRDB

private struct UniqueArticle: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "article"
  var id: Int64?
  var key: String
  var title: String
  var length: Int

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

extension Stores {
  /// Records with a unique key, upserted in a transaction for each 1,000, and in one for each.
  func runUpserts() throws {
    try runUpserts { number, edition, database in
      var article = UniqueArticle(
        key: "article-\(number)", title: "Title \(number) of edition \(edition)", length: number)
      try article.upsert(database)
    }
  }

  /// The same by a statement that is kept.
  func runUpsertsByHand() throws {
    try runUpserts { number, edition, database in
      try database.cachedStatement(
        sql: """
          INSERT INTO article (key, title, length) VALUES (?, ?, ?)
          ON CONFLICT (key) DO UPDATE SET title = excluded.title, length = excluded.length
          """
      ).execute(arguments: ["article-\(number)", "Title \(number) of edition \(edition)", number])
    }
  }

  private func runUpserts(_ upsert: (Int, Int, Database) throws -> Void) throws {
    for (name, count, atOnce) in [("unique", 10_000, 1000), ("unique-one", 2000, 1)] {
      var queue: DatabaseQueue?
      var edition = 0
      func makeStore() throws {
        queue = try new(
          ["CREATE TABLE article (id INTEGER PRIMARY KEY, key TEXT UNIQUE, title TEXT, length INTEGER)"],
          replacing: queue)
      }
      func run() throws -> Int {
        edition += 1
        for start in stride(from: 0, to: count, by: atOnce) {
          try queue?.write { database in
            for number in start..<start + atOnce { try upsert(number, edition, database) }
          }
        }
        return count
      }
      func check() throws -> Int {
        try queue?.read {
          try UniqueArticle.filter(Column("title").like("% of edition \(edition)")).fetchCount($0)
        } ?? 0
      }
      try measure("\(name)-create", prepare: makeStore, answer: check, work: run)
      try measure("\(name)-again", answer: check, work: run)
      try queue?.close()
    }
    try removeScratch()
  }
}
