import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Policies in contexts that are pinned to a query generation: conflicts are resolved with the rows as they are now.
@Suite struct PinnedPolicyTests {
  enum Policy: CaseIterable, CustomTestStringConvertible {
    case storeTrump, objectTrump, overwrite, rollback

    var policy: NSMergePolicy {
      switch self {
      case .storeTrump: .mergeByPropertyStoreTrump
      case .objectTrump: .mergeByPropertyObjectTrump
      case .overwrite: .overwrite
      case .rollback: .rollback
      }
    }

    var testDescription: String { "\(self)" }
  }

  /// What the store has at the end: authors with ages and their books, and books with their tags.
  private func outcome(_ store: TestStore, _ policy: NSMergePolicy, isPinned: Bool, isRead: Bool) throws -> [String] {
    let coordinator = try store.coordinator(TestModel.library(), url: try store.place())
    let writer = TestModel.context(coordinator), context = TestModel.context(coordinator)
    try writer.performAndWait { () throws in
      for name in ["A", "B"] { _ = writer.make("Author", ["name": name, "age": 1]) }
      let authors = try writer.all("Author", sortedBy: "name")
      for number in 1...4 { _ = writer.make("Book", ["title": "\(number)", "pages": 1, "author": authors[0]]) }
      for name in ["x", "y"] { _ = writer.make("Tag", ["name": name]) }
      try writer.save()
    }
    context.mergePolicy = policy
    try context.performAndWait { () throws in
      if isPinned { try context.setQueryGenerationFrom(.current) }
      let authors = try context.all("Author", sortedBy: "name")
      let books = try context.all("Book", sortedBy: "title"), tags = try context.all("Tag", sortedBy: "name")
      if isRead {
        for object in authors + tags { #expect(object.text("name") != nil) }
        for book in books { #expect(book.one("author") != nil && book.many("tags").isEmpty) }
      }
      try writer.performAndWait { () throws in
        let authors = try writer.all("Author", sortedBy: "name")
        let books = try writer.all("Book", sortedBy: "title"), tags = try writer.all("Tag", sortedBy: "name")
        authors[0].setValue(2, forKey: "age")
        books[0].setValue(2, forKey: "pages")
        books[0].setValue(authors[1], forKey: "author")
        books[1].setValue(2, forKey: "pages")
        books[1].setValue(Set([tags[0]]), forKey: "tags")
        writer.delete(books[2])
        books[3].setValue("theirs", forKey: "title")
        try writer.save()
      }
      coordinator.emptyRowCache()
      authors[0].setValue("mine", forKey: "name")
      books[0].setValue(3, forKey: "pages")
      books[1].setValue("my second", forKey: "title")
      books[1].setValue(Set([tags[1]]), forKey: "tags")
      books[2].setValue(3, forKey: "pages")
      books[3].setValue(authors[1], forKey: "author")
      try context.save()
      #expect((context.queryGenerationToken != nil) == isPinned)
      #expect(!context.hasChanges)
    }
    let last = TestModel.context(coordinator)
    return try last.performAndWait { () throws in
      let authors = try last.all("Author").map { author in
        "\(author.text("name") ?? "") \(author.number("age") ?? 0) "
          + "\(author.many("books").compactMap { $0.text("title") }.sorted())"
      }
      let books = try last.all("Book").map { book in
        "\(book.text("title") ?? "") \(book.number("pages") ?? 0) \(book.one("author")?.text("name") ?? "") "
          + "\(book.many("tags").compactMap { $0.text("name") }.sorted())"
      }
      return (authors + books).sorted()
    }
  }

  @Test(arguments: Policy.allCases, TestStore.all(that: .generations))
  func theStoreIsAsAfterTheSaveOfAContextThatIsNotPinned(policy: Policy, _ store: TestStore) throws {
    let expected = try outcome(store, policy.policy, isPinned: false, isRead: true)
    for isRead in [true, false] {
      #expect(try outcome(store, policy.policy, isPinned: true, isRead: isRead) == expected, "read: \(isRead)")
    }
  }
}
