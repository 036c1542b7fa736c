import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// The size of the write-ahead log beside readers that stand still, and after the end of a query generation.
@Suite struct LogSizeTests {
  private static let megabyte = 1 << 20

  private struct Fixture {
    let url: URL
    let coordinator: NSPersistentStoreCoordinator
    let store: SQLiteStore
    let writer: NSManagedObjectContext
    let book: NSManagedObject

    init() throws {
      url = try TestModel.temporaryFile()
      coordinator = try TestModel.coordinator(TestModel.library(), url: url)
      store = try #require(coordinator.sqlStores.first)
      writer = TestModel.context(coordinator)
      let writer = self.writer
      book = try writer.performAndWait { () throws in
        let book = writer.make("Book", ["title": "first"])
        try writer.save()
        return book
      }
    }

    var logBytes: Int {
      ((try? FileManager.default.attributesOfItem(atPath: url.path + "-wal"))?[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Saves one object so often, and gives the greatest size that the log had.
    func save(_ count: Int) throws -> Int {
      var greatest = 0
      try writer.performAndWait { () throws in
        for number in 0..<count {
          book.setValue("\(number)", forKey: "title")
          // Each page of it differs from the last one: SQLite writes no others.
          book.setValue(Data(repeating: UInt8(truncatingIfNeeded: number), count: LogSizeTests.bytes), forKey: "cover")
          try writer.save()
          if number % 10 == 0 { greatest = max(greatest, logBytes) }
        }
      }
      return max(greatest, logBytes)
    }
  }

  /// 20,000 saves with `SOAK`, else fewer of larger rows: a log that nobody shortens has 120 MB or more.
  private static let (saves, bytes) = Soak.factor > 1 ? (20_000, 6000) : (600, 200_000)

  /// A context in the middle of its block that has read something and does nothing more.
  @Test(arguments: [true, false]) func aReaderThatStandsStillInsideABlock(byTime: Bool) throws {
    let fixture = try Fixture()
    // Taken back because of the log's size alone, or because it is idle, too.
    if !byTime { fixture.store.readers.idleNanoseconds = .max }
    let reader = TestModel.context(fixture.coordinator)
    try reader.performAndWait { () throws in
      let book = try #require(try reader.all("Book").first)
      let greatest = try fixture.save(Self.saves)
      #expect(greatest < 90 * Self.megabyte, "\(greatest) bytes")
      // It goes on with the latest state.
      #expect(try reader.all("Book").first === book)
      reader.refreshAllObjects()
      #expect(book.text("title") == "\(Self.saves - 1)")
    }
  }

  /// A context that is used without a block, as one of the main queue may be.
  @Test func aReaderThatStandsStillOutsideOfABlock() throws {
    let fixture = try Fixture()
    fixture.store.readers.idleNanoseconds = .max
    let reader = TestModel.context(fixture.coordinator)
    #expect(try Performer(in: reader).entered { try reader.all("Book").count } == 1)
    #expect(fixture.store.readers.oldestCommit() != .max, "its transaction is open")
    let greatest = try fixture.save(Self.saves)
    #expect(greatest < 90 * Self.megabyte, "\(greatest) bytes")
  }

  /// A generation needs the log as it was, and holds it back; then it shrinks.
  @Test func aGenerationHoldsTheLogAndItsEndShrinksIt() throws {
    let fixture = try Fixture()
    let reader = TestModel.context(fixture.coordinator)
    try reader.performAndWait { () throws in
      try reader.setQueryGenerationFrom(.current)
      #expect(try reader.all("Book").count == 1)
    }
    let greatest = try fixture.save(Self.saves)
    #expect(greatest > 90 * Self.megabyte, "otherwise this shows nothing")
    try reader.performAndWait { () throws in
      reader.refreshAllObjects()
      #expect(try reader.all("Book").first?.text("title") == "first")
      try reader.setQueryGenerationFrom(nil)
    }
    #expect(Soak.wait { fixture.logBytes <= 4 * Self.megabyte }, "\(fixture.logBytes) bytes")
    let later = try fixture.save(Self.saves / 3)
    #expect(later < 33 * Self.megabyte, "\(later) bytes")
  }

  /// A pinned context that saves moves on with every save, and keeps the log no longer than that.
  @Test func aPinnedContextThatSavesHoldsNothingBack() throws {
    let fixture = try Fixture()
    // Else it may shorten the log when it happens to come between two generations.
    fixture.store.readers.whenIdle = nil
    try fixture.writer.performAndWait { () throws in
      try fixture.writer.setQueryGenerationFrom(.current)
      #expect(try fixture.writer.all("Book").count == 1)
    }
    let greatest = try fixture.save(Self.saves)
    #expect(greatest < 90 * Self.megabyte, "\(greatest) bytes")
    fixture.writer.performAndWait { #expect(fixture.writer.queryGenerationToken != nil) }
  }
}
