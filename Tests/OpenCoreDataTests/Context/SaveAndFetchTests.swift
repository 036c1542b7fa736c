import CoreData
import Testing

@Suite struct SaveAndFetchTests {
  @Test(arguments: TestStore.all) func everyAttributeTypeComesBack(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library())
    let date = Date(timeIntervalSinceReferenceDate: 12345.5), id = UUID(), link = URL(string: "https://example.org/a")!
    let writer = TestModel.context(coordinator)
    try writer.performAndWait {
      let book = writer.make(
        "Book",
        [
          "title": "Älter", "pages": 321, "price": Decimal(string: "12.34")!, "published": date, "isbn": id,
          "cover": Data(repeating: 7, count: 10_000), "weight": 0.25, "inPrint": true, "link": link,
        ])
      #expect(book.objectID.isTemporaryID)
      try writer.save()
      #expect(!book.objectID.isTemporaryID && !book.hasChanges)
    }
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let book = try #require(try context.all("Book").first)
      #expect(book.isFault)
      #expect(book.value(forKey: "title") as? String == "Älter")
      #expect(!book.isFault)
      #expect(book.value(forKey: "pages") as? NSNumber == 321)
      #expect(book.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: "12.34"))
      #expect(book.value(forKey: "published") as? Date == date)
      #expect(book.value(forKey: "isbn") as? UUID == id)
      #expect(book.value(forKey: "cover") as? Data == Data(repeating: 7, count: 10_000))
      #expect(book.value(forKey: "weight") as? Double == 0.25)
      #expect(book.value(forKey: "inPrint") as? Bool == true)
      #expect(book.value(forKey: "link") as? URL == link)
      #expect(book.value(forKey: "author") == nil)
      #expect((book.value(forKey: "tags") as? NSSet)?.count == 0)
    }
  }

  @Test(arguments: TestStore.all) func bothEndsOfARelationshipAreKeptInStepAndStored(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library())
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let author = context.make("Author", ["name": "Ann"])
      let books = (0..<3).map { context.make("Book", ["title": "B\($0)"]) }
      let novel = context.make("Novel", ["title": "N", "genre": "crime"])
      author.setValue(NSSet(array: books), forKey: "books")
      novel.setValue(author, forKey: "author")
      let tag = context.make("Tag", ["name": "t"])
      tag.mutableSetValue(forKey: "books").add(novel)
      #expect((author.value(forKey: "books") as? NSSet)?.count == 4)
      #expect(books[1].value(forKey: "author") as? NSManagedObject === author)
      #expect((novel.value(forKey: "tags") as? NSSet)?.contains(tag) == true)
      try context.save()
    }
    let other = TestModel.context(coordinator)
    try other.performAndWait {
      let author = try #require(try other.all("Author").first)
      let books = try #require(author.value(forKey: "books") as? NSSet)
      #expect(
        Set(books.compactMap { ($0 as? NSManagedObject)?.value(forKey: "title") as? String }) == [
          "B0", "B1", "B2", "N",
        ])
      #expect(Set(books.compactMap { ($0 as? NSManagedObject)?.entity.name }) == ["Book", "Novel"])
      let tag = try #require(try other.all("Tag").first)
      let novel = try #require((tag.value(forKey: "books") as? NSSet)?.anyObject() as? NSManagedObject)
      #expect(novel.value(forKey: "genre") as? String == "crime")
      #expect(novel.value(forKey: "author") as? NSManagedObject === author)
      novel.setValue(nil, forKey: "author")
      #expect((author.value(forKey: "books") as? NSSet)?.count == 3)
      other.delete(author)
      try other.save()
      #expect(try other.all("Book").map { $0.value(forKey: "title") as? String } == ["N"])
      #expect(try other.all("Author").isEmpty)
      #expect(author.managedObjectContext == nil)
    }
  }
}
