import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// One store put in the place of another: closed, open, being read, and places that are none.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct ReplaceTests {
  private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())

  private func replace(_ destination: URL, with source: URL, _ options: [AnyHashable: Any]? = nil) throws {
    try coordinator.replacePersistentStore(
      at: destination, destinationOptions: options, withPersistentStoreFrom: source, type: .sqlite)
  }

  @Test func whereNothingIs() throws {
    let source = try FileStore.make(["A"]), destination = try TestModel.temporaryFile("New.sqlite")
    let before = try FolderContents(source.deletingLastPathComponent())
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: destination.path + "-wal"))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: source.path)
    try replace(destination, with: source)
    #expect(try FileStore.files(beside: destination) == ["New.sqlite"])
    #expect(try FolderContents(source.deletingLastPathComponent()) == before)
    let mode = try FileManager.default.attributesOfItem(atPath: destination.path)[.posixPermissions] as? NSNumber
    #expect(mode == 0o600)
    #expect(try FileStore.names(at: destination) == ["A"])
    let metadata = try [source, destination].map {
      NSDictionary(dictionary: try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: $0))
    }
    #expect(metadata[0] == metadata[1])
  }

  @Test func whatIsInTheLogIsTakenAlong() throws {
    let url = try FileStore.make(["A"])
    let open = try FileStore.open(url)
    try FileStore.add(["in the log"], to: open)
    let crashed = try FileStore.crashedCopy(of: url)
    let first = try TestModel.temporaryFile(), second = try FileStore.make(["old", "older"])
    try replace(first, with: crashed)
    try replace(second, with: url)
    #expect(try FileStore.names(at: first) == ["A", "in the log"])
    #expect(try FileStore.names(at: second) == ["A", "in the log"])
    #expect(try FileStore.names(at: crashed) == ["A", "in the log"])
  }

  @Test func whoHasItOpenReadsTheNewContent() throws {
    let source = try FileStore.make(["new 1", "new 2"]), destination = try FileStore.make(["old"])
    let open = try FileStore.open(destination)
    let other = try OtherProcess(destination)
    #expect(try other.run("SELECT ZNAME FROM ZAUTHOR;") == ["old"])
    try open.inContext { (context) throws in
      #expect(try context.names("Author") == ["old"])
      try open.replacePersistentStore(at: destination, withPersistentStoreFrom: source, type: .sqlite)
      context.refreshAllObjects()
      #expect(try context.names("Author") == ["new 1", "new 2"])
    }
    #expect(try other.run("SELECT ZNAME FROM ZAUTHOR ORDER BY 1;") == ["new 1", "new 2"])
    let id = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: source)[NSStoreUUIDKey]
    #expect(open.persistentStores[0].identifier == id as? String)
    try FileStore.add(["new 3"], to: open)
    #expect(try other.run("SELECT ZNAME FROM ZAUTHOR ORDER BY 1;") == ["new 1", "new 2", "new 3"])
    #expect(try FileStore.names(at: source) == ["new 1", "new 2"])
  }

  /// All the authors of a store have one age; a reader never sees two.
  @Test func aReaderSeesOneOfBoth() throws {
    let sources = try (0..<2).map { age in
      let url = try TestModel.temporaryFile()
      let coordinator = try FileStore.open(url)
      try coordinator.inContext { (context) throws in
        for number in 0..<(300 + 200 * age) { _ = context.make("Author", ["name": "N\(number)", "age": age]) }
        try context.save()
      }
      try FileStore.close(coordinator)
      return url
    }
    let destination = try TestModel.temporaryFile()
    try replace(destination, with: sources[0])
    let open = try FileStore.open(destination)
    // A thread that waits for the processor must not lose its transaction, or it may see two stores.
    open.sqlStores.first?.readers.idleNanoseconds = .max
    let isOver = Atomic(false)
    Soak.threads(3) { number in
      defer { isOver.store(true, ordering: .releasing) }
      if number == 0 {
        for round in 1...10 * Soak.factor { try replace(destination, with: sources[round % 2]) }
        return
      }
      while !isOver.load(ordering: .acquiring) {
        try open.inContext { (context) throws in
          let ages = try context.all("Author").map { $0.number("age") ?? -1 }
          #expect(Set(ages).count == 1 && ages.count == 300 + 200 * (ages.first ?? 0))
        }
      }
    }
    #expect(try Shell.sql(destination, "PRAGMA integrity_check") == ["ok"])
  }

  @Test func externalValuesComeAlongAndOldOnesGo() throws {
    let source = try FileStore.make(["A"]), destination = try FileStore.make(["B"])
    let new = try FileStore.addExternalValue(Data([1]), to: source, author: "a")
    let old = try FileStore.addExternalValue(Data([2]), to: destination, author: "b")
    let missing = try FileStore.addExternalValue(Data([3]), to: source, author: "c")
    try FileManager.default.removeItem(at: missing)
    try replace(destination, with: source)
    let folder = old.deletingLastPathComponent()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [new.lastPathComponent])
    #expect(try Data(contentsOf: folder.appendingPathComponent(new.lastPathComponent)) == Data([1]))
    #expect(FileManager.default.fileExists(atPath: new.path))
    let third = try TestModel.temporaryFile("Third.sqlite")
    try replace(third, with: source)
    #expect(try FileStore.files(beside: third) == [".Third_SUPPORT", "Third.sqlite"])
    // A source without any takes the old ones away.
    try replace(third, with: try FileStore.make(["C"]))
    #expect(try FileStore.names(at: third) == ["C"])
    let left = third.deletingLastPathComponent().appendingPathComponent(".Third_SUPPORT/_EXTERNAL_DATA")
    #expect(try FileManager.default.contentsOfDirectory(atPath: left.path).isEmpty)
  }

  @Test func placesThatAreNoStore() throws {
    let folder = try TestModel.temporaryFile().deletingLastPathComponent()
    let good = try FileStore.make(["A"], at: folder.appendingPathComponent("good"))
    let text = folder.appendingPathComponent("text"), none = folder.appendingPathComponent("none")
    let database = folder.appendingPathComponent("database")
    try Data("some text".utf8).write(to: text)
    try Shell.sql(database, "CREATE TABLE people (name)")
    let before = try FolderContents(folder)
    #expect(FileStore.code { try replace(good, with: none) } == 260)
    #expect(FileStore.code { try replace(none, with: none) } == 260)
    for url in [text, database] {
      #expect(FileStore.code { try replace(good, with: url) } == 259)
      #expect(FileStore.code { try replace(url, with: good) } == 259)
    }
    #expect(FileStore.code { try replace(good, with: folder) } == 256)
    #expect(FileStore.code { try replace(folder, with: good) } == 256)
    #expect(FileStore.code { try replace(none.appendingPathComponent("deeper"), with: good) } == 256)
    #expect(FileStore.code { try replace(URL(fileURLWithPath: "/dev/null"), with: good) } == 256)
    #expect(FileStore.code { try replace(good, with: good) } == nil)
    let code = FileStore.code {
      try coordinator.replacePersistentStore(at: none, withPersistentStoreFrom: good, ofType: "Papyrus")
    }
    #expect(code == NSPersistentStoreInvalidTypeError)
    #expect(try FolderContents(folder) == before)
    for url in [text, database] {
      try replace(url, with: good, [NSPersistentStoreForceDestroyOption: true])
      #expect(try FileStore.names(at: url) == ["A"])
    }
  }

  @Test func damagedLockedAndDifferentDestinations() throws {
    let source = try FileStore.make((0..<50).map { "N\($0)" }), damaged = try FileStore.make(["B"])
    try Data(contentsOf: damaged).prefix(5000).write(to: damaged)
    try replace(damaged, with: source)
    #expect(try FileStore.names(at: damaged).count == 50)
    let locked = try FileStore.make(["B"])
    let other = try OtherProcess(locked)
    try other.run("BEGIN IMMEDIATE;")
    let code = FileStore.code { try replace(locked, with: source, [NSPersistentStoreTimeoutOption: 0.1]) }
    #expect(code == NSPersistentStoreTimeoutError)
    #expect(try other.run("COMMIT; SELECT ZNAME FROM ZAUTHOR;") == ["B"])
    let small = try FileStore.make(["B"], options: [NSSQLitePragmasOption: ["page_size": 1024]])
    let plain = try FileStore.make(["B"], options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
    for url in [small, plain] {
      try replace(url, with: source)
      #expect(try FileStore.names(at: url).count == 50)
      #expect(try Shell.sql(url, "PRAGMA integrity_check") == ["ok"])
    }
  }
}
