import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What stores are opened with.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct OptionTests {
  private func pragma(_ name: String, _ coordinator: NSPersistentStoreCoordinator) throws -> (String?, String?) {
    let store = try #require(coordinator.persistentStores.first as? SQLiteStore)
    let reader = try coordinator.inContext { (context) throws in
      try context.reads.transaction(on: store).read(latest: true) { connection, _ in
        try connection.rows("PRAGMA \(name)").first?[0]
      }
    }
    return (try store.writer.withConnection { try $0.rows("PRAGMA \(name)").first?[0] }, reader)
  }

  @Test func pragmasReachEveryConnection() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try FileStore.open(
      url,
      [
        NSSQLitePragmasOption: [
          "synchronous": "FULL", "cache_size": -4000, "mmap_size": 1 << 20, "Journal_Mode": "truncate",
          "user_version": NSNumber(value: 77), "page_size": 16384, "foreign_keys": true,
          "no_such_pragma": "x'; DROP TABLE ZAUTHOR; --",
        ] as [String: Any]
      ])
    try FileStore.add(["A"], to: coordinator)
    for (name, value) in [
      ("synchronous", "2"), ("cache_size", "-4000"), ("mmap_size", "1048576"), ("journal_mode", "truncate"),
      ("user_version", "77"), ("page_size", "16384"), ("foreign_keys", "1"), ("recursive_triggers", "1"),
    ] {
      let found = try pragma(name, coordinator)
      #expect(found.0 == value)
      #expect(found.1 == value || name == "journal_mode", "\(name)")
    }
    #expect(try FileStore.names(coordinator) == ["A"])
    let usual = try FileStore.open(try TestModel.temporaryFile())
    #expect(try pragma("synchronous", usual).0 == "1" && pragma("journal_mode", usual).0 == "wal")
  }

  @Test(
    arguments: [
      ("journal_mode", "wall"), ("Synchronous", "sometimes"), ("synchronous", 4), ("cache_size", "much"),
      ("foreign_keys", "maybe"), ("page_size", 1000), ("page_size", 256), ("auto_vacuum", 3), ("temp_store", "disk"),
      ("encoding", "latin1"), ("journal_mode", 1), ("user_version", 1.5), ("secure_delete", "slow"),
      ("locking_mode", "exclusive"),
    ] as [(String, any Sendable)]) func aWrongValueOfAKnownPragmaIsAnError(_ name: String, _ value: any Sendable) throws
  {
    let url = try TestModel.temporaryFile()
    let error = #expect(throws: NSError.self) { try FileStore.open(url, [NSSQLitePragmasOption: [name: value]]) }
    #expect(error?.code == NSPersistentStoreOpenError)
    let text = error?.localizedDescription ?? ""
    #expect(text.contains(name.lowercased()) && text.contains("\(value)"), "\(text)")
    #expect(try FileStore.files(beside: url).isEmpty)
  }

  /// All that SQLite takes, in capitals, as numbers and as Booleans.
  @Test(
    arguments: [
      ("journal_mode", "WAL"), ("synchronous", "Extra"), ("synchronous", 0), ("cache_size", "-2000"),
      ("foreign_keys", "ON"),
      ("foreign_keys", false), ("page_size", 65_536), ("temp_store", "MEMORY"), ("encoding", "UTF-8"),
      ("secure_delete", "FAST"), ("mmap_size", 1 << 20), ("locking_mode", "NORMAL"), ("wal_autocheckpoint", 500),
      ("optimize", "0x10002"), ("temp_store_directory", "/tmp"), ("shrink_memory", ""),
    ] as [(String, any Sendable)]) func aRightValueIsTaken(_ name: String, _ value: any Sendable) throws
  {
    let url = try FileStore.make(["A"], options: [NSSQLitePragmasOption: [name: value]])
    #expect(try FileStore.names(at: url) == ["A"])
  }

  @Test func anUnknownPragmaIsReportedOnceAndLeftOut() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      for _ in 0..<3 {
        let url = try FileStore.make(["A"], options: [NSSQLitePragmasOption: ["journal_mod": "wal", "nothing": 1]])
        #expect(try FileStore.names(at: url) == ["A"])
      }
    }
    let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
    for name in ["journal_mod", "nothing"] {
      #expect(
        lines.count { $0.contains("a pragma that SQLite does not know") && $0.contains("'\(name)'") } == 1, "\(lines)")
    }
  }

  @Test func aNewFileIsLaidOutAsAsked() throws {
    let url = try FileStore.make(
      ["A"], options: [NSSQLitePragmasOption: ["page_size": 8192, "auto_vacuum": "NONE", "journal_mode": "WAL"]])
    #expect(try Shell.sql(url, "PRAGMA page_size; PRAGMA auto_vacuum; PRAGMA journal_mode") == ["8192", "0", "wal"])
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    #expect(metadata["_NSAutoVacuumLevel"] as? String == "0")
    let usual = try FileStore.make(["A"])
    #expect(try Shell.sql(usual, "PRAGMA page_size; PRAGMA auto_vacuum") == ["4096", "2"])
  }

  @Test(arguments: ["journal_mode=DELETE; --", "", "1st", "a b", "größe", "(x)"]) func namesThatAreNone(name: String)
    throws
  {
    let url = try TestModel.temporaryFile()
    #expect(try refusalWithoutFile(url, [NSSQLitePragmasOption: [name: "1"]]) == NSPersistentStoreOpenError)
    #expect(try refusalWithoutFile(url, [NSSQLitePragmasOption: "journal_mode"]) == NSPersistentStoreOpenError)
    #expect(try FileStore.files(beside: url).isEmpty)
  }

  @Test(arguments: [
    (NSReadOnlyPersistentStoreOption, "maybe"), (NSPersistentHistoryTrackingKey, "maybe"),
    (NSPersistentStoreTimeoutOption, "abc"), (NSPersistentStoreConnectionPoolMaxSizeKey, "many"),
  ])
  func valuesThatAreNone(key: String, value: String) throws {
    let url = try TestModel.temporaryFile()
    #expect(try refusalWithoutFile(url, [key: value]) == NSPersistentStoreOpenError)
  }

  /// Stores that are one file read the option as SQLite's do: a text may be a number, and any other value is refused.
  @Test(arguments: [NSXMLStoreType, NSBinaryStoreType]) func aTimeoutOfAStoreThatIsOneFile(type: String) throws {
    func open(_ timeout: Any) throws {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
      try coordinator.addPersistentStore(
        ofType: type, configurationName: nil, at: try TestModel.temporaryFile(),
        options: [NSPersistentStoreTimeoutOption: timeout])
    }
    #expect(FileStore.code { try open("abc") } == NSPersistentStoreOpenError)
    #expect(FileStore.code { try open([1]) } == NSPersistentStoreOpenError)
    for timeout: Any in ["5", 5, -1] { try open(timeout) }
  }

  @Test func textMayBeAFlag() throws {
    let url = try FileStore.make(["a"])
    #expect(try FileStore.open(url, [NSReadOnlyPersistentStoreOption: "YES"]).persistentStores[0].isReadOnly)
    #expect(try !FileStore.open(url, [NSReadOnlyPersistentStoreOption: "NO"]).persistentStores[0].isReadOnly)
  }

  @Test func aStoreDoesNotLockItselfOut() throws {
    let url = try TestModel.temporaryFile()
    let pragmas = ["locking_mode": "EXCLUSIVE"]
    #expect(try refusalWithoutFile(url, [NSSQLitePragmasOption: pragmas]) == NSPersistentStoreOpenError)
  }

  private func refusalWithoutFile(_ url: URL, _ options: [AnyHashable: Any]) throws -> Int? {
    FileStore.code { _ = try FileStore.open(url, options) }
  }

  @Test func vacuumAndAnalyze() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try FileStore.open(url)
    try FileStore.add((0..<3000).map { "A rather long name, to fill pages with \($0)" }, to: coordinator)
    try coordinator.inContext { (context) throws in
      for author in try context.all("Author").dropLast() { context.delete(author) }
      try context.save()
    }
    try FileStore.close(coordinator)
    func pages() throws -> [Int] {
      try Shell.sql(url, "PRAGMA page_count; PRAGMA freelist_count; PRAGMA auto_vacuum").compactMap { Int($0) }
    }
    let before = try pages()
    #expect(before[1] > 30)
    _ = try FileStore.make([], at: url, options: [NSSQLiteManualVacuumOption: true, NSSQLiteAnalyzeOption: true])
    let after = try pages()
    #expect(after[1] == 0 && after[0] < before[0] - 30 && after[2] == 2)
    #expect(try Shell.sql(url, "SELECT COUNT(*) > 0 FROM sqlite_stat1") == ["1"])
    #expect(try FileStore.names(at: url).count == 1)
  }

  @Test func anotherVersionIsOpenedOnlyWhenAsked() throws {
    let url = try FileStore.make(["A"])
    let model = TestModel.library()
    model.entitiesByName["Author"]?.versionHashModifier = "2"
    model.entitiesByName["Tag"]?.properties.append(TestModel.attribute("colour", .stringAttributeType))
    let ignoring = [NSIgnorePersistentStoreVersioningOption: true]
    #expect(
      FileStore.code { _ = try FileStore.open(url, nil, model) } == NSPersistentStoreIncompatibleVersionHashError)
    let coordinator = try FileStore.open(url, ignoring, model)
    try FileStore.add(["B"], to: coordinator)
    #expect(try FileStore.names(coordinator) == ["A", "B"])
    #expect(FileStore.code { try coordinator.inContext { _ = try $0.all("Tag") } } == NSSQLiteError)
    try FileStore.close(coordinator)
    #expect(try FileStore.names(at: url) == ["A", "B"])
  }

  @Test func thePoolIsAsLargeAsAsked() throws {
    let coordinator = try FileStore.open(
      try FileStore.make(["A"]), [NSPersistentStoreConnectionPoolMaxSizeKey: 1, NSPersistentStoreTimeoutOption: 240])
    Soak.threads(4) { _ in
      for _ in 0..<20 {
        let names = try FileStore.names(coordinator)
        #expect(names == ["A"])
      }
    }
    let contexts = (0..<3).map { _ in TestModel.context(coordinator) }
    // Nested, each with a transaction of its own: one connection goes from hand to hand.
    try contexts[0].performAndWait {
      _ = try contexts[0].all("Author")
      try contexts[1].performAndWait {
        _ = try contexts[1].all("Author")
        let names = try contexts[2].performAndWait { try contexts[2].names("Author") }
        #expect(names == ["A"])
        #expect(try contexts[1].names("Author") == ["A"])
      }
    }
  }

  // MARK: Without a write-ahead log

  private let plain: [AnyHashable: Any] = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]

  /// Whoever reads keeps a writer from committing; transactions that are not in use are taken back.
  @Test func aSaveDoesNotWaitForIdleReaders() throws {
    let coordinator = try FileStore.open(try FileStore.make(["A"], options: plain), plain)
    // Only the save takes them back: it would fail in the end.
    try #require(coordinator.sqlStores.first).readers.idleNanoseconds = .max
    let reader = TestModel.context(coordinator)
    try reader.performAndWait {
      #expect(try reader.names("Author") == ["A"])
      try FileStore.add(["B"], to: coordinator)
      #expect(try reader.names("Author") == ["A", "B"])
      // Its own transaction, too.
      let authors = try reader.all("Author")
      _ = reader.make("Author", ["name": "C"])
      try reader.obtainPermanentIDs(for: [reader.make("Author", ["name": "D"])])
      try reader.save()
      #expect(authors.count == 2)
    }
    #expect(try FileStore.names(coordinator) == ["A", "B", "C", "D"])
  }

  @Test func readersAndWritersTakeTurns() throws {
    let coordinator = try FileStore.open(try FileStore.make(["A"], options: plain), plain)
    Soak.threads(4) { number in
      for round in 0..<15 * Soak.factor {
        if number < 2 {
          try FileStore.add(["\(number)-\(round)"], to: coordinator)
        } else {
          try coordinator.inContext { (context) throws in
            let authors = try context.all("Author")
            #expect(Set(authors.map { $0.text("name") ?? "" }).count == authors.count)
          }
        }
      }
    }
    #expect(try FileStore.names(coordinator).count == 1 + 30 * Soak.factor)
  }
}
