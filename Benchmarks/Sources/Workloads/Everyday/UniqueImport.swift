import CoreData
import Foundation

/// Imports records by a uniqueness constraint: each is inserted, and the save finds out which are there. First all are new, then all are
/// there and get other values. A save after each 1,000.
func runUniqueImport(_ store: Store) throws {
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
    return try context.performAndWait { try importArticles(edition, in: context) }
  }
  func check() throws -> Int {
    guard let context = stack?.container.newBackgroundContext() else { return 0 }
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Article")
      guard try context.count(for: request) == articles else {
        throw WorkloadError(description: "unique: the articles are there more than once")
      }
      request.predicate = NSPredicate(format: "title ENDSWITH %@", " of edition \(edition)")
      return try context.count(for: request)
    }
  }
  try measure("unique-create", prepare: makeStore, answer: check, work: run)
  try makeStore()
  _ = try run()
  try measure("unique-again", answer: check, work: run)
  try stack?.close()
  try store.remove(store.scratch)
}

private let articles = Counting.isOn ? 1000 : 10_000

private func importArticles(_ edition: Int, in context: NSManagedObjectContext) throws -> Int {
  context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
  for number in 0..<articles {
    let article = context.insert("Article")
    article.setValue("article-\(number)", forKey: "key")
    article.setValue("Title \(number) of edition \(edition)", forKey: "title")
    article.setValue(number, forKey: "length")
    if number % 1000 == 999 { try context.save() }
  }
  return articles
}
