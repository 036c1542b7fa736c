#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing
  import ToolProcess

  @testable import CoreDataPostgreSQL

  /// `coredata store` and `coredata explain` ask a store in a PostgreSQL server what they ask a file, and get the same answers.
  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct ServerStoreTests {
    /// The same objects in a file and in a server.
    private let file: String, server: String
    private let place: URL

    init() throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "ocd-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      file = folder.appending(path: "Library.sqlite").path
      place = try TestPlace.new()
      server = place.absoluteString
      try Self.fill(URL(fileURLWithPath: file))
      let copied = try Tool("store", "copy", file, server)
      #expect(copied.status == 0, "\(copied.errors)")
    }

    private static func model() -> NSManagedObjectModel {
      func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        return attribute
      }
      let writer = NSEntityDescription(), book = NSEntityDescription(), novel = NSEntityDescription()
      (writer.name, book.name, novel.name) = ("Writer", "Book", "Novel")
      let books = NSRelationshipDescription(), author = NSRelationshipDescription()
      (books.name, author.name) = ("books", "author")
      (books.maxCount, author.maxCount) = (0, 1)
      (books.destinationEntity, author.destinationEntity) = (book, writer)
      (books.inverseRelationship, author.inverseRelationship) = (author, books)
      for relationship in [books, author] { relationship.isOptional = true }
      writer.properties = [attribute("name", .stringAttributeType), books]
      book.properties = [
        attribute("title", .stringAttributeType), attribute("year", .integer32AttributeType),
        attribute("price", .decimalAttributeType), attribute("bought", .dateAttributeType),
        attribute("isRead", .booleanAttributeType), attribute("weight", .doubleAttributeType),
        attribute("mark", .UUIDAttributeType), attribute("cover", .binaryDataAttributeType), author,
      ]
      book.subentities = [novel]
      writer.uniquenessConstraints = [["name"]]
      let model = NSManagedObjectModel()
      model.entities = [writer, book, novel]
      return model
    }

    private static func fill(_ url: URL) throws {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
      let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      try context.performAndWait {
        for number in 0..<4 {
          let writer = NSEntityDescription.insertNewObject(forEntityName: "Writer", into: context)
          writer.setValue("Writer \(number)", forKey: "name")
          for part in 0..<number * 3 {
            let book = NSEntityDescription.insertNewObject(
              forEntityName: part.isMultiple(of: 3) ? "Novel" : "Book", into: context)
            let values: [String: Any] = [
              "title": "Ä \(number).\(part)", "year": 1900 + part * 7, "isRead": part.isMultiple(of: 2), "weight": 0.1,
              "bought": Date(timeIntervalSinceReferenceDate: Double(part) * 86_400.25), "author": writer,
            ]
            book.setValuesForKeys(part == 1 ? ["author": writer] : values)
            if part > 1 {
              book.setValue(Decimal(string: "12.\(part)"), forKey: "price")
              book.setValue(UUID(uuidString: "173EF017-8551-4A76-AD07-19D8830FDC8\(part)"), forKey: "mark")
              book.setValue(Data([1, 0, UInt8(part)]), forKey: "cover")
            }
          }
        }
        try context.save()
      }
      try coordinator.remove(store)
    }

    @Test(arguments: [
      ["query", "", "Book", "--sort", "title"],
      ["query", "", "Book", "--sort", "-year,title", "--limit", "5", "--offset", "2", "--format", "json"],
      [
        "query", "", "Book", "--predicate", "author.name == 'Writer 2' AND year > 1910", "--sort", "title", "--format",
        "csv",
      ],
      ["query", "", "Book", "--predicate", "title CONTAINS[c] 'ä 3' AND isRead == YES", "--sort", "title"],
      ["query", "", "Book", "--columns", "title,author.name,author", "--sort", "title", "--format", "json"],
      ["query", "", "Writer", "--columns", "name,books.@count,books.@max.year", "--sort", "name", "--format", "json"],
      ["query", "", "Book", "--predicate", "bought > '2001-01-03' AND mark != nil", "--sort", "title", "--count"],
      ["query", "", "Novel", "--predicate", "author == 'Writer/p1'", "--sort", "title", "--format", "csv"],
      ["export", ""], ["export", "", "--entity", "Novel", "--format", "csv"],
    ]) func theSameAnswers(_ arguments: [String]) throws {
      func answer(_ store: String) throws -> Tool {
        var words = ["store"] + arguments
        words[2] = store
        return try Tool(words)
      }
      let (one, other) = try (answer(file), answer(server))
      #expect(one.status == 0, "\(one.errors)")
      #expect(other.output == one.output, "\(other.errors)")
      #expect(!one.output.isEmpty)
    }

    @Test(arguments: [
      ["Paper"], ["Book", "--predicate", "title ==="], ["Book", "--predicate", "pages > 3"],
      ["Book", "--columns", "pages"],
      ["Book", "--predicate", "bought > 'soon'"],
    ]) func theSameErrors(_ arguments: [String]) throws {
      let one = try Tool(["store", "query", file] + arguments),
        other = try Tool(["store", "query", server] + arguments)
      #expect(one.status == 1 && other.status == 1)
      let place = { (text: String) in text.replacingOccurrences(of: file, with: "STORE") }
      // The places differ, and what is said of a key that is not there is said in other words.
      #expect(!other.errors.isEmpty && !other.errors.contains("Fatal"), "\(other.errors)")
      if !arguments.contains(where: { $0.contains("pages") }) {
        #expect(other.errors.split(separator: "\n").count == place(one.errors).split(separator: "\n").count)
      }
    }

    @Test func aPlanOfTheServer() throws {
      let plan = try Tool("explain", server, "Book", "--predicate", "year > 1910", "--sort", "title")
      #expect(plan.status == 0, "\(plan.errors)")
      #expect(plan.output.contains("FROM \"Book\"") && plan.output.contains("Rows: looks at about"), "\(plan.output)")
      #expect(plan.output.contains("year"), "\(plan.output)")
      let json = try Tool(
        "explain", server, "Writer", "--predicate", "name == 'Writer 1'", "--format", "json", "--no-rows")
      #expect(json.status == 0 && json.output.contains("\"sql\""), "\(json.errors)")
      let query = try Tool("store", "query", server, "Book", "--predicate", "year > 1910", "--explain")
      #expect(query.status == 0 && query.output.contains("SELECT"), "\(query.errors)")
    }

    @Test func whatIsThere() throws {
      let info = try Tool("store", "info", server)
      #expect(info.status == 0, "\(info.errors)")
      for text in ["PostgreSQL 1", "copy in the store", "Novel: Book", "History", "Schema"] {
        #expect(info.output.contains(text), "\(info.output)")
      }
      #expect(try Tool("store", "info", server, "--format", "json").output.contains("\"details\""))
    }

    // MARK: Verification

    /// What verification says after some SQL that no framework would send.
    private func problems(after sql: String..., status: Int32? = nil) throws -> String {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
      PostgreSQLStore.register()
      let store = try coordinator.addPersistentStore(ofType: NSPostgreSQLStoreType, configurationName: nil, at: place)
      try (store as? ServerStore)?.withWriter { try $0.execute(sql) }
      try coordinator.remove(store)
      let tool = try Tool("store", "verify", server)
      #expect(tool.status == status ?? (tool.output.contains("error:") ? 1 : 0), "\(tool.errors)")
      return tool.output + tool.errors
    }

    @Test func aSoundStoreHasNoProblems() throws {
      #expect(try problems().hasSuffix(": ok\n"))
      let json = try Tool("store", "verify", server, "--format", "json")
      #expect(json.status == 0 && json.output.contains("\"errors\" : 0"), "\(json.output)")
    }

    @Test(arguments: [
      ("UPDATE \"Book\" SET author = 999 WHERE title = 'Ä 1.0'", "Book.author: author names rows of Writer"),
      ("UPDATE \"Book\" SET \"_ent\" = 3 WHERE title = 'Ä 1.0'", "Book: rows are of no entity"),
      ("ALTER TABLE \"Book\" DROP COLUMN weight", "the column weight is missing"),
      ("ALTER TABLE \"Book\" ALTER COLUMN year TYPE bigint", "the column year is bigint where integer is expected"),
      ("DROP TABLE \"_change\"", "_change: the table is missing"),
      ("DELETE FROM \"_entity\" WHERE name = 'Novel'", "of Novel is missing"),
      ("SELECT setval('\"Writer._pk\"', 1, false)", "new objects would take keys in use"),
      ("INSERT INTO \"_change\"(n, kind, ent, pk) VALUES (1, 'u', 1, 1)", "belong to commits that are not there"),
    ]) func whatOthersDidIsFound(_ sql: String, _ problem: String) throws {
      let text = try problems(after: sql)
      #expect(text.contains(problem), "\(text)")
    }

    @Test func duplicatesAreFoundWhereNothingPreventsThem() throws {
      let text = try problems(
        after:
          "DO $$ DECLARE i text; BEGIN FOR i IN SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() "
          + "AND tablename = 'Writer' AND indexdef LIKE '%UNIQUE%(name%' LOOP EXECUTE 'DROP INDEX ' || quote_ident(i); "
          + "END LOOP; END $$", "UPDATE \"Writer\" SET name = 'Writer 1' WHERE name = 'Writer 2'")
      #expect(text.contains("nothing keeps Writer.(name) unique"), "\(text)")
      #expect(text.contains("values that are to be unique are there more than once"), "\(text)")
    }

    @Test func aCopyOfTheModelThatCannotBeRead() throws {
      #expect(try problems(after: "UPDATE \"_store\" SET model = '\\x00'", status: 1).contains("model"))
    }

    // MARK: Import

    @Test func aStoreWithAHistoryGetsATransaction() throws {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
      PostgreSQLStore.register()
      func history() throws -> [String?] {
        let store = try coordinator.addPersistentStore(
          ofType: NSPostgreSQLStoreType, configurationName: nil, at: place,
          options: [NSPersistentHistoryTrackingKey: true])
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
          let result = try context.execute(
            NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?))
          return ((result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction] ?? []).map(
            \.author)
        }
      }
      #expect(try history() == [])
      let input = file + ".csv"
      try Data("@id,name\n1,Cleo\n".utf8).write(to: URL(fileURLWithPath: input))
      let tool = try Tool("store", "import", server, input, "--entity", "Writer")
      #expect(tool.output == "Imported 1 object, with a transaction in the store's history\n", "\(tool.errors)")
      #expect(try history() == ["coredata store import"])
    }

    @Test func whatWasExportedIsImported() throws {
      let export = file + ".json", new = try TestPlace.new().absoluteString
      #expect(try Tool("store", "export", file, "--output", export).status == 0)
      let missing = try Tool("store", "import", new, export)
      #expect(missing.status == 1 && missing.errors.contains("Give --model to have one made"), "\(missing.errors)")
      let rehearsed = try Tool("store", "import", new, export, "--model", file, "--dry-run")
      #expect(rehearsed.status == 0 && rehearsed.output.contains("Would import 22 objects"), "\(rehearsed.errors)")
      #expect(try Tool("store", "info", new).status == 1)
      let imported = try Tool("store", "import", new, export, "--model", file)
      #expect(imported.status == 0 && imported.output.contains("Imported 22 objects"), "\(imported.errors)")
      #expect(try Tool("store", "verify", new).status == 0)
      let titles = {
        try Tool("store", "query", $0, "Book", "--columns", "title,author.name", "--sort", "title", "--count").output
      }
      #expect(try titles(new) == titles(server))
      #expect(!imported.output.contains("history"))
      // The names of writers are unique.
      let again = try Tool("store", "import", new, export)
      #expect(again.status == 1 && again.errors.contains("Nothing was imported"), "\(again.errors)")
      #expect(try Tool("store", "import", new, export, "--dry-run").status == 1)
      #expect(try titles(new) == titles(server))
    }
  }
#endif
