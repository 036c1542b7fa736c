import CoreData
import Foundation
import Testing

@testable import WebClient
@testable import WebService
@testable import WebStore

/// Saves of two clients, whose objects have versions.
@Suite struct ConflictTests {
  /// Two clients have read the same; the policy of the second to save decides, as for a file.
  @Test(arguments: [false, true]) func aConflictIsThatOfAFile(isFile: Bool) async throws {
    try await World.with { world in
      let file = world.file.deletingLastPathComponent().appending(path: "Own.sqlite")
      let open = { isFile ? try Stack(file) : try world.stack() }
      try open().fill(1, books: 1)
      for (policy, title, pages) in [
        (NSMergePolicy.mergeByPropertyObjectTrump, "mine", 7), (.mergeByPropertyStoreTrump, "theirs", 7),
        (.overwrite, "mine", 0),
        (.rollback, "theirs", 7),
      ] as [(NSMergePolicy, String, Int64)] {
        let (mine, theirs) = (try open(), try open())
        let context = mine.newContext()
        try context.performAndWait { () throws in
          let book = try context.all(Book.self)[0]
          (book.title, book.pages) = ("before", 0)
          try context.save()
          try theirs.inContext { (context) throws in
            let book = try context.all(Book.self)[0]
            (book.title, book.pages) = ("theirs", 7)
            try context.save()
          }
          book.title = "mine"
          context.mergePolicy = NSMergePolicy.error
          do {
            try context.save()
            Issue.record("The save had no conflict.")
          } catch let error as CocoaError {
            #expect(error.code.rawValue == NSManagedObjectMergeError)
            let conflict = try #require(error.persistentStoreSaveConflicts?.first)
            #expect(conflict.sourceObject === book && error.persistentStoreSaveConflicts?.count == 1)
            #expect(conflict.newVersionNumber > conflict.oldVersionNumber)
            #expect(conflict.objectSnapshot?["title"] as? String == "before")
            #expect(
              conflict.persistedSnapshot?["title"] as? String == "theirs"
                && conflict.persistedSnapshot?["pages"] as? Int64 == 7)
          }
          #expect(book.title == "mine" && book.hasChanges)
          context.mergePolicy = policy
          try context.save()
          #expect(book.title == title && book.pages == pages, "\(policy)")
        }
        try open().inContext { (context) throws in
          let book = try context.all(Book.self)[0]
          #expect(book.title == title && book.pages == pages && book.author?.name == "Author 0", "\(policy)")
        }
      }
    }
  }

  @Test(arguments: [false, true]) func whatOthersHaveDeletedIsAConflict(isFile: Bool) async throws {
    try await World.with { world in
      let file = world.file.deletingLastPathComponent().appending(path: "Own.sqlite")
      let open = { isFile ? try Stack(file) : try world.stack() }
      let (mine, theirs) = (try open(), try open())
      try mine.fill(2, books: 0)
      try mine.inContext { (context) throws in
        let authors = try context.all(Author.self, by: ["name"])
        #expect(authors.map(\.name) == ["Author 0", "Author 1"])
        try theirs.inContext { (context) throws in
          for author in try context.all(Author.self) { context.delete(author) }
          try context.save()
        }
        // Deleted on both sides is none.
        context.delete(authors[1])
        try context.save()
        authors[0].name = "Ada"
        #expect(failure { try context.save() } == "NSCocoaErrorDomain \(NSManagedObjectMergeError)")
        context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try context.save()
        #expect(!context.hasChanges)
      }
      try open().inContext { (context) throws in #expect(try context.all(Author.self).isEmpty) }
    }
  }

  @Test func contextsOfOneStoreKnowTheSameVersions() async throws {
    try await World.with { world in
      let stack = try world.stack()
      try stack.fill(1, books: 0)
      let (first, second) = (stack.newContext(), stack.newContext())
      try first.performAndWait { () throws in
        let author = try first.all(Author.self)[0]
        #expect(author.name == "Author 0")
        try second.performAndWait { () throws in
          try second.all(Author.self)[0].name = "Grace"
          try second.save()
        }
        author.city = "Rome"
        #expect(failure { try first.save() } == "NSCocoaErrorDomain \(NSManagedObjectMergeError)")
        first.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try first.save()
        for name in ["a", "b", "c"] {
          author.name = name
          try first.save()
        }
      }
      #expect(try world.stored("Author").first?["city"] as? String == "Rome")
      #expect(try world.stored("Author").first?["name"] as? String == "c")
    }
  }
}
