import GRDB

/// The records of an import, as a newcomer writes them after GRDB's guide: Codable, with keys that the database gives.
private struct Section: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var name: String

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

private struct Author: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var name: String

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

private struct Article: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var key: String
  var title: String
  var length: Int
  var sectionId: Int64?
  var authorId: Int64?

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

extension Stores {
  private static let articles = 3000

  /// Three fetches for each article, and a transaction for each 1,000: first all are new, then all are there.
  func runNewcomer() throws {
    var queue: DatabaseQueue?
    func makeStore() throws {
      queue = try new([], replacing: queue)
      try queue?.write { database in
        for table in ["section", "author"] {
          try database.create(table: table) { table in
            table.autoIncrementedPrimaryKey("id")
            table.column("name", .text).indexed()
          }
        }
        try database.create(table: "article") { table in
          table.autoIncrementedPrimaryKey("id")
          table.column("key", .text).indexed()
          table.column("title", .text)
          table.column("length", .integer)
          table.column("sectionId", .integer).indexed().references("section")
          table.column("authorId", .integer).indexed().references("author")
        }
      }
    }
    var edition = 1
    try measure("newcomer-create", prepare: makeStore, answer: { try count(queue, 1) }) {
      try importing(1, into: queue)
    }
    try measure("newcomer-find", answer: { try count(queue, edition) }) {
      edition += 1
      return try importing(edition, into: queue)
    }
    try queue?.close()
    try removeScratch()
  }

  private func importing(_ edition: Int, into queue: DatabaseQueue?) throws -> Int {
    for start in stride(from: 0, to: Self.articles, by: 1000) {
      try queue?.write { database in
        for number in start..<start + 1000 { try importing(number, edition, database) }
      }
    }
    return Self.articles
  }

  private func importing(_ number: Int, _ edition: Int, _ database: Database) throws {
    let key = "article-\(number)"
    var article =
      try Article.filter(Column("key") == key).fetchOne(database) ?? Article(key: key, title: "", length: 0)
    article.title = "Title \(number) of edition \(edition)"
    article.length = number
    let sectionName = "Section \(number % 50)", authorName = "Author \(number % 500)"
    if let section = try Section.filter(Column("name") == sectionName).fetchOne(database) {
      article.sectionId = section.id
    } else {
      article.sectionId = try Section(name: sectionName).inserted(database).id
    }
    if let author = try Author.filter(Column("name") == authorName).fetchOne(database) {
      article.authorId = author.id
    } else {
      article.authorId = try Author(name: authorName).inserted(database).id
    }
    try article.save(database)
  }

  /// The number of articles that have an edition's title, a section and an author.
  private func count(_ queue: DatabaseQueue?, _ edition: Int) throws -> Int {
    try queue?.read { database in
      try Article.filter(Column("title").like("% of edition \(edition)"))
        .filter(Column("sectionId") != nil && Column("authorId") != nil).fetchCount(database)
    } ?? 0
  }
}
