import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Write-ahead logs and indexes that do not belong to the file beside which they are, or are damaged.
@Suite struct WrongLogTests {
  /// The files of a store as a process leaves them that dies with `count` authors in the file and as many in the log.
  private func store(_ count: Int, _ prefix: String) throws -> URL {
    let url = try TestModel.temporaryFile(), copy = try TestModel.temporaryFile()
    for place in ["file", "log"] {
      let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
      try coordinator.inContext { context in
        for number in 0..<count { _ = context.make("Author", ["name": "\(prefix) \(place) \(number)"]) }
        try context.save()
      }
      if place == "log" {
        for suffix in ["", "-wal"] {
          try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
        }
      }
      try coordinator.remove(try #require(coordinator.persistentStores.first))
    }
    return copy
  }

  private func names(_ url: URL) throws -> [String] {
    let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
    defer { for store in coordinator.persistentStores { try? coordinator.remove(store) } }
    return try coordinator.inContext { try $0.names("Author") }
  }

  @Test func theLogIsReadWhereItBelongs() throws {
    #expect(try names(store(20, "a")).count == 40)
  }

  /// SQLite takes a log that is not one for an empty one, and what was in the file is there.
  @Test func garbageInPlaceOfTheLog() throws {
    for bytes in [Data([1]), Data(repeating: 0xEE, count: 40_000), Data(count: 40_000)] {
      let url = try store(20, "a")
      try bytes.write(to: URL(fileURLWithPath: url.path + "-wal"))
      #expect(try names(url) == (0..<20).map { "a file \($0)" }.sorted())
      #expect(try PlainDatabase(url).integrity() == ["ok"])
    }
  }

  /// Saves that are whole in what is left of the log are there.
  @Test func logThatWasCutShort() throws {
    for part in [0, 20, 1000, 5000, 10_000] {
      let url = try store(20, "a")
      let log = URL(fileURLWithPath: url.path + "-wal")
      try Data(contentsOf: log).prefix(part).write(to: log)
      let names = try names(url)
      #expect(names.count == 20 || names.count == 40)
      #expect(try PlainDatabase(url).integrity() == ["ok"])
    }
  }

  /// A log does not say which database it is of: what can be told is that the program goes on.
  @Test func logOfAnotherStore() throws {
    let url = try store(20, "a"), other = try store(300, "b")
    let log = URL(fileURLWithPath: url.path + "-wal")
    try Data(contentsOf: URL(fileURLWithPath: other.path + "-wal")).write(to: log)
    do {
      #expect(try names(url).allSatisfy { $0.hasPrefix("a ") || $0.hasPrefix("b ") })
    } catch {
      #expect((error as NSError).code == CocoaError.Code.fileReadCorruptFile.rawValue, "\(error)")
      #expect((error as NSError).userInfo[NSFilePathErrorKey] as? String == url.path)
    }
  }

  @Test func garbageInPlaceOfTheIndex() throws {
    for bytes in [Data(), Data([1]), Data(repeating: 0xEE, count: 32_768), Data(repeating: 0xEE, count: 100_000)] {
      let url = try store(20, "a")
      try bytes.write(to: URL(fileURLWithPath: url.path + "-shm"))
      #expect(try names(url).count == 40)
    }
  }

  @Test(arguments: ["-wal", "-shm", "-journal"]) func folderInPlaceOfAFile(suffix: String) throws {
    let url = try store(20, "a")
    if suffix == "-wal" { try FileManager.default.removeItem(atPath: url.path + suffix) }
    try FileManager.default.createDirectory(atPath: url.path + suffix, withIntermediateDirectories: false)
    do {
      // An index is not needed by a process that has the file for itself.
      #expect(try names(url).count == (suffix == "-wal" ? 20 : 40))
    } catch {
      let error = error as NSError
      #expect(error.domain == NSCocoaErrorDomain && error.userInfo[NSFilePathErrorKey] as? String == url.path)
      #expect([CocoaError.Code.fileReadUnknown.rawValue, NSSQLiteError].contains(error.code), "\(error)")
    }
    try FileManager.default.removeItem(atPath: url.path + suffix)
    #expect(try names(url).count == (suffix == "-wal" ? 20 : 40))
  }

  // MARK: Damaged pages

  /// A fetch that a damaged index serves fails, one that does not need it goes on, and so does the context.
  @Test func damagedIndexPage() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
    try coordinator.inContext { context in
      for number in 0..<20 {
        let author = context.make("Author", ["name": "A\(number)"])
        for book in 0..<100 { _ = context.make("Book", ["title": "\(number) \(book)", "author": author]) }
      }
      try context.save()
    }
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    let page = try #require(
      PlainDatabase(url).rows("SELECT rootpage FROM sqlite_master WHERE name = 'ZBOOK_ZAUTHOR_INDEX'").first?[0].integer
    )
    let file = try FileHandle(forUpdating: url)
    try file.seek(toOffset: UInt64(page - 1) * 4096)
    try file.write(contentsOf: Data(repeating: 0xEE, count: 4096))
    try file.close()
    let again = try TestModel.coordinator(TestModel.library(), url: url)
    try again.inContext { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
      // A fetch of all authors would read all books, without the index.
      request.predicate = NSPredicate(format: "name != nil")
      request.relationshipKeyPathsForPrefetching = ["books"]
      let book = NSFetchRequest<NSManagedObject>(entityName: "Book")
      book.predicate = NSPredicate(format: "author == %@", try context.named("A1", "Author"))
      for body in [{ _ = try context.fetch(request) }, { _ = try context.fetch(book) }] {
        let error = #expect(throws: NSError.self) { try body() }
        #expect(error?.code == CocoaError.Code.fileReadCorruptFile.rawValue)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == url.path)
      }
      // A save that must change the index fails whole; one that need not succeeds.
      let author = try #require(context.all("Author").first)
      let new = context.make("Book", ["title": "new", "author": author])
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == CocoaError.Code.fileReadCorruptFile.rawValue)
      #expect(new.isInserted && new.one("author") === author)
      context.delete(new)
      context.refresh(author, mergeChanges: false)
      author.setValue("changed", forKey: "name")
      try context.save()
      #expect(try context.names("Author").contains("changed"))
      #expect(try context.all("Book").count == 2000)
    }
  }
}
