import CoreData
import Foundation
import WebStore

/// The steps of a run over one store. Each begins with a coordinator of its own, which knows nothing yet.
struct Session {
  let place: URL
  let authors: Int
  static let booksOfAuthor = 4

  /// Runs all steps. Waits where it is called, as a context does.
  func run() throws -> [(name: String, result: String, cost: Report.Cost)] {
    try [
      step("insert authors and books", insert),
      step("100 books by title", list),
      step("the authors of 100 books, one at a time", options: [WebStoreOption.companySize: 1]) { stack in
        try names(stack) { context, _ in context.faultBatchSize = 1 }
      },
      step("... in company") { try names($0) { _, _ in } },
      step("... prefetched") { try names($0) { $1.relationshipKeyPathsForPrefetching = ["author"] } },
      step("the books of 20 authors, one at a time") { stack in
        try books(stack) { context, _ in context.faultBatchSize = 1 }
      },
      step("... prefetched") { try books($0) { $1.relationshipKeyPathsForPrefetching = ["books"] } },
      step("count by a condition on two entities", count),
      step("a condition that only this side knows", filter),
      step("two pages of 20 out of all", pages),
      step("change 50 books", change),
      step("a conflict, merged", conflict),
      step("a list with sections, and a change", sections),
    ]
  }

  private func step(
    _ name: String, options: [String: any Sendable] = [:], _ body: (Stack) throws -> String
  ) throws -> (name: String, result: String, cost: Report.Cost) {
    let stack = try Stack(place, options: options)
    let before = stack.cost
    let result = try body(stack)
    let cost = stack.cost - before
    try stack.close()
    return (name, result, cost)
  }

  private static func booksByTitle(_ limit: Int = 0) -> NSFetchRequest<Book> {
    let request = NSFetchRequest<Book>(entityName: "Book")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    request.fetchLimit = limit
    return request
  }

  // MARK: Writing

  private func insert(_ stack: Stack) throws -> String {
    let context = stack.newContext()
    return try context.performAndWait {
      let tags = ["long", "short", "old"].map { name in
        let tag = Tag(context: context)
        tag.name = name
        return tag
      }
      for number in 0..<authors {
        let author = Author(context: context)
        author.name = "Author \(number)"
        author.city = ["Oslo", "Lima", "Pune"][number % 3]
        for place in 0..<Self.booksOfAuthor {
          let book = Book(context: context)
          let index = number * Self.booksOfAuthor + place
          book.title = "Book \(String(format: "%06d", index * 7919 % 1_000_000))"
          book.year = Int64(1990 + index % 10)
          book.pages = Int64(50 + index % 900)
          book.author = author
          book.addToTags(tags[index % 3])
        }
      }
      let count = context.insertedObjects.count
      try context.save()
      return "\(count) objects"
    }
  }

  private func change(_ stack: Stack) throws -> String {
    let context = stack.newContext()
    return try context.performAndWait {
      for book in try context.fetch(Self.booksByTitle(50)) { book.pages += 1 }
      let count = context.updatedObjects.count
      try context.save()
      return "\(count) objects"
    }
  }

  /// Somebody else has changed the number of pages meanwhile, and this context the title.
  private func conflict(_ stack: Stack) throws -> String {
    let other = try Stack(place)
    let (mine, theirs) = (stack.newContext(), other.newContext())
    let title = try mine.performAndWait {
      mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      guard let book = try mine.fetch(Self.booksByTitle(1)).first else { return "" }
      let pages = book.pages
      try theirs.performAndWait {
        try theirs.fetch(Self.booksByTitle(1)).first?.pages = pages + 10
        try theirs.save()
      }
      book.title = (book.title ?? "") + " (second edition)"
      try mine.save()
      return "\(book.title ?? ""): \(book.pages - pages) pages more"
    }
    try other.close()
    return title
  }

  // MARK: Reading

  private func list(_ stack: Stack) throws -> String {
    let context = stack.newContext()
    return try context.performAndWait {
      let titles = try context.fetch(Self.booksByTitle(100)).map(\.title)
      return "\(titles.count) titles"
    }
  }

  private func names(_ stack: Stack, _ prepare: (NSManagedObjectContext, NSFetchRequest<Book>) -> Void) throws -> String
  {
    let context = stack.newContext()
    return try context.performAndWait {
      // Books of as many authors.
      let request = Self.booksByTitle(100)
      request.predicate = NSPredicate(format: "year == 1990")
      prepare(context, request)
      let names = try context.fetch(request).compactMap { $0.author?.name }
      return "\(names.count) books, \(Set(names).count) authors"
    }
  }

  private func books(_ stack: Stack, _ prepare: (NSManagedObjectContext, NSFetchRequest<Author>) -> Void) throws
    -> String
  {
    let context = stack.newContext()
    return try context.performAndWait {
      let request = NSFetchRequest<Author>(entityName: "Author")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      request.fetchLimit = 20
      prepare(context, request)
      let titles = try context.fetch(request).flatMap { ($0.books as? Set<Book> ?? []).map(\.title) }
      return "\(titles.count) titles"
    }
  }

  private func count(_ stack: Stack) throws -> String {
    let context = stack.newContext()
    return try context.performAndWait {
      let request = NSFetchRequest<Book>(entityName: "Book")
      request.predicate = NSPredicate(
        format: "author.city == 'Oslo' AND (title CONTAINS[cd] 'BÖOK 0' OR ANY tags.name == 'old')")
      return "\(try context.count(for: request)) books"
    }
  }

  private func filter(_ stack: Stack) throws -> String {
    let context = stack.newContext()
    return try context.performAndWait {
      let request = Self.booksByTitle()
      request.predicate = NSPredicate(format: "year == 1991 AND title MATCHES 'Book [0-9]*9'")
      return "\(try context.fetch(request).count) books"
    }
  }

  private func pages(_ stack: Stack) throws -> String {
    let context = stack.newContext()
    return try context.performAndWait {
      let request = Self.booksByTitle()
      request.fetchBatchSize = 20
      let books = try context.fetch(request)
      let titles = books.prefix(40).map(\.title)
      return "\(titles.count) titles of \(books.count)"
    }
  }

  private func sections(_ stack: Stack) throws -> String {
    let context = stack.newContext()
    return try context.performAndWait {
      let request = NSFetchRequest<Book>(entityName: "Book")
      request.sortDescriptors = [
        NSSortDescriptor(key: "year", ascending: true), NSSortDescriptor(key: "title", ascending: true),
      ]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "year", cacheName: nil)
      let changes = Changes()
      controller.delegate = changes
      try controller.performFetch()
      controller.fetchedObjects?.first?.year = 2001
      try context.save()
      return "\(controller.sections?.count ?? 0) sections, \(changes.moves) moved"
    }
  }

  /// Counts what the controller tells.
  private final class Changes: NSObject, NSFetchedResultsControllerDelegate {
    var moves = 0

    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
      at indexPath: IndexPath?,
      for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
      if type == .move { moves += 1 }
    }
  }
}
