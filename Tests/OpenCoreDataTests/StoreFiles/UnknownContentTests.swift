import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What others have put into a store's file survives whatever is done to the store.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct UnknownContentTests {
  private static let additions = """
    CREATE TABLE notes (a, b TEXT DEFAULT 'x'); INSERT INTO notes VALUES (1, x'00FF'), (NULL, 'text');
    CREATE INDEX notes_index ON notes (b);
    CREATE VIEW old_authors AS SELECT ZNAME FROM ZAUTHOR WHERE ZAGE > 50;
    ALTER TABLE ZAUTHOR ADD COLUMN ZEXTRA BLOB; UPDATE ZAUTHOR SET ZEXTRA = x'0102';
    ALTER TABLE ZBOOK ADD COLUMN extra TEXT DEFAULT 'given'; UPDATE ZBOOK SET extra = 'mine' WHERE ZTITLE = 'b1';
    ALTER TABLE Z_2TAGS ADD COLUMN extra; UPDATE Z_2TAGS SET extra = 3.5;
    ALTER TABLE Z_PRIMARYKEY ADD COLUMN extra DEFAULT 9;
    INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (16777, 'THEIRS', 0, 42);
    CREATE TABLE counted (n INTEGER); INSERT INTO counted VALUES (0);
    CREATE TRIGGER counting AFTER INSERT ON ZAUTHOR BEGIN UPDATE counted SET n = n + 1; END;
    """

  /// Two authors with a book each, one of them tagged, history, and what nobody here knows.
  private func store() throws -> URL {
    let url = try TestModel.temporaryFile()
    let coordinator = try FileStore.open(url, [NSPersistentHistoryTrackingKey: true])
    try coordinator.inContext { context in
      let tag = context.make("Tag", ["name": "t"])
      for number in 1...2 {
        let author = context.make("Author", ["name": "a\(number)", "age": 30])
        _ = context.make("Book", ["title": "b\(number)", "author": author, "tags": NSSet(object: tag)])
      }
      try context.save()
    }
    try FileStore.close(coordinator)
    try Shell.sql(url, Self.additions)
    var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    metadata["theirs"] = ["list": [1, 2.5, "x"], "data": Data([1, 2])] as [String: Any]
    metadata["NSUnknownFutureKey"] = Date(timeIntervalSinceReferenceDate: 1)
    try NSPersistentStoreCoordinator.setMetadata(metadata, type: .sqlite, at: url)
    return url
  }

  /// Everything that is not the store's own, as text: tables, columns, rows of keys, metadata, history.
  private func unknown(_ url: URL) throws -> [String] {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    return try Shell.sql(
      url,
      """
      SELECT 'notes', quote(a), quote(b) FROM notes;
      SELECT name, sql FROM sqlite_master WHERE name IN ('notes', 'notes_index', 'old_authors', 'counted', 'counting')
      ORDER BY 1;
      SELECT 'author', quote(ZEXTRA) FROM ZAUTHOR WHERE ZNAME = 'a1' OR ZAGE = 77;
      SELECT 'book', extra FROM ZBOOK WHERE ZTITLE = 'b1';
      SELECT 'join', Z_2TAGS.extra FROM Z_2TAGS JOIN ZBOOK ON ZBOOK.Z_PK = Z_2BOOKS WHERE ZTITLE = 'b1';
      SELECT Z_ENT, Z_NAME, Z_SUPER, CASE Z_ENT WHEN 16777 THEN Z_MAX END, extra FROM Z_PRIMARYKEY;
      SELECT 'history', * FROM ACHANGE; SELECT * FROM ATRANSACTION; SELECT * FROM ATRANSACTIONSTRING;
      """)
      + [
        "\(NSDictionary(dictionary: metadata["theirs"] as? [String: Any] ?? [:]).isEqual(["list": [1, 2.5, "x"], "data": Data([1, 2])] as NSDictionary))",
        "\(metadata["NSUnknownFutureKey"] as? Date == Date(timeIntervalSinceReferenceDate: 1))",
      ]
  }

  @Test func savesAndBatchUpdates() throws {
    let url = try store(), before = try unknown(url)
    #expect(before.suffix(2) == ["true", "true"] && before.contains("16777|THEIRS|0|42|9"))
    let coordinator = try FileStore.open(url)
    try coordinator.inContext { (context) throws in
      try context.named("a1", "Author").setValue(77, forKey: "age")
      _ = context.make("Author", ["name": "new"])
      let book = try #require(try context.all("Book").first { $0.text("title") == "b1" })
      book.setValue(5, forKey: "pages")
      book.mutableSetValue(forKey: "tags").add(context.make("Tag", ["name": "u"]))
      try context.save()
      context.delete(try context.named("a2", "Author"))
      try context.save()
      let request = NSBatchUpdateRequest(entityName: "Author")
      request.propertiesToUpdate = ["name": "all"]
      _ = try context.execute(request)
    }
    try FileStore.close(coordinator)
    // The join row of the new tag has no value there.
    #expect(try unknown(url).filter { $0 != "join|" } == before)
    #expect(try Shell.sql(url, "SELECT n FROM counted") == ["1"], "their trigger ran")
    #expect(
      try Shell.sql(url, "SELECT ZNAME, quote(ZEXTRA) FROM ZAUTHOR ORDER BY Z_PK") == ["all|X'0102'", "all|NULL"])
  }

  @Test func metadataAndOptions() throws {
    let url = try store(), before = try unknown(url)
    var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    metadata["mine"] = 1
    try NSPersistentStoreCoordinator.setMetadata(metadata, type: .sqlite, at: url)
    #expect(try unknown(url) == before)
    let coordinator = try FileStore.open(url, [NSSQLiteManualVacuumOption: true, NSSQLiteAnalyzeOption: true])
    coordinator.persistentStores[0].metadata["mine"] = 2
    try coordinator.inContext { try $0.save() }
    try FileStore.close(coordinator)
    let after = try unknown(url)
    #expect(after == before, "\(after.difference(from: before))")
    #expect(
      try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)["mine"] as? Int == 2)
  }

  @Test func copies() throws {
    let url = try store(), before = try unknown(url)
    let backup = try TestModel.temporaryFile(), replaced = try TestModel.temporaryFile()
    let migrated = try TestModel.temporaryFile()
    try NSPersistentStoreCoordinator.backUpPersistentStore(at: url, to: backup)
    #expect(try unknown(backup) == before)
    let coordinator = try FileStore.open(url)
    try coordinator.replacePersistentStore(at: replaced, withPersistentStoreFrom: url, type: .sqlite)
    #expect(try unknown(replaced) == before)
    _ = try coordinator.migratePersistentStore(coordinator.persistentStores[0], to: migrated, type: .sqlite)
    try FileStore.close(coordinator)
    #expect(try unknown(migrated) == before && unknown(url) == before)
    for copy in [backup, replaced, migrated] { #expect(try FileStore.names(at: copy) == ["a1", "a2"]) }
  }
}
