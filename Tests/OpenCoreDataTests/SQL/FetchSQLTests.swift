import Foundation
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite("The statements of fetches and batches")
struct FetchSQLTests {
  let fixture: PeopleFixture
  let schema: SQLModel
  let person: SQLEntity
  let employee: SQLEntity

  init() throws {
    fixture = try PeopleFixture(seed: 42)
    schema = fixture.database.schema
    person = try fixture.database.entity("Person")
    employee = try fixture.database.entity("Employee")
  }

  @Test("Rows of a hierarchy come with the columns of all its entities")
  func rows() throws {
    let fetch = SQLFetch(model: schema, entity: person)
    let statement = try fetch.statement()
    #expect(
      statement.statement.text
        == "SELECT t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZACTIVE, t0.ZAGE, t0.ZBIG, t0.ZBORN, t0.ZHEIGHT, t0.ZWEIGHT, "
        + "t0.ZPRICE, "
        + "t0.ZLINK, t0.ZNAME, t0.ZUID, t0.ZPHOTO, t0.ZBOSS, t0.Z1_BOSS, t0.ZTITLE FROM ZPERSON t0")
    let rows = try fixture.database.run(statement.statement)
    #expect(rows.count == fixture.people.count)
    #expect(statement.layout?.positions[employee.number]?.last == 13)
    #expect(statement.layout?.positions[person.number]?.count == 13)
  }

  @Test("An entity's own rows, in pages")
  func pages() throws {
    var fetch = SQLFetch(model: schema, entity: employee)
    fetch.result = .keys
    fetch.limit = 3
    fetch.offset = 2
    fetch.sortDescriptors = [NSSortDescriptor(key: "boss.name", ascending: false)]
    let statement = try fetch.statement()
    #expect(
      statement.statement.text
        == "SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0 LEFT OUTER JOIN ZPERSON t1 ON t0.ZBOSS = t1.Z_PK "
        + "WHERE likelihood(t0.Z_ENT = 2, 0.4) ORDER BY t1.ZNAME DESC LIMIT ? OFFSET ?")
    #expect(statement.statement.bindings == [.integer(3), .integer(2)])
    #expect(try fixture.database.run(statement.statement).count == 3)
    fetch.result = .count
    #expect(try fixture.database.run(try fetch.statement().statement) == [[.integer(3)]])
    fetch.entity.numbers.forEach { #expect($0 == 2) }
    var own = SQLFetch(model: schema, entity: person)
    own.includesSubentities = false
    own.result = .count
    #expect(
      try own.statement().statement.text == "SELECT COUNT(*) FROM ZPERSON t0 WHERE likelihood(t0.Z_ENT = 1, 0.4)")
  }

  @Test(
    "The order of the database is that of sort descriptors in memory",
    arguments: [
      "compare:", "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
      "localizedStandardCompare:",
    ])
  func order(_ selector: String) throws {
    for (key, ascending) in [("name", true), ("name", false), ("boss.name", true), ("age", true), ("boss.born", false)]
    {
      var fetch = SQLFetch(model: schema, entity: person)
      let descriptor = NSSortDescriptor(key: key, ascending: ascending, selector: Selector(selector))
      fetch.sortDescriptors = [descriptor]
      fetch.result = .keys
      let keys = try fixture.database.run(try fetch.statement().statement).map(\.[0])
      let objects = keys.compactMap { key in fixture.people.first { .integer($0.primaryKey) == key } }
      #expect(objects.count == fixture.people.count)
      for (first, second) in zip(objects, objects.dropFirst()) {
        #expect(descriptor.compare(first, to: second) != .orderedDescending, "\(key) \(selector)")
      }
    }
  }

  @Test("Sort keys that a store cannot sort by are refused")
  func badOrder() throws {
    for (descriptor, text) in [
      (NSSortDescriptor(key: "tags", ascending: true), "to-many key not allowed here: tags"),
      (NSSortDescriptor(key: "nothing", ascending: true), "keypath nothing not found in entity Person"),
      (NSSortDescriptor(key: "objectID", ascending: true), "keypath objectID not found in entity Person"),
      (
        NSSortDescriptor(key: "name", ascending: true, selector: "foo:"), "unsupported NSSortDescriptor selector: foo:"
      ),
      (
        NSSortDescriptor(key: "name", ascending: true) { _, _ in .orderedSame },
        "unsupported NSSortDescriptor (comparator blocks are not supported)"
      ),
    ] {
      var fetch = SQLFetch(model: schema, entity: person)
      fetch.sortDescriptors = [descriptor]
      let error = #expect(throws: NSError.self) { try fetch.statement() }
      #expect(error?.localizedDescription == text)
    }
  }

  @Test("Values are grouped and filtered by group")
  func values() throws {
    var fetch = SQLFetch(model: schema, entity: person)
    let sum = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "age")])
    fetch.result = .values(
      [
        SQLFetchedValue(name: "boss", expression: NSExpression(forKeyPath: "boss")),
        SQLFetchedValue(name: "total", expression: sum),
      ], groupBy: [NSExpression(forKeyPath: "boss")], having: NSPredicate(format: "$total > 3"))
    let statement = try fetch.statement()
    #expect(
      statement.statement.text
        == "SELECT t0.ZBOSS, t0.Z1_BOSS, TOTAL(t0.ZAGE) FROM ZPERSON t0 GROUP BY t0.ZBOSS HAVING TOTAL(t0.ZAGE) > ?")
    #expect(statement.kinds == [.key(root: 1), .number])
    try fixture.database.run(statement.statement)
    fetch.isDistinct = true
    fetch.result = .values(
      [SQLFetchedValue(name: "age", expression: NSExpression(forKeyPath: "age"))], groupBy: [], having: nil)
    let distinct = try fetch.statement().statement
    #expect(distinct.text == "SELECT DISTINCT t0.ZAGE FROM ZPERSON t0")
    let ages = try fixture.database.run(distinct)
    #expect(Set(ages).count == ages.count)
  }

  @Test("A batch changes the rows that a predicate selects")
  func batch() throws {
    var batch = SQLBatch(model: schema, entity: person)
    batch.predicate = NSPredicate(format: "age > 2")
    batch.returnsKeys = true
    let expected = fixture.expected(NSPredicate(format: "age > 2"))
    let update = try batch.update(["age": NSExpression(format: "age + 100"), "name": "x", "boss": nil])
    #expect(
      update.text
        == "UPDATE ZPERSON AS t0 SET ZAGE = (t0.ZAGE + ?), ZBOSS = NULL, Z1_BOSS = NULL, ZNAME = ?, "
        + "Z_OPT = (t0.Z_OPT + 1) WHERE t0.ZAGE > ? RETURNING Z_PK, Z_ENT")
    #expect(try fixture.database.run(update).count == expected.count)
    #expect(try fixture.database.keys("Person", NSPredicate(format: "age > 100 AND name == 'x'")) == expected)
    var delete = SQLBatch(model: schema, entity: employee)
    delete.predicate = NSPredicate(format: "boss.age < 3")
    let statement = try delete.delete()
    #expect(statement.text.contains("WHERE t0.Z_PK IN (SELECT t0.Z_PK FROM ZPERSON t0 JOIN ZPERSON t1"))
    try fixture.database.run(statement)
    #expect(try fixture.database.keys("Employee", delete.predicate).isEmpty)
    #expect(throws: NSError.self) { try batch.update(["nothing": 1]) }
    #expect(throws: NSError.self) { try batch.update(["age": "five"]) }
  }
}
