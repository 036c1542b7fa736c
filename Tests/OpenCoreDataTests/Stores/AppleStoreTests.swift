import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Stores that Apple's framework wrote, opened with the model of their own cache.
@Suite(.enabled(if: Corpus.isThere && Shell.hasSQLite, "the corpus of stores or sqlite3 is not there"), .serialized)
struct AppleStoreTests {
  static let stores = Corpus.files(".sqlite", below: "stores").map(\.path)

  /// A copy with its log, and the model in its cache; nil for stores from before caches.
  private func copy(_ path: String) throws -> (url: URL, model: NSManagedObjectModel)? {
    let url = try TestModel.temporaryFile("Copy.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: url.path)
    if FileManager.default.fileExists(atPath: path + "-wal") {
      try FileManager.default.copyItem(atPath: path + "-wal", toPath: url.path + "-wal")
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path) {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: url.deletingLastPathComponent().appendingPathComponent(name).path)
    }
    guard try Shell.sql(url, "SELECT 1 FROM sqlite_master WHERE name = 'Z_MODELCACHE'") == ["1"] else { return nil }
    try Shell.sql(url, "PRAGMA wal_checkpoint(TRUNCATE)")
    let cache = try #require(Corpus.blob("SELECT Z_CONTENT FROM Z_MODELCACHE", in: url))
    return (url, try ModelCache.decode(cache))
  }

  /// Apple's own triggers count the pages of books; what they change is seen by objects and by fetches.
  @Test(arguments: stores.filter { $0.contains("SampleModel2_V") }) func derivedAttributes(path: String) throws {
    guard let (url, model) = try copy(path) else { return }
    let triggers = try Shell.sql(url, "SELECT sql FROM sqlite_master WHERE type = 'trigger'")
    let coordinator = try TestModel.coordinator(model, url: url)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let books = try context.all("Book")
      let (book, other) = (try #require(books.first), try #require(books.last))
      let counts = books.map { $0.value(forKey: "pagesCount") as? Int ?? 0 }
      CorpusTransformer.register()
      let page = context.make("Page", ["number": 1, "isBookmarked": true, "book": book, "content": "text"])
      let second = context.make("Page", ["number": 2, "isBookmarked": true, "book": book, "content": "text"])
      try context.save()
      #expect(book.value(forKey: "pagesCount") as? Int == counts[0] + 2)
      page.setValue(other, forKey: "book")
      try context.save()
      #expect(book.value(forKey: "pagesCount") as? Int == counts[0] + 1)
      #expect(other.value(forKey: "pagesCount") as? Int == counts[counts.count - 1] + 1)
      context.delete(second)
      try context.save()
      #expect(book.value(forKey: "pagesCount") as? Int == counts[0])
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = NSPredicate(format: "pagesCount == pages.@count")
      #expect(try context.count(for: request) == books.count)
    }
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    #expect(try Shell.sql(url, "SELECT sql FROM sqlite_master WHERE type = 'trigger'") == triggers)
  }
}
