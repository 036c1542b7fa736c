import CoreData
import Foundation
import Testing

@testable import WebClient
@testable import WebService
@testable import WebStore

/// What a save brings to the service, and what a results controller tells of it.
@Suite struct SavingTests {
  @Test func valuesAndRelationshipsArrive() async throws {
    try await World.with { world in
      let stack = try world.stack()
      let isbn = UUID()
      try stack.inContext { (context) throws in
        let (author, book, tag) = (Author(context: context), Book(context: context), WebClient.Tag(context: context))
        (author.name, author.born, tag.name) = ("Ada", Date(timeIntervalSinceReferenceDate: 0.1 + 0.2), "old")
        (book.title, book.isbn, book.price, book.pages) = (
          "A \"B\"\n\u{1F4D6}", isbn, NSDecimalNumber(string: "12.34567890123456789"), .max
        )
        book.author = author
        book.addToTags(tag)
        try context.save()
        // An update sends what has changed, and a change of members says which.
        let other = WebClient.Tag(context: context)
        other.name = "new"
        book.addToTags(other)
        book.removeFromTags(tag)
        book.price = nil
        try context.save()
      }
      let book = try #require(try world.stored("Book").first)
      #expect(book["title"] as? String == "A \"B\"\n\u{1F4D6}" && book["isbn"] as? UUID == isbn && book["price"] == nil)
      #expect(book["pages"] as? Int64 == .max)
      try world.stack().inContext { (context) throws in
        let book = try context.all(Book.self)[0]
        #expect(book.author?.name == "Ada" && book.author?.born == Date(timeIntervalSinceReferenceDate: 0.1 + 0.2))
        #expect((book.tags as? Set<WebClient.Tag>)?.map(\.name) == ["new"])
        #expect(try context.all(WebClient.Tag.self, "books.@count == 0").map(\.name) == ["old"])
        context.delete(try context.all(Author.self)[0])
        try context.save()
      }
      #expect(try world.stored("Book").isEmpty && world.stored("Author").isEmpty && world.stored("Tag").count == 2)
    }
  }

  @Test func theServiceValidates() async throws {
    try await World.with { world in
      let stack = try world.stack()
      try stack.fill(1, books: 1)
      let copy = try #require(Model.books.copy() as? NSManagedObjectModel)
      for property in copy.entitiesByName["Book"]?.properties ?? [] where property.name == "pages" {
        property.setValidationPredicates([], withValidationWarnings: [])
      }
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: copy)
      try coordinator.addPersistentStore(
        ofType: WebIncrementalStore.type, configurationName: nil, at: world.relay.url)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      try context.performAndWait { () throws in
        let book = try context.all(Book.self)[0]
        book.pages = -1
        do {
          try context.save()
          Issue.record("The service took a number of pages below 0.")
        } catch let error as NSError {
          #expect(error.domain == NSCocoaErrorDomain && error.code == NSValidationNumberTooSmallError)
          #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "pages")
          #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === book)
        }
        book.pages = 3
        try context.save()
      }
      #expect(try world.stored("Book").first?["pages"] as? Int64 == 3)
    }
  }

  /// A controller tells the same of a service's objects as of a file's.
  @Test func aResultsControllerIsThatOfAFile() async throws {
    try await World.with { world in
      let file = world.file.deletingLastPathComponent().appending(path: "Own.sqlite")
      var lists: [[String]] = []
      for stack in [try Stack(file), try world.stack()] {
        try stack.fill(4)
        let context = stack.newContext()
        lists.append(
          try context.performAndWait { () throws in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.sortDescriptors = [
              NSSortDescriptor(key: "year", ascending: false), NSSortDescriptor(key: "title", ascending: true),
            ]
            let controller = NSFetchedResultsController(
              fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "year", cacheName: nil)
            let told = Told()
            controller.delegate = told
            try controller.performFetch()
            context.automaticallyMergesChangesFromParent = true
            let books = controller.fetchedObjects ?? []
            books[0].title = "Zebra"
            books[5].year = 1999
            context.delete(books[3])
            let added = Book(context: context)
            (added.title, added.year) = ("Added", 2001)
            try context.save()
            let names = (controller.sections ?? []).map { section in
              "\(section.name): \((section.objects as? [Book] ?? []).map(\.title))"
            }
            return told.lines.sorted() + names
          })
      }
      #expect(lists[0] == lists[1] && lists[0].count > 6, "\(lists)")
    }
  }

  private final class Told: NSObject, NSFetchedResultsControllerDelegate {
    var lines: [String] = []

    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
      at indexPath: IndexPath?,
      for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
      let places = [indexPath, newIndexPath].map { $0.map { "\($0.section).\($0.item)" } ?? "-" }.joined(separator: " ")
      lines.append("\((anObject as? Book)?.title ?? "") \(type.rawValue) \(places)")
    }
  }
}
