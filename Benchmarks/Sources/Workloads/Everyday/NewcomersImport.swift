import CoreData
import Foundation

/// Imports articles as the first draft of many programs does: for each article a fetch for the article, one for its section and
/// one for its author, and what is not found is inserted. A save after each 1,000 articles. First all are new; then all are
/// there, and get other titles.
func runNewcomersImport(_ store: Store) throws {
  var stack: ModelStack?
  func makeStore() throws {
    try stack?.close()
    try store.remove(store.scratch)
    stack = try ModelStack(url: store.scratch, NewcomersImport.entities())
  }
  func run(_ edition: Int) throws -> Int {
    guard let stack else { throw WorkloadError(description: "no stack") }
    return try NewcomersImport(edition: edition, in: stack.context).run()
  }
  func count(_ edition: Int) throws -> Int {
    guard let context = stack?.container.newBackgroundContext() else { return 0 }
    return try context.performAndWait { try NewcomersImport(edition: edition, in: context).check() }
  }
  try measure("newcomer-create", prepare: makeStore, answer: { try count(1) }, work: { try run(1) })
  if stack == nil { try makeStore() }
  _ = try run(1)
  var edition = 1
  try measure(
    "newcomer-find", prepare: { stack?.context.reset() }, answer: { try count(edition) },
    work: {
      edition += 1
      return try run(edition)
    })
  try stack?.close()
  try store.remove(store.scratch)
}

/// The import, with one fetch for each object that it needs.
private struct NewcomersImport {
  static var articles: Int { Counting.isOn ? 100 : 3000 }
  private static var savedAtOnce: Int { Counting.isOn ? 50 : 1000 }
  private static let sections = 50, authors = 500

  let edition: Int
  let context: NSManagedObjectContext

  init(edition: Int, in context: NSManagedObjectContext) {
    self.edition = edition
    self.context = context
  }

  static func entities() -> [NSEntityDescription] {
    let article = NSEntityDescription.make(
      "Article", ["key": .stringAttributeType, "title": .stringAttributeType, "length": .integer64AttributeType],
      indexed: ["key"])
    let section = NSEntityDescription.make("Section", ["name": .stringAttributeType], indexed: ["name"])
    let author = NSEntityDescription.make("Author", ["name": .stringAttributeType], indexed: ["name"])
    article.belongs(to: section, as: "section", inverse: "articles")
    article.belongs(to: author, as: "author", inverse: "articles")
    return [article, section, author]
  }

  /// Returns the number of articles.
  func run() throws -> Int {
    for number in 0..<Self.articles {
      let article = try findOrInsert("Article", "key", "article-\(number)")
      article.setValue("Title \(number) of edition \(edition)", forKey: "title")
      article.setValue(number, forKey: "length")
      article.setValue(try findOrInsert("Section", "name", "Section \(number % Self.sections)"), forKey: "section")
      article.setValue(try findOrInsert("Author", "name", "Author \(number % Self.authors)"), forKey: "author")
      if number % Self.savedAtOnce == Self.savedAtOnce - 1 { try context.save() }
    }
    return Self.articles
  }

  private func findOrInsert(_ entity: String, _ key: String, _ value: String) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "%K == %@", key, value)
    request.fetchLimit = 1
    if let found = try context.fetch(request).first { return found }
    let new = context.insert(entity)
    new.setValue(value, forKey: key)
    return new
  }

  /// Returns the number of articles in the store that have this edition's title, a section and an author. There must be no
  /// more articles, sections and authors than were imported.
  func check() throws -> Int {
    let articles = NSFetchRequest<NSManagedObject>(entityName: "Article")
    articles.predicate = NSPredicate(
      format: "title ENDSWITH %@ AND section.name BEGINSWITH 'Section' AND author.name BEGINSWITH 'Author'",
      " of edition \(edition)")
    let counts = try ["Article", "Section", "Author"].map {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: $0))
    }
    guard counts == [Self.articles, min(Self.sections, Self.articles), min(Self.authors, Self.articles)] else {
      throw WorkloadError(description: "newcomer: there are \(counts) articles, sections and authors")
    }
    return try context.count(for: articles)
  }
}
