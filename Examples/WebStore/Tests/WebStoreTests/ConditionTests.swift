import CoreData
import Foundation
import Testing

@testable import WebClient
@testable import WebService
@testable import WebStore

/// Conditions, orders and limits: the service's as far as it understands them.
@Suite struct ConditionTests {
  @Test func conditionsAreTheServicesAsFarAsTheyCanBeSaid() async throws {
    try await World.with { world in
      let stack = try world.stack()
      try stack.fill(6)
      let author = try stack.inContext { try $0.all(Author.self, "name == 'Author 3'")[0].objectID }
      func found(_ format: String, _ arguments: [Any] = []) throws -> (count: Int, rows: Int, notes: Int) {
        let stack = try world.stack()
        return try stack.inContext { (context) throws in
          let request = NSFetchRequest<Book>(entityName: "Book")
          request.predicate = NSPredicate(
            format: format,
            argumentArray: arguments.map { argument in
              (argument as? NSManagedObjectID).flatMap { id in
                stack.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()).map {
                  context.object(with: $0)
                }
              } ?? argument
            })
          stack.web?.resetTraffic()
          let books = try context.fetch(request)
          _ = books.map(\.title)
          return (books.count, stack.web?.traffic.rows ?? 0, stack.web?.traffic.notes.count ?? 0)
        }
      }
      for (format, arguments, count) in [
        ("year == 2001", [], 6), ("year IN %@ AND NOT title BEGINSWITH[cd] 'BÖOK 0'", [[2000, 2002]], 5),
        ("author.city == nil OR author.name ENDSWITH '2'", [], 8), ("author == %@", [author], 2),
        ("title LIKE[c] 'book ?.1' AND year BETWEEN {2000, 2001}", [], 6), ("title CONTAINS '3.'", [], 2),
        ("author.books.@count == 2", [], 12), ("isbn == nil AND price == nil", [], 12), ("FALSEPREDICATE", [], 0),
      ] as [(String, [Any], Int)] {
        let found = try found(format, arguments)
        #expect(found.count == count && found.rows == count && found.notes == 0, "\(format): \(found)")
      }
      // One of two conditions can be said.
      let partly = try found("year == 2001 AND title MATCHES 'Book [0-2].*'")
      #expect(partly.count == 3 && partly.rows == 6 && partly.notes == 1)
      let book = try stack.inContext { (context) throws in
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.predicate = NSPredicate(block: { object, _ in (object as? Book)?.title == "Book 4.1" })
        return try context.fetch(request).map(\.title)
      }
      #expect(book == ["Book 4.1"])
    }
  }

  @Test func ordersLimitsAndCountsAreTheServices() async throws {
    try await World.with { world in
      let stack = try world.stack()
      try stack.fill(20, books: 1)
      try stack.inContext { (context) throws in
        let request = NSFetchRequest<Author>(entityName: "Author")
        request.sortDescriptors = [
          NSSortDescriptor(key: "name", ascending: false, selector: Selector("localizedStandardCompare:"))
        ]
        (request.fetchLimit, request.fetchOffset) = (3, 1)
        stack.web?.resetTraffic()
        #expect(try context.fetch(request).map(\.name) == ["Author 18", "Author 17", "Author 16"])
        #expect(stack.web?.traffic.rows == 3 && stack.web?.traffic.requests == 1)
        #expect(try context.count(for: request) == 3)
        #expect(stack.web?.traffic.rows == 3 && stack.web?.traffic.requests == 2)
        // An order without a name: everything comes, and is put in order here.
        request.sortDescriptors = [
          NSSortDescriptor(key: "name", ascending: true) { first, second in
            ("\(second)".count, "\(second)") < ("\(first)".count, "\(first)") ? .orderedAscending : .orderedDescending
          }
        ]
        #expect(try context.fetch(request).map(\.name) == ["Author 18", "Author 17", "Author 16"])
        #expect(stack.web?.traffic.notes == ["sorted here: its order has no name"])
        request.predicate = NSPredicate(format: "name MATCHES '.* 1.'")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        #expect(try context.fetch(request).map(\.name) == ["Author 11", "Author 12", "Author 13"])
        #expect(try context.count(for: request) == 3)
      }
    }
  }
}
