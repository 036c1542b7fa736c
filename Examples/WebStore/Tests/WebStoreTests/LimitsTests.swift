import CoreData
import Foundation
import Testing

@testable import WebClient
@testable import WebService
@testable import WebStore

/// What a service does not exceed, and what a store makes of it.
@Suite struct LimitsTests {
  @Test func aStoreAsksForAsMuchAsTheServiceGives() async throws {
    var limits = ServedStore.Limits()
    (limits.told.ids, limits.told.predicateParts, limits.told.predicateDepth) = (10, 30, 5)
    limits.told.bodySize = 20_000
    try await World.with(limits: limits) { world in
      let stack = try world.stack()
      #expect(try stack.place.limits.ids == 10 && stack.place.limits.bodySize == 20_000)
      let asked = try stack.asked { try stack.fill(25, books: 0) }
      #expect(asked == ["POST ids", "POST ids", "POST ids", "POST save"])
      try stack.inContext { (context) throws in
        let names = (0..<40).map { "Author \($0)" }
        func found(_ predicate: NSPredicate) throws -> Int {
          let request = NSFetchRequest<Author>(entityName: "Author")
          request.predicate = predicate
          return try context.fetch(request).count
        }
        stack.web?.resetTraffic()
        #expect(try found(NSPredicate(format: "name IN %@", Array(names.prefix(20)))) == 20)
        #expect(stack.web?.traffic.notes.isEmpty == true)
        // More values, or deeper, than the service takes: the condition is checked here.
        #expect(try found(NSPredicate(format: "name IN %@", names)) == 25)
        #expect(stack.web?.traffic.notes.count == 1)
        // Of conditions that must all hold, those that fit are left to it.
        let before = stack.web?.traffic.rows ?? 0
        #expect(try found(NSPredicate(format: "name IN %@ AND name == 'Author 3'", names)) == 1)
        #expect(stack.web?.traffic.notes.count == 2 && stack.web?.traffic.rows == before + 1)
        let deep = (0..<8).reduce(NSPredicate(format: "name == 'Author 1'")) { inner, _ in
          NSCompoundPredicate(notPredicateWithSubpredicate: inner)
        }
        #expect(try found(deep) == 1 && stack.web?.traffic.notes.count == 3)
        // A save that is too large is said before it is sent, and stays in the context.
        let author = try context.all(Author.self, "name == 'Author 2'")[0]
        author.city = String(repeating: "x", count: 30_000)
        let saving = stack.asked { #expect(failure { try context.save() } == "WebStoreErrorDomain 6") }
        #expect(saving.isEmpty && author.hasChanges)
        author.city = "short"
        try context.save()
      }
    }
  }
}

extension Stack {
  fileprivate var place: WebIncrementalStore.Place {
    get throws { try #require(try web?.place) }
  }
}
