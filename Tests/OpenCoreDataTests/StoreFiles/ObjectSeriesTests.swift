import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Many new objects written in one transaction, batch by batch.
@Suite struct ObjectSeriesTests {
  private let coordinator: NSPersistentStoreCoordinator
  private let store: NSPersistentStore
  private let url: URL
  private let model: NSManagedObjectModel

  init() throws {
    model = TestModel.library()
    url = try TestModel.temporaryFile()
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
  }

  private func place(_ name: String, _ number: Int) throws -> ObjectSeries.Place {
    ObjectSeries.Place(try #require(model.entitiesByName[name]), number)
  }

  private func slot(_ object: NSManagedObject, _ name: String) throws -> PropertySlot {
    try #require(object.entity.layout.slot(named: name))
  }

  /// Books of ten authors, with a tag of two each. Books come first: they refer to authors that come later.
  private func write(
    _ books: Int, batchSize: Int = 100, leastForIndexes: Int = 10_000,
    finally: (ObjectSeries) throws -> Void = { _ in }
  ) throws {
    try ObjectSeries.write(
      to: store, coordinator, ["Book": books, "Author": 10, "Tag": 2], batchSize: batchSize,
      leastForIndexes: leastForIndexes
    ) { series in
      for number in 0..<books {
        let book = series.insert(try place(number % 2 == 0 ? "Book" : "Novel", number))
        book.setValue("Book \(number)", forKey: "title")
        series.relate(book, try slot(book, "author"), to: [try place("Author", number % 10)])
        series.relate(book, try slot(book, "tags"), to: [try place("Tag", number % 2)])
        try series.finish(book)
      }
      for number in 0..<10 {
        let author = series.insert(try place("Author", number))
        author.setValue("Author \(number)", forKey: "name")
        series.relate(author, try slot(author, "books"), to: [])
        try series.finish(author)
      }
      for number in 0..<2 {
        let tag = series.insert(try place("Tag", number))
        tag.setValue("Tag \(number)", forKey: "name")
        let books = try stride(from: number, to: books, by: 2).map {
          try place($0 % 2 == 0 ? "Book" : "Novel", $0)
        }
        series.relate(tag, try slot(tag, "books"), to: books)
        try series.finish(tag)
      }
      try finally(series)
    }
  }

  private func count(_ entity: String) throws -> Int {
    let context = TestModel.context(coordinator)
    return try context.performAndWait { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity)) }
  }

  @Test func objectsAreWrittenInBatchesOfOneTransaction() throws {
    let reader = TestModel.context(coordinator)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    #expect(try reader.performAndWait { try reader.count(for: request) } == 0)
    var batches = 0, most = 0
    try write(2000) { series in (batches, most) = (series.batches, series.mostObjects) }
    // Each new object, and the tags to which all of them lead. Authors are known by their keys alone.
    #expect(batches == 20 && most == 102)
    // A context that has read before sees them.
    #expect(try reader.performAndWait { try reader.count(for: request) } == 2000)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let authors = try context.all("Author", sortedBy: "name")
      #expect(authors.count == 10)
      for (number, author) in authors.enumerated() {
        let books = author.value(forKey: "books") as? Set<NSManagedObject> ?? []
        #expect(books.count == 200)
        #expect(books.allSatisfy { ($0.text("title") ?? "").hasSuffix("\(number)") })
      }
      let tags = try context.all("Tag", sortedBy: "name")
      #expect(tags.map { ($0.value(forKey: "books") as? NSSet)?.count } == [1000, 1000])
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Novel")) == 1000)
      let history = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      let result = try context.execute(history) as? NSPersistentHistoryResult
      let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
      #expect(transactions.map { $0.changes?.count } == [2012])
    }
    #expect(try StoreCheck.errors(url) == [])
    // The keys go on.
    try context.performAndWait {
      let tag = context.make("Tag", ["name": "later"])
      try context.save()
      #expect(tag.objectID.uriRepresentation().lastPathComponent == "p3")
    }
  }

  @Test func whatFailsLeavesNothing() throws {
    struct Stopped: Error {}
    #expect(throws: Stopped.self) { try write(300) { _ in throw Stopped() } }
    #expect(try ["Book", "Author", "Tag"].map(count) == [0, 0, 0])
    // A mandatory value that is missing, in a later batch.
    let error = try #require(throws: NSError.self) {
      try ObjectSeries.write(to: store, coordinator, ["Book": 200], batchSize: 100) { series in
        for number in 0..<200 {
          let book = series.insert(try place("Book", number))
          if number == 150 { book.setValue(nil, forKey: "title") }
          try series.finish(book)
        }
      }
    }
    #expect(error.code == NSValidationMissingMandatoryPropertyError)
    #expect(try count("Book") == 0)
    try write(10)
    #expect(try count("Book") == 10)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let keys = try context.all("Book", sortedBy: "title").map { $0.objectID.uriRepresentation().lastPathComponent }
      #expect(Set(keys) == Set((1...10).map { "p\($0)" }))
    }
    #expect(try StoreCheck.errors(url) == [])
  }

  /// The statements that make the file's indexes, and the number of changes of its schema.
  private func indexes() throws -> (statements: [String], changes: Int64) {
    let connection = try SQLiteConnection(path: url.path, readOnly: true, create: false, timeout: 5, pragmas: [])
    let rows = try connection.rows(
      "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY sql")
    return (rows.compactMap { $0[0] }, try connection.integer("PRAGMA schema_version") ?? 0)
  }

  @Test func emptyTablesGetTheirIndexesAfterTheirRows() throws {
    let reader = TestModel.context(coordinator)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    #expect(try reader.performAndWait { try reader.count(for: request) } == 0)
    let before = try indexes()
    #expect(before.statements.contains { $0.contains("ZBOOK_ZAUTHOR_INDEX") })
    try write(300, leastForIndexes: 300)
    let after = try indexes()
    #expect(after.statements == before.statements && after.changes > before.changes)
    #expect(try StoreCheck.errors(url) == [])
    // A statement that was prepared before.
    #expect(try reader.performAndWait { try reader.count(for: request) } == 300)
    // Tables with rows keep them, and so do short series.
    try write(300, leastForIndexes: 300)
    #expect(try indexes() == after)
    #expect(try count("Book") == 600)
    #expect(try StoreCheck.errors(url) == [])
  }

  @Test func aFailureBringsTheIndexesBack() throws {
    struct Stopped: Error {}
    let before = try indexes()
    #expect(throws: Stopped.self) { try write(300, leastForIndexes: 0) { _ in throw Stopped() } }
    #expect(try indexes() == before)
    // A unique index finds its violations when it is made.
    let other = TestModel.library()
    try #require(other.entitiesByName["Tag"]).uniquenessConstraints = [["name"]]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: other)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: TestModel.temporaryFile())
    let tag = try #require(other.entitiesByName["Tag"])
    let error = try #require(throws: NSError.self) {
      try ObjectSeries.write(to: store, coordinator, ["Tag": 3], batchSize: 1, leastForIndexes: 0) { series in
        for number in 0..<3 {
          let object = series.insert(ObjectSeries.Place(tag, number))
          object.setValue("tag \(number % 2)", forKey: "name")
          try series.finish(object)
        }
      }
    }
    #expect(error.code == NSManagedObjectConstraintMergeError)
    let tags = try coordinator.inContext { try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")) }
    #expect(tags == 0)
  }

  @Test func valuesAreSetWithoutBoxes() throws {
    let id = UUID(), decimal = try #require(Decimal(string: "12.75"))
    try ObjectSeries.write(to: store, coordinator, ["Book": 2]) { series in
      for number in 0..<2 {
        let book = series.insert(try place("Book", number))
        func set(_ value: StoredValue, _ name: String) throws { series.set(value, try slot(book, name), of: book) }
        try set(.string("title \(number)"), "title")
        try set(.int(300), "pages")
        try set(.decimal(decimal), "price")
        try set(.double(12.5), "published")
        try set(.uuid(id), "isbn")
        try set(.data(Data([1, 2])), "cover")
        try set(number == 0 ? .double(1.5) : .null, "weight")
        try set(.int(1), "inPrint")
        try set(.string("https://example.org/a"), "link")
        try series.finish(book)
      }
    }
    try coordinator.inContext { context in
      let books = try context.all("Book", sortedBy: "title")
      #expect(books.map { $0.value(forKey: "weight") as? Double } == [1.5, nil])
      for book in books {
        #expect(book.value(forKey: "pages") as? Int == 300 && book.value(forKey: "inPrint") as? Bool == true)
        #expect(book.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(decimal: decimal))
        #expect(book.value(forKey: "published") as? Date == Date(timeIntervalSinceReferenceDate: 12.5))
        #expect(book.value(forKey: "isbn") as? UUID == id && book.value(forKey: "cover") as? Data == Data([1, 2]))
        #expect(book.value(forKey: "link") as? URL == URL(string: "https://example.org/a"))
      }
    }
    #expect(try StoreCheck.errors(url) == [])
  }

  @Test func onlyStoresThatCanTakeThem() throws {
    #expect(ObjectSeries.isPossible(in: store, model.entities))
    let loose = NSRelationshipDescription()
    (loose.name, loose.destinationEntity) = ("others", model.entitiesByName["Tag"])
    let entity = TestModel.entity("Loose", [loose])
    #expect(!ObjectSeries.isPossible(in: store, [entity]))
    let memory = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    let other = try memory.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    #expect(!ObjectSeries.isPossible(in: other, model.entities))
  }
}
