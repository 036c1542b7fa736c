import CoreData
import Foundation

// Steps that fetch.
extension Session {
  func list(_ stack: Stack) throws -> String {
    let context = stack.newContext()
    return try context.performAndWait {
      let titles = try context.fetch(Self.booksByTitle(100)).map(\.title)
      return "\(titles.count) titles"
    }
  }

  func names(_ stack: Stack, _ prepare: (NSManagedObjectContext, NSFetchRequest<Book>) -> Void) throws -> String {
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

  func books(_ stack: Stack, _ prepare: (NSManagedObjectContext, NSFetchRequest<Author>) -> Void) throws
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

  func count(_ stack: Stack) throws -> String {
    let context = stack.newContext()
    return try context.performAndWait {
      let request = NSFetchRequest<Book>(entityName: "Book")
      request.predicate = NSPredicate(
        format: "author.city == 'Oslo' AND (title CONTAINS[cd] 'BÖOK 0' OR ANY tags.name == 'old')")
      return "\(try context.count(for: request)) books"
    }
  }

  func filter(_ stack: Stack) throws -> String {
    let context = stack.newContext()
    return try context.performAndWait {
      let request = Self.booksByTitle()
      request.predicate = NSPredicate(format: "year == 1991 AND title MATCHES 'Book [0-9]*9'")
      return "\(try context.fetch(request).count) books"
    }
  }

  func pages(_ stack: Stack) throws -> String {
    let context = stack.newContext()
    return try context.performAndWait {
      let request = Self.booksByTitle()
      request.fetchBatchSize = 20
      let books = try context.fetch(request)
      let titles = books.prefix(40).map(\.title)
      return "\(titles.count) titles of \(books.count)"
    }
  }

  func sections(_ stack: Stack) throws -> String {
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
