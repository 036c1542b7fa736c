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

  /// Books of ten authors, with a tag of two each. Books come first: they refer to authors that come later.
  private func write(
    _ books: Int, batchSize: Int = 100, finally: (ObjectSeries) throws -> Void = { _ in }
  ) throws {
    try ObjectSeries.write(
      to: store, coordinator, ["Book": books, "Author": 10, "Tag": 2], batchSize: batchSize
    ) { series in
      for number in 0..<books {
        let book = series.insert(try place(number % 2 == 0 ? "Book" : "Novel", number))
        book.setValue("Book \(number)", forKey: "title")
        series.relate(book, "author", to: [try place("Author", number % 10)])
        series.relate(book, "tags", to: [try place("Tag", number % 2)])
        try series.finish(book)
      }
      for number in 0..<10 {
        let author = series.insert(try place("Author", number))
        author.setValue("Author \(number)", forKey: "name")
        series.relate(author, "books", to: [])
        try series.finish(author)
      }
      for number in 0..<2 {
        let tag = series.insert(try place("Tag", number))
        tag.setValue("Tag \(number)", forKey: "name")
        let books = try stride(from: number, to: books, by: 2).map {
          try place($0 % 2 == 0 ? "Book" : "Novel", $0)
        }
        series.relate(tag, "books", to: books)
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
    // Each new object, and the authors and tags to which all of them lead.
    #expect(batches == 20 && most == 112)
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
