import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// The statements that fetches of objects, IDs and counts send, as a context sends them.
@Suite("The statements of fetch requests")
struct RequestSQLTests {
  private func sql(
    _ entity: String = "Book", counts: Bool = false, warm: String? = nil,
    _ change: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
  ) throws -> [String] {
    let context = try DictionaryFetchTests.context(.sqlite)
    return try context.performAndWait { () throws -> [String] in
      context.reset()
      context.persistentStoreCoordinator?.emptyRowCache()
      if let warm { _ = try context.all(warm) }
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      change(request)
      let log = try StatementLog.collect(thisThread: true) {
        if counts { _ = try context.count(for: request) } else { _ = try context.fetch(request) }
      }
      return log.statements.filter { $0.hasPrefix("SELECT") }
    }
  }

  private let author = "SELECT t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZAGE, t0.ZNAME FROM ZAUTHOR t0"

  @Test("Conditions, orders and pages")
  func plain() throws {
    #expect(try sql("Author") == [author])
    #expect(
      try sql("Author") {
        $0.predicate = NSPredicate(format: "age > 3 AND name BEGINSWITH 'A'")
        $0.sortDescriptors = [
          NSSortDescriptor(key: "name", ascending: true, selector: "localizedStandardCompare:"),
          NSSortDescriptor(key: "age", ascending: false),
        ]
        ($0.fetchLimit, $0.fetchOffset) = (5, 2)
      }.first?.hasSuffix(
        " ORDER BY t0.ZNAME COLLATE NSCollateFinderlike, t0.ZAGE DESC LIMIT ? OFFSET ?") == true)
  }

  @Test("Keys alone")
  func keys() throws {
    let keys = "SELECT t0.Z_PK, 1 FROM ZAUTHOR t0"
    #expect(try sql("Author") { $0.includesPropertyValues = false } == [keys])
    #expect(try sql("Author") { $0.fetchBatchSize = 2 } == [keys])
  }

  @Test("Subentities, and one without them")
  func entities() throws {
    let keys = "SELECT t0.Z_PK, t0.Z_ENT FROM ZBOOK t0"
    #expect(try sql { $0.includesPropertyValues = false } == [keys])
    let own = " WHERE likelihood(t0.Z_ENT = 2, 0.4)"
    #expect(
      try sql {
        $0.includesPropertyValues = false
        $0.includesSubentities = false
      } == [keys + own])
    #expect(
      try sql("Novel") { $0.includesPropertyValues = false } == [keys + " WHERE likelihood(t0.Z_ENT = 3, 0.4)"])
  }

  @Test("Orders by what a relationship leads to, and by the number of members")
  func orders() throws {
    #expect(
      try sql {
        $0.includesPropertyValues = false
        $0.sortDescriptors = [
          NSSortDescriptor(key: "author.name", ascending: true), NSSortDescriptor(key: "tags.@count", ascending: false),
        ]
      } == [
        "SELECT t0.Z_PK, t0.Z_ENT FROM ZBOOK t0 LEFT OUTER JOIN ZAUTHOR t1 ON t0.ZAUTHOR = t1.Z_PK ORDER BY t1.ZNAME, "
          + "(SELECT COUNT(*) FROM Z_2TAGS t2 WHERE t2.Z_2BOOKS = t0.Z_PK) DESC"
      ])
  }

  @Test("Counts")
  func counts() throws {
    #expect(try sql(counts: true) == ["SELECT COUNT(*) FROM ZBOOK t0"])
    #expect(
      try sql(counts: true) {
        $0.predicate = NSPredicate(format: "author.name == 'Ann'")
        $0.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      } == ["SELECT COUNT(*) FROM ZBOOK t0 JOIN ZAUTHOR t1 ON t0.ZAUTHOR = t1.Z_PK WHERE t1.ZNAME = ?"])
    #expect(
      try sql(counts: true) { ($0.fetchLimit, $0.fetchOffset) = (3, 1) }
        == ["SELECT COUNT(*) FROM (SELECT 1 FROM ZBOOK t0 LIMIT ? OFFSET ?)"])
  }

  @Test("Prefetching asks once for each relationship")
  func prefetching() throws {
    var statements = try sql("Author") { $0.relationshipKeyPathsForPrefetching = ["books"] }
    #expect(statements.count == 2 && statements[0] == author)
    #expect(
      statements[1] == "SELECT t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZINPRINT, t0.ZPAGES, t0.ZPUBLISHED, t0.ZWEIGHT, "
        + "t0.ZPRICE, t0.ZLINK, t0.ZTITLE, t0.ZISBN, t0.ZCOVER, t0.ZAUTHOR, t0.ZGENRE FROM ZBOOK t0 ORDER BY t0.Z_PK")
    statements = try sql("Author") {
      $0.predicate = NSPredicate(format: "name != nil")
      $0.relationshipKeyPathsForPrefetching = ["books"]
    }
    #expect(statements.count == 2)
    #expect(
      statements[1].hasSuffix(
        " FROM ZBOOK t0 WHERE t0.ZAUTHOR IN (SELECT value FROM json_each(?)) ORDER BY t0.ZAUTHOR, t0.Z_PK"))
  }

  @Test("Prefetching reads keys alone where rows are at hand, and then the rows that are missing")
  func prefetchingBesideCachedRows() throws {
    let statements = try sql("Author", warm: "Book") { $0.relationshipKeyPathsForPrefetching = ["books"] }
    #expect(
      statements[1...] == [
        "SELECT t0.ZAUTHOR, t0.Z_PK, t0.Z_ENT FROM ZBOOK t0 WHERE t0.ZAUTHOR IN (SELECT value FROM "
          + "json_each(?)) ORDER BY t0.ZAUTHOR, t0.Z_PK"
      ])
  }

  @Test("Rows that pending changes hide")
  func pending() throws {
    let context = try DictionaryFetchTests.context(.sqlite)
    try context.performAndWait { () throws in
      let all = try context.all("Book", sortedBy: "title")
      all[0].setValue("Z", forKey: "title")
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.includesPropertyValues = false
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      request.fetchOffset = 2
      var titles: [String?] = []
      let log = try StatementLog.collect(thisThread: true) {
        titles = try context.fetch(request).map { $0.text("title") }
      }
      #expect(titles == ["Two", "Z"])
      #expect(
        log.statements.contains(
          "SELECT t0.Z_PK, t0.Z_ENT FROM ZBOOK t0 WHERE (t0.Z_PK IN (SELECT value FROM json_each(?))) IS NOT 1 "
            + "ORDER BY t0.ZTITLE LIMIT ? OFFSET ?"), "\(log.statements)")
    }
  }
}
