import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Contexts pinned at random while another saves at random: each shows what the test knows of its generation.
@Suite struct QueryGenerationFuzzTests {
  @Test(arguments: RandomSeeds.seeds(6), TestStore.all(that: .generations))
  func pinnedContextsShowTheirState(seed: UInt64, _ store: TestStore) throws {
    var fuzz = try Fuzz(store, seed: seed)
    for step in 0..<60 {
      do { try fuzz.step() } catch { Issue.record("seed \(seed), step \(step): \(error)") }
    }
  }
}

private struct Fuzz {
  /// By name: an author's age; a book's pages, author and tags.
  struct World: Equatable {
    struct Book: Equatable {
      var pages: Int
      var author: String?
      var tags: Set<String>
    }
    var authors: [String: Int] = [:]
    var books: [String: Book] = [:]
  }

  final class Reader {
    let context: NSManagedObjectContext
    /// What it is pinned to; nil if it is not.
    var world: World?
    init(_ context: NSManagedObjectContext) { self.context = context }
  }

  struct Difference: Error { let text: String }

  var random: SeededGenerator
  let coordinator: NSPersistentStoreCoordinator
  let writer: NSManagedObjectContext
  let readers: [Reader]
  var world = World()
  var number = 0

  init(_ store: TestStore, seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    let coordinator = try store.coordinator(TestModel.library(), url: try store.place())
    self.coordinator = coordinator
    writer = TestModel.context(coordinator)
    readers = (0..<4).map { _ in Reader(TestModel.context(coordinator)) }
    for reader in readers { reader.context.faultBatchSize = 3 }
    try writer.performAndWait { () throws in
      for name in ["x", "y", "z"] { _ = writer.make("Tag", ["name": name]) }
      try writer.save()
    }
  }

  mutating func step() throws {
    if Bool.random(using: &random) { try write() }
    if Int.random(in: 0..<8, using: &random) == 0 { coordinator.emptyRowCache() }
    let reader = readers[Int.random(in: 0..<readers.count, using: &random)]
    let context = reader.context
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1:
      try context.performAndWait { () throws in
        try context.setQueryGenerationFrom(.current)
        _ = try context.all("Tag").count
      }
      reader.world = world
    case 2:
      try context.performAndWait { try context.setQueryGenerationFrom(nil) }
      reader.world = nil
    case 3:
      guard let other = readers.first(where: { $0.world != nil && $0 !== reader }) else { break }
      let token = other.context.performAndWait { other.context.queryGenerationToken }
      try context.performAndWait { try context.setQueryGenerationFrom(token) }
      reader.world = other.world
    case 4 where reader.world != nil:
      try context.performAndWait { () throws in
        _ = context.make("Author", ["name": "own\(number)", "age": 0])
        try context.save()
      }
      world.authors["own\(number)"] = 0
      number += 1
      reader.world = world
    case 5:
      try context.performAndWait { () throws in
        context.reset()
        if reader.world != nil { _ = try context.all("Tag") }
      }
      if reader.world != nil { reader.world = world }
    default: break
    }
    try check(reader)
  }

  /// One save of several changes.
  private mutating func write() throws {
    var new = world
    try writer.performAndWait { () throws in
      writer.refreshAllObjects()
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        number += 1
        switch Int.random(in: 0..<7, using: &random) {
        case 0:
          _ = writer.make("Author", ["name": "A\(number)", "age": number])
          new.authors["A\(number)"] = number
        case 1, 2:
          _ = writer.make("Book", ["title": "B\(number)", "pages": number])
          new.books["B\(number)"] = World.Book(pages: number, author: nil, tags: [])
        case 3:
          guard let name = new.authors.keys.sorted().randomElement(using: &random) else { continue }
          try writer.named(name, "Author").setValue(number, forKey: "age")
          new.authors[name] = number
        case 4:
          guard let title = new.books.keys.sorted().randomElement(using: &random) else { continue }
          let name = new.authors.keys.sorted().randomElement(using: &random)
          try book(title).setValue(try name.map { try writer.named($0, "Author") }, forKey: "author")
          new.books[title]?.author = name
        case 5:
          guard let title = new.books.keys.sorted().randomElement(using: &random) else { continue }
          let tags = Set(["x", "y", "z"].filter { _ in Bool.random(using: &random) })
          try book(title).setValue(Set(try tags.sorted().map { try writer.named($0, "Tag") }), forKey: "tags")
          new.books[title]?.tags = tags
        default:
          if Bool.random(using: &random), let title = new.books.keys.sorted().randomElement(using: &random) {
            writer.delete(try book(title))
            new.books[title] = nil
          } else if let name = new.authors.keys.sorted().randomElement(using: &random) {
            writer.delete(try writer.named(name, "Author"))
            writer.processPendingChanges()
            new.authors[name] = nil
            new.books = new.books.filter { $0.value.author != name }
          }
        }
      }
      try writer.save()
    }
    world = new
  }

  private func book(_ title: String) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.predicate = NSPredicate(format: "title = %@", title)
    guard let book = try writer.fetch(request).first else { throw Difference(text: "no book \(title)") }
    return book
  }

  private mutating func check(_ reader: Reader) throws {
    let expected = reader.world ?? world
    let way = Int.random(in: 0..<4, using: &random)
    let context = reader.context
    try context.performAndWait { () throws in
      context.refreshAllObjects()
      let found = try read(context, way)
      guard found == expected else { throw Difference(text: "read \(way): \(found), not \(expected)") }
      for entity in ["Author", "Book"] {
        let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
        let known = entity == "Author" ? expected.authors.count : expected.books.count
        if count != known { throw Difference(text: "\(count) objects of \(entity), not \(known)") }
      }
    }
  }

  private func read(_ context: NSManagedObjectContext, _ way: Int) throws -> World {
    var world = World()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    switch way {
    case 1: request.includesPropertyValues = false
    case 2: request.relationshipKeyPathsForPrefetching = ["author", "tags"]
    case 3: request.returnsObjectsAsFaults = false
    default: break
    }
    for book in try context.fetch(request) {
      guard let title = book.text("title"), let pages = book.number("pages") else { throw Difference(text: "no row") }
      let tags = Set(book.many("tags").compactMap { $0.text("name") })
      world.books[title] = World.Book(pages: pages, author: book.one("author")?.text("name"), tags: tags)
    }
    for author in try context.all("Author") {
      guard let name = author.text("name") else { throw Difference(text: "no row") }
      world.authors[name] = author.number("age")
      let books = Set(author.many("books").compactMap { $0.text("title") })
      guard books == Set(world.books.filter { $0.value.author == name }.keys) else {
        throw Difference(text: "books of \(name): \(books)")
      }
    }
    return world
  }
}
