import CoreData
import Foundation

/// Imports records by a uniqueness constraint: each is inserted, and the save finds out which are there. First all are new, then
/// all are there and get other values. A save after each 1,000, and then a save after each one.
func runUniqueImport(_ store: Store) throws {
  try runUniqueImport(store, "unique", articles: Counting.isOn ? 1000 : 10_000, savedAtOnce: 1000)
  try runUniqueImport(store, "unique-one", articles: Counting.isOn ? 100 : 2000, savedAtOnce: 1)
}

private func runUniqueImport(_ store: Store, _ name: String, articles: Int, savedAtOnce: Int) throws {
  var stack: ModelStack?
  var edition = 0
  func makeStore() throws {
    try stack?.close()
    try store.remove(store.scratch)
    let article = NSEntityDescription.make(
      "Article", ["key": .stringAttributeType, "title": .stringAttributeType, "length": .integer64AttributeType])
    article.uniquenessConstraints = [["key"]]
    stack = try ModelStack(url: store.scratch, [article])
  }
  func run() throws -> Int {
    guard let stack else { throw WorkloadError(description: "no stack") }
    edition += 1
    let context = stack.container.newBackgroundContext()
    return try context.performAndWait {
      try importArticles(articles, edition, savedAtOnce, in: context)
    }
  }
  func check() throws -> Int {
    guard let context = stack?.container.newBackgroundContext() else { return 0 }
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Article")
      guard try context.count(for: request) == articles else {
        throw WorkloadError(description: "\(name): the articles are there more than once")
      }
      request.predicate = NSPredicate(format: "title ENDSWITH %@", " of edition \(edition)")
      return try context.count(for: request)
    }
  }
  try measure("\(name)-create", prepare: makeStore, answer: check, work: run)
  try makeStore()
  _ = try run()
  try measure("\(name)-again", answer: check, work: run)
  try stack?.close()
  try store.remove(store.scratch)
}

private func importArticles(
  _ articles: Int, _ edition: Int, _ savedAtOnce: Int, in context: NSManagedObjectContext
) throws -> Int {
  context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
  for number in 0..<articles {
    let article = context.insert("Article")
    article.setValue("article-\(number)", forKey: "key")
    article.setValue("Title \(number) of edition \(edition)", forKey: "title")
    article.setValue(number, forKey: "length")
    if number % savedAtOnce == savedAtOnce - 1 { try context.save() }
  }
  return articles
}
