import CoreData
import Testing

/// The two ends of a relationship, read at different times: what is related here is related on both ends.
@Suite struct OutdatedMemberTests {
  let coordinator: NSPersistentStoreCoordinator

  init() throws {
    coordinator = try TestModel.coordinator(TestModel.library(), url: try TestModel.temporaryFile())
  }

  /// An author whose books were read before `change` was made elsewhere, and the book, read after it.
  private func readApart(
    hasAuthor: Bool, isDeleted: Bool = false,
    _ body: (NSManagedObjectContext, _ author: NSManagedObject, _ book: NSManagedObject) throws -> Void
  ) throws {
    try coordinator.inContext { context throws in
      let author = context.make("Author", ["name": "A"]), book = context.make("Book", ["title": "B"])
      if hasAuthor { book.setValue(author, forKey: "author") }
      try context.save()
    }
    let context = TestModel.context(coordinator)
    // Reading the author's books has read the author, who is in another version meanwhile.
    if !isDeleted { context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump }
    try context.performAndWait {
      let author = try context.all("Author")[0], book = try context.all("Book")[0]
      #expect((author.value(forKey: "books") as? NSSet)?.count == (hasAuthor ? 1 : 0))
      try coordinator.inContext { other throws in
        let owner = hasAuthor ? nil : try other.all("Author")[0]
        try other.all("Book")[0].setValue(owner, forKey: "author")
        try other.save()
      }
      context.refresh(book, mergeChanges: true)
      #expect((book.value(forKey: "author") != nil) == !hasAuthor)
      try body(context, author, book)
      try context.save()
    }
  }

  private func storedAuthor() throws -> String? {
    var name: String?
    try coordinator.inContext { context throws in
      name = try context.all("Book")[0].value(forKeyPath: "author.name") as? String
    }
    return name
  }

  @Test func aMemberThatOthersHaveTakenOutComesBack() throws {
    try readApart(hasAuthor: true) { _, author, book in
      author.mutableSetValue(forKey: "books").add(book)
      #expect(book.value(forKey: "author") as? NSManagedObject === author)
      #expect((author.value(forKey: "books") as? NSSet)?.contains(book) == true)
    }
    #expect(try storedAuthor() == "A")
  }

  @Test func aMemberThatOthersHavePutInGoes() throws {
    try readApart(hasAuthor: false) { _, author, book in
      author.mutableSetValue(forKey: "books").remove(book)
      #expect(book.value(forKey: "author") == nil)
      #expect((author.value(forKey: "books") as? NSSet)?.count == 0)
    }
    #expect(try storedAuthor() == nil)
  }

  /// Whoever comes to refer to an object is told that it is not there any more, whichever end was set.
  @Test(arguments: [false, true]) func anOwnerThatOthersHaveDeletedIsAConflict(isByMember: Bool) throws {
    let error = #expect(throws: NSError.self) {
      try readApart(hasAuthor: true, isDeleted: true) { context, author, book in
        try coordinator.inContext { other throws in
          other.delete(try other.all("Author")[0])
          try other.save()
        }
        if isByMember {
          author.mutableSetValue(forKey: "books").add(book)
        } else {
          book.setValue(author, forKey: "author")
        }
        try context.save()
      }
    }
    #expect(error?.code == NSManagedObjectMergeError)
    #expect(try storedAuthor() == nil)
  }
}
