import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// A store that this framework wrote, as the command line of SQLite sees it.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct FileFormatTests {
  /// A store of the library with an author, a book, a novel and a tag.
  private func store() throws -> URL {
    let url = try TestModel.temporaryFile()
    let context = TestModel.context(try TestModel.coordinator(TestModel.library(), url: url))
    try context.performAndWait {
      let author = context.make("Author", ["name": "Ann", "age": 40])
      let book = context.make(
        "Book",
        [
          "title": "Älter", "pages": 321, "price": Decimal(string: "12.5")!,
          "published": Date(timeIntervalSinceReferenceDate: 12345.5),
          "isbn": UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!, "cover": Data([1, 2, 3]),
          "weight": 0.25, "inPrint": true, "link": URL(string: "https://example.org/a")!, "author": author,
        ])
      try context.save()
      book.setValue(322, forKey: "pages")
      let novel = context.make("Novel", ["title": "N", "genre": "crime"])
      context.make("Tag", ["name": "t"]).setValue(NSSet(array: [book, novel]), forKey: "books")
      try context.save()
    }
    return url
  }

  @Test func headerAndPragmas() throws {
    let url = try store()
    let pragmas = ["user_version", "application_id", "page_size", "auto_vacuum", "journal_mode", "encoding"]
    #expect(
      try Shell.sql(url, pragmas.map { "PRAGMA \($0);" }.joined()) == ["0", "0", "4096", "2", "wal", "UTF-8"])
    #expect(try Shell.sql(url, "PRAGMA integrity_check; PRAGMA foreign_key_check") == ["ok"])
  }

  @Test func schemaIsInOrderAndInTheWordsOfTheFormat() throws {
    #expect(
      try Shell.sql(try store(), "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid") == [
        "CREATE TABLE ZAUTHOR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER, ZNAME VARCHAR )",
        "CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZINPRINT INTEGER, "
          + "ZPAGES INTEGER, ZAUTHOR INTEGER, ZPUBLISHED TIMESTAMP, ZWEIGHT FLOAT, ZPRICE DECIMAL, ZLINK VARCHAR, "
          + "ZTITLE VARCHAR, ZGENRE VARCHAR, ZISBN BLOB, ZCOVER BLOB )",
        "CREATE TABLE Z_2TAGS ( Z_2BOOKS INTEGER, Z_4TAGS INTEGER, PRIMARY KEY (Z_2BOOKS, Z_4TAGS) )",
        "CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
        "CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR)",
        "CREATE INDEX ZBOOK_Z_ENT_INDEX ON ZBOOK (Z_ENT)",
        "CREATE INDEX Z_2TAGS_Z_4TAGS_INDEX ON Z_2TAGS (Z_4TAGS, Z_2BOOKS)",
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
      ])
  }

  @Test func keysCountOnRootEntitiesOnly() throws {
    #expect(
      try Shell.sql(try store(), "SELECT * FROM Z_PRIMARYKEY ORDER BY Z_ENT") == [
        "1|Author|0|1", "2|Book|0|2", "3|Novel|2|0", "4|Tag|0|1",
      ])
  }

  @Test func valuesOfEachTypeAreStoredAsTheFormatHasThem() throws {
    let url = try store()
    let columns = [
      "Z_PK", "Z_ENT", "Z_OPT", "ZINPRINT", "ZPAGES", "ZAUTHOR", "ZPUBLISHED", "ZWEIGHT", "ZPRICE", "ZLINK", "ZTITLE",
      "ZISBN", "ZCOVER",
    ]
    let quoted = columns.map { "quote(\($0))" }.joined(separator: ",")
    #expect(
      try Shell.sql(url, "SELECT \(quoted) FROM ZBOOK ORDER BY Z_PK") == [
        "1|2|2|1|322|1|12345.5|0.25|12.5|'https://example.org/a'|'Älter'|X'00112233445566778899AABBCCDDEEFF'|X'010203'",
        "2|3|1|NULL|NULL|NULL|NULL|NULL|NULL|NULL|'N'|NULL|NULL",
      ])
    #expect(try Shell.sql(url, "SELECT * FROM Z_2TAGS ORDER BY 1") == ["1|1", "2|1"])
    #expect(
      try Shell.sql(url, "SELECT typeof(ZPUBLISHED), typeof(ZPRICE), typeof(ZAUTHOR) FROM ZBOOK WHERE Z_PK = 1") == [
        "real|real|integer"
      ])
  }

  @Test func metadataAndCacheSayWhichModelItIs() throws {
    let url = try store()
    #expect(
      try Shell.sql(url, "SELECT Z_VERSION, length(Z_UUID), upper(Z_UUID) = Z_UUID FROM Z_METADATA") == ["1|36|1"])
    _ = try Shell.sql(url, "PRAGMA wal_checkpoint(TRUNCATE)")
    let metadata = Corpus.metadata(of: url)
    #expect(
      Set(metadata.keys) == [
        "NSStoreType", "NSStoreModelVersionHashes", "NSStoreModelVersionHashesVersion",
        "NSStoreModelVersionIdentifiers",
        "NSPersistenceFrameworkVersion", "_NSAutoVacuumLevel", "NSStoreModelVersionHashesDigest",
        "NSStoreModelVersionChecksumKey",
      ])
    #expect(metadata["NSStoreType"] as? String == "SQLite")
    #expect(metadata["_NSAutoVacuumLevel"] as? String == "2")
    #expect(metadata["NSStoreModelVersionHashesVersion"] as? Int == 3)
    let hashes = try #require(metadata["NSStoreModelVersionHashes"] as? [String: Data])
    let model = TestModel.library()
    #expect(hashes == model.entityVersionHashesByName)
    let cache = try #require(Corpus.blob("SELECT Z_CONTENT FROM Z_MODELCACHE", in: url))
    let cached = try ModelCache.decode(cache)
    #expect(cached.entityVersionHashesByName == hashes)
    #expect(cached.entitiesByName["Novel"]?.superentity?.name == "Book")
    #expect(try Shell.sql(url, "SELECT COUNT(*) FROM Z_MODELCACHE") == ["1"])
  }

  private static let program = """
    import sys, sqlite3, plistlib
    sys.dont_write_bytecode = True
    sys.path.insert(0, sys.argv[1])
    import version_hash as v
    A, R = v.attribute, v.relationship
    h = {}
    h['Author'] = v.entity('Author', 0, None, {'age': A('age', 1, 0, 100), 'name': A('name', 1, 0, 700),
        'books': R('books', 1, 0, 'Book', 'author', 0, 0)})
    book = {'title': A('title', 0, 0, 700), 'pages': A('pages', 1, 0, 200), 'price': A('price', 1, 0, 400),
        'published': A('published', 1, 0, 900), 'isbn': A('isbn', 1, 0, 1100), 'cover': A('cover', 1, 0, 1000),
        'weight': A('weight', 1, 0, 500), 'inPrint': A('inPrint', 1, 0, 800), 'link': A('link', 1, 0, 1200),
        'author': R('author', 1, 0, 'Author', 'books', 0, 1), 'tags': R('tags', 1, 0, 'Tag', 'books', 0, 0)}
    h['Book'] = v.entity('Book', 0, None, book)
    h['Novel'] = v.entity('Novel', 0, h['Book'], dict(book, genre=A('genre', 1, 0, 700)))
    h['Tag'] = v.entity('Tag', 0, None, {'name': A('name', 1, 0, 700), 'books': R('books', 1, 0, 'Book', 'tags', 0, 0)})
    p = plistlib.loads(sqlite3.connect(sys.argv[2]).execute('SELECT Z_PLIST FROM Z_METADATA').fetchone()[0])
    print(p['NSStoreModelVersionHashes'] == h, p['NSStoreModelVersionHashesDigest'] == v.hashes_digest(h),
        p['NSStoreModelVersionChecksumKey'] == v.model_checksum(h))
    """

  @Test(
    .enabled(if: Corpus.isThere, "the corpus is not there"), .enabled(if: Shell.python != nil, "python3 is not there"))
  func hashesAreThoseOfTheReference() throws {
    let reference = try #require(Corpus.root).deletingLastPathComponent().appendingPathComponent("reference")
    #expect(
      try Shell.run(Shell.python, ["-B", "-c", Self.program, reference.path, try store().path]) == "True True True")
  }
}
