import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite("The statements of requests for dictionaries")
struct DictionarySQLTests {
  /// The SELECTs of a fetch.
  private func sql(_ change: (NSFetchRequest<NSDictionary>) -> Void) throws -> [String] {
    let context = try DictionaryFetchTests.context(.sqlite)
    return try context.performAndWait { () throws -> [String] in
      let request = DictionaryFetchTests.request(["title"], sortedBy: nil)
      change(request)
      let log = try StatementLog.collect(thisThread: true) { _ = try context.fetch(request) }
      return log.statements.filter { $0.hasPrefix("SELECT") }
    }
  }

  @Test("Attributes, key paths and relationships")
  func properties() throws {
    #expect(
      try sql {
        $0.propertiesToFetch = ["title", "author.name", "author", "objectID"]
        $0.predicate = NSPredicate(format: "author.age > 3")
        $0.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
        $0.fetchLimit = 2
        $0.fetchOffset = 1
      } == [
        "SELECT t0.ZTITLE, t1.ZNAME, t0.ZAUTHOR, t1.Z_ENT, t0.Z_PK, t0.Z_ENT FROM ZBOOK t0 JOIN ZAUTHOR t1 ON "
          + "t0.ZAUTHOR = t1.Z_PK WHERE t1.ZAGE > ? ORDER BY t0.ZTITLE DESC LIMIT ? OFFSET ?"
      ])
  }

  @Test("Aggregates, of members too")
  func aggregates() throws {
    #expect(
      try sql {
        $0.propertiesToFetch = [
          DictionaryFetchTests.computed("n", "count:(title)"), DictionaryFetchTests.computed("sum", "sum:(pages)"),
          DictionaryFetchTests.computed("tags", "count:(tags)"),
        ]
      } == [
        "SELECT COUNT(t0.ZTITLE), TOTAL(t0.ZPAGES), IFNULL(SUM((SELECT COUNT(*) FROM Z_2TAGS t1 WHERE "
          + "t1.Z_2BOOKS = t0.Z_PK)), 0) FROM ZBOOK t0"
      ])
  }

  @Test("Groups with a condition and an order")
  func groups() throws {
    #expect(
      try sql {
        $0.propertiesToFetch = ["author", DictionaryFetchTests.computed("n", "count:(title)")]
        $0.propertiesToGroupBy = ["author", "author.name"]
        $0.havingPredicate = NSPredicate(format: "$n > 1 AND author.name != 'x'")
        $0.sortDescriptors = [NSSortDescriptor(key: "n", ascending: false)]
      } == [
        "SELECT t0.ZAUTHOR, 1, COUNT(t0.ZTITLE) FROM ZBOOK t0 LEFT OUTER JOIN ZAUTHOR t1 ON t0.ZAUTHOR = t1.Z_PK "
          + "GROUP BY t0.ZAUTHOR, t1.ZNAME HAVING COUNT(t0.ZTITLE) > ? AND t1.ZNAME IS NOT ? "
          + "ORDER BY COUNT(t0.ZTITLE) DESC"
      ])
  }

  @Test("Distinct values, and their number")
  func distinct() throws {
    #expect(
      try sql { $0.returnsDistinctResults = true } == ["SELECT DISTINCT t0.ZTITLE FROM ZBOOK t0"])
    let context = try DictionaryFetchTests.context(.sqlite)
    try context.performAndWait { () throws in
      let request = DictionaryFetchTests.request(["title"], sortedBy: nil)
      request.returnsDistinctResults = true
      let log = try StatementLog.collect(thisThread: true) { _ = try context.count(for: request) }
      #expect(log.statements.contains("SELECT COUNT(*) FROM (SELECT DISTINCT t0.ZTITLE FROM ZBOOK t0)"))
    }
  }
}
