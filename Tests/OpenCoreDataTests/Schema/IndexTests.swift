import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite("Indexes and constraints", .enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct IndexTests {
  /// Notes with a state, a title and a rank, and one index of the given elements and condition.
  private func model(
    _ elements: [NSFetchIndexElementDescription], where condition: NSPredicate? = nil
  ) -> NSManagedObjectModel {
    let note = TestModel.entity(
      "Note",
      [
        TestModel.attribute("title", .stringAttributeType), TestModel.attribute("state", .stringAttributeType),
        TestModel.attribute("rank", .integer32AttributeType), TestModel.attribute("done", .booleanAttributeType),
        TestModel.attribute("seen", .dateAttributeType),
      ])
    let author = TestModel.entity("Author", [TestModel.attribute("name", .stringAttributeType)])
    TestModel.relate(note, "author", max: 1, author, "notes", max: 0)
    note.uniquenessConstraints = [["title", "state"]]
    let index = NSFetchIndexDescription(name: "some", elements: elements)
    index.partialIndexPredicate = condition
    note.indexes = [index]
    let model = NSManagedObjectModel()
    model.entities = [note, author]
    return model
  }

  private func element(_ name: String, ascending: Bool = true, _ type: NSFetchIndexElementType = .binary)
    -> NSFetchIndexElementDescription
  {
    let property = NSPropertyDescription()
    property.name = name
    let element = NSFetchIndexElementDescription(property: property, collationType: type)
    element.isAscending = ascending
    return element
  }

  private func element(_ expression: NSExpression) -> NSFetchIndexElementDescription {
    let property = NSExpressionDescription()
    property.name = "computed"
    property.expression = expression
    return NSFetchIndexElementDescription(property: property, collationType: .binary)
  }

  private func store(_ model: NSManagedObjectModel) throws -> URL {
    let url = try TestModel.temporaryFile()
    _ = try TestModel.coordinator(model, url: url)
    return url
  }

  private func index(in store: URL) throws -> String? {
    try Shell.sql(store, "SELECT sql FROM sqlite_master WHERE name = 'Z_Note_some'").first
  }

  @Test func partialIndex() throws {
    let url = try store(
      model([element("rank", ascending: false)], where: NSPredicate(format: "done == YES AND state != %@", "it's")))
    let text = try index(in: url)
    #expect(
      text
        == "CREATE INDEX Z_Note_some ON ZNOTE (ZRANK COLLATE BINARY DESC) WHERE (ZDONE = 1 AND ZSTATE IS NOT 'it''s')")
    let plan = try Shell.sql(
      url, "EXPLAIN QUERY PLAN SELECT * FROM ZNOTE t0 WHERE t0.ZDONE = 1 AND t0.ZSTATE IS NOT 'it''s' AND t0.ZRANK > 3")
    #expect(plan.joined().contains("USING INDEX Z_Note_some"), "\(plan)")
    // Others may write to the table.
    try Shell.sql(url, "INSERT INTO ZNOTE(Z_PK, ZDONE, ZRANK) VALUES(1, 1, 4)")
    #expect(try Shell.sql(url, "PRAGMA integrity_check") == ["ok"])
  }

  @Test func partialIndexIsUsedByFetches() throws {
    let url = try store(model([element("rank")], where: NSPredicate(format: "state == 'open' AND seen != nil")))
    let connection = try SQLiteConnection(path: url.path, readOnly: true, create: false, timeout: 1, pragmas: [])
    let schema = SQLModel(model: model([]))
    var fetch = SQLFetch(model: schema, entity: try #require(schema.entity(named: "Note")))
    fetch.predicate = NSPredicate(format: "state == %@ AND seen != nil AND rank > %d", "open", 5)
    let statement = try fetch.statement().statement
    let plan = try SQLiteStatement("EXPLAIN QUERY PLAN " + statement.text, on: connection)
    plan.bind(statement.bindings)
    var text = ""
    while try plan.step() { text += plan.string(3) ?? "" }
    #expect(text.contains("USING INDEX Z_Note_some"), "\(text)")
  }

  @Test func expressions() throws {
    let url = try store(model([element(NSExpression(format: "rank * 2 + 1")), element("author")]))
    let text = try index(in: url)
    #expect(
      text
        == "CREATE INDEX Z_Note_some ON ZNOTE (((ZRANK * 2) + 1) COLLATE BINARY ASC, ZAUTHOR COLLATE BINARY ASC)")
    let plan = try Shell.sql(url, "EXPLAIN QUERY PLAN SELECT * FROM ZNOTE WHERE (ZRANK * 2 + 1) = 7")
    #expect(plan.joined().contains("USING INDEX Z_Note_some"), "\(plan)")
  }

  /// What needs other rows, or functions that only this framework has, would keep others from writing the file.
  @Test(arguments: ["title CONTAINS[cd] 'a'", "author.name == 'a'", "author.notes.@count > 1", "title MATCHES 'a.*'"])
  func leftOut(condition: String) throws {
    let found = try index(in: try store(model([element("rank")], where: NSPredicate(format: condition))))
    #expect(found == nil)
  }

  @Test func otherKindsAreLeftOut() throws {
    #expect(try index(in: try store(model([element("rank", .rTree)]))) == nil)
    #expect(try index(in: try store(model([element(NSExpression(format: "lowercase(title)"))]))) == nil)
    #expect(try index(in: try store(model([element("nothing")]))) == nil)
  }

  @Test func uniquenessConstraints() throws {
    let context = TestModel.context(try TestModel.coordinator(model([])))
    try context.performAndWait {
      let first = context.make("Note", ["title": "a", "state": "b"])
      _ = context.make("Note", ["title": "a", "state": "c"])
      _ = context.make("Note", ["title": "a"])
      _ = context.make("Note", ["title": "a"])
      try context.save()
      let second = context.make("Note", ["title": "a", "state": "b"])
      #expect(throws: NSError.self) { try context.save() }
      do { try context.save() } catch { #expect((error as NSError).code == NSManagedObjectConstraintMergeError) }
      second.setValue("d", forKey: "state")
      try context.save()
      first.setValue("d", forKey: "state")
      do {
        try context.save()
        Issue.record("two notes are equal")
      } catch {
        #expect((error as NSError).code == NSManagedObjectConstraintMergeError)
      }
    }
  }
}
