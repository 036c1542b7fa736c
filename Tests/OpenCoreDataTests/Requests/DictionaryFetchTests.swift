import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite("A fetch gives dictionaries of values")
struct DictionaryFetchTests {
  /// Two authors with books, one of them a novel, and a book without author.
  static func context(_ kind: TestStore) throws -> NSManagedObjectContext {
    let coordinator = try kind.coordinator(TestModel.library())
    let context = TestModel.context(coordinator)
    try context.performAndWait { () throws in
      let ann = context.make("Author", ["name": "Ann", "age": 40])
      let bob = context.make("Author", ["name": "Bob", "age": 60])
      let tags = ["a", "b", "c"].map { context.make("Tag", ["name": $0]) }
      for (title, pages, author, tagCount) in [
        ("One", 100, ann as NSManagedObject?, 2), ("Two", 300, ann, 1), ("Three", 50, bob, 0), ("Four", 10, nil, 3),
      ] {
        let values: [String: Any] = [
          "title": title, "pages": pages, "price": Decimal(string: "1.25") as Any,
          "published": Date(timeIntervalSinceReferenceDate: Double(pages)), "inPrint": pages > 60,
          "isbn": UUID(uuidString: "00000000-0000-0000-0000-0000000000\(pages % 90 + 10)") as Any, "weight": 0.5,
          "link": URL(string: "http://x.org/\(title)") as Any, "cover": Data([1, 2]),
        ]
        let book = context.make(title == "Two" ? "Novel" : "Book", values)
        book.setValue(author, forKey: "author")
        book.setValue(NSSet(array: Array(tags.prefix(tagCount))), forKey: "tags")
      }
      try context.save()
    }
    return context
  }

  /// Beside GROUP BY the paths are those of all rows of a group.
  @Test(arguments: TestStore.all) func pathsWithOperatorsBesideGroups(_ kind: TestStore) throws {
    let context = try Self.context(kind)
    try context.performAndWait {
      let request = NSFetchRequest<NSDictionary>(entityName: "Book")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = [
        "inPrint", Self.computed("plain", "tags.@count"), Self.computed("named", "tags.name.@count"),
        Self.computed("function", "count:(tags.name)"),
      ]
      request.propertiesToGroupBy = ["inPrint"]
      request.sortDescriptors = [NSSortDescriptor(key: "inPrint", ascending: true)]
      let rows = try context.fetch(request)
      #expect(rows.map { $0["function"] as? Int } == [3, 3])
      #expect(
        rows.allSatisfy { $0["plain"] as? Int == $0["function"] as? Int && $0["named"] as? Int == $0["plain"] as? Int })
    }
  }

  @Test(arguments: TestStore.all) func aDescriptionWithoutExpressionIsTheAttributeOfItsName(_ kind: TestStore) throws {
    let context = try Self.context(kind)
    try context.performAndWait { () throws in
      let title = NSExpressionDescription()
      title.name = "title"
      #expect(
        try context.fetch(Self.request([title])).map { $0["title"] as? String } == ["Four", "One", "Three", "Two"])
      let unknown = NSExpressionDescription()
      unknown.name = "unknown"
      #expect(throws: NSError.self) { try context.fetch(Self.request([unknown])) }
    }
  }

  static func request(_ properties: [Any]?, sortedBy key: String? = "title") -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: "Book")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = properties
    request.sortDescriptors = key.map { [NSSortDescriptor(key: $0, ascending: true)] }
    return request
  }

  static func computed(
    _ name: String, _ format: String, _ type: NSAttributeType = .undefinedAttributeType
  ) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    (description.name, description.expressionResultType) = (name, type)
    description.expression = OpenCocoaFoundation.NSExpression(format: format)
    return description
  }

  private func check(_ kind: TestStore, _ body: (NSManagedObjectContext) throws -> Void) throws {
    let context = try Self.context(kind)
    try context.performAndWait { try body(context) }
  }

  @Test("Every type of attribute; nil is left out", arguments: TestStore.all)
  func attributes(_ kind: TestStore) throws {
    try check(kind) { context throws in
      let book = context.make("Book", ["title": "Empty"])
      try context.save()
      let rows = try context.fetch(Self.request(nil))
      #expect(rows.map { $0["title"] as? String } == ["Empty", "Four", "One", "Three", "Two"])
      #expect(rows[0] == ["title": "Empty"] as NSDictionary)
      let one = rows[2]
      #expect(Set(one.allKeys.compactMap { $0 as? String }) == Set(book.entity.attributesByName.keys))
      #expect(one["pages"] as? Int == 100 && one["inPrint"] as? Bool == true && one["weight"] as? Double == 0.5)
      #expect(one["price"] as? NSDecimalNumber == NSDecimalNumber(string: "1.25"))
      #expect(one["published"] as? Date == Date(timeIntervalSinceReferenceDate: 100))
      #expect((one["isbn"] as? UUID)?.uuidString.hasSuffix("20") == true)
      #expect(one["link"] as? URL == URL(string: "http://x.org/One") && one["cover"] as? Data == Data([1, 2]))
    }
  }

  @Test(
    "Names, descriptions, key paths through to-one relationships, relationships and the object",
    arguments: TestStore.all)
  func properties(_ kind: TestStore) throws {
    try check(kind) { context throws in
      let attribute = try #require(context.all("Book").first?.entity.attributesByName["pages"])
      let rows = try context.fetch(Self.request(["title", attribute, "author.name", "author", "objectID"]))
      #expect(rows.map { $0["author.name"] as? String } == [nil, "Ann", "Bob", "Ann"])
      #expect(rows[0]["author"] == nil && rows[0].count == 3)
      let id = try #require(rows[1]["author"] as? NSManagedObjectID)
      #expect(context.object(with: id).text("name") == "Ann" && id.entity.name == "Author")
      let two = try #require(rows[3]["objectID"] as? NSManagedObjectID)
      #expect(two.entity.name == "Novel" && context.object(with: two).text("title") == "Two")
    }
  }

  @Test("Expressions of a row: arithmetic, strings, counts of members, choices", arguments: TestStore.all)
  func expressions(_ kind: TestStore) throws {
    try check(kind) { context throws in
      let rows = try context.fetch(
        Self.request([
          Self.computed("more", "pages * 2 + 1", .integer32AttributeType),
          Self.computed("loud", "uppercase:(title)", .stringAttributeType),
          Self.computed("tagCount", "tags.@count", .integer64AttributeType),
          Self.computed("size", "TERNARY(pages > 60, 'big', 'small')", .stringAttributeType),
          Self.computed("c", "SUBQUERY(tags, $t, $t.name > 'a').@count", .integer16AttributeType),
          Self.computed("text", "pages", .stringAttributeType), Self.computed("flag", "inPrint"),
        ]))
      #expect(rows.map { $0["more"] as? Int } == [21, 201, 101, 601])
      #expect(rows.map { $0["loud"] as? String } == ["FOUR", "ONE", "THREE", "TWO"])
      #expect(rows.map { $0["tagCount"] as? Int } == [3, 2, 0, 1])
      #expect(rows.map { $0["c"] as? Int } == [2, 1, 0, 0])
      #expect(rows.map { $0["size"] as? String } == ["small", "big", "small", "big"])
      #expect(rows.map { $0["text"] as? String } == ["10", "100", "50", "300"])
      #expect(rows.map { $0["flag"] as? Bool } == [false, true, false, true])
    }
  }

  @Test("Aggregates of all rows are one dictionary", arguments: TestStore.all)
  func aggregates(_ kind: TestStore) throws {
    try check(kind) { context throws in
      let request = Self.request(
        [
          Self.computed("n", "count:(title)", .integer64AttributeType),
          Self.computed("sum", "sum:(pages)", .integer64AttributeType),
          Self.computed("max", "max:(published)", .dateAttributeType), Self.computed("min", "min:(author.name)"),
          Self.computed("average", "average:(pages)", .doubleAttributeType),
          Self.computed("tags", "count:(tags)", .integer64AttributeType),
          Self.computed("twice", "sum:(pages) * 2", .integer64AttributeType),
        ], sortedBy: nil)
      let expected: NSDictionary = [
        "n": 4, "sum": 460, "max": Date(timeIntervalSinceReferenceDate: 300), "min": "Ann", "average": 115.0, "tags": 6,
        "twice": 920,
      ]
      #expect(try context.fetch(request) == [expected])
      #expect(try context.count(for: request) == 1)
      request.predicate = NSPredicate(format: "pages > 1000")
      #expect(try context.fetch(request) == [["n": 0, "sum": 0, "tags": 0, "twice": 0] as NSDictionary])
    }
  }

  @Test("Groups, filtered and sorted by what is computed of them", arguments: TestStore.all)
  func groups(_ kind: TestStore) throws {
    try check(kind) { context throws in
      let request = Self.request(
        ["author.name", Self.computed("total", "sum:(pages)", .integer64AttributeType)], sortedBy: "total")
      request.propertiesToGroupBy = ["author.name"]
      let rows = try context.fetch(request)
      #expect(rows.map { $0["total"] as? Int } == [10, 50, 400])
      #expect(rows.map { $0["author.name"] as? String } == [nil, "Bob", "Ann"])
      #expect(try context.count(for: request) == 3)
      for having in ["$total > 20", "sum:(pages) > 20", "author.name != nil AND count:(title) >= 1"] {
        request.havingPredicate = NSPredicate(format: having)
        #expect(try context.fetch(request).map { $0["author.name"] as? String } == ["Bob", "Ann"], "\(having)")
      }
      request.fetchOffset = 1
      request.fetchLimit = 5
      #expect(try context.fetch(request).map { $0["author.name"] as? String } == ["Ann"])
      #expect(try context.count(for: request) == 1)
    }
  }

  @Test("Groups by a computed value and by an object", arguments: TestStore.all)
  func computedGroups(_ kind: TestStore) throws {
    try check(kind) { context throws in
      let size = Self.computed("isLong", "TERNARY(pages >= 100, 1, 0)", .booleanAttributeType)
      let count = Self.computed("n", "count:(objectID)", .integer64AttributeType)
      let request = Self.request([size, count], sortedBy: "isLong")
      request.propertiesToGroupBy = ["isLong"]
      #expect(try context.fetch(request).map { $0["n"] as? Int } == [2, 2])
      let byAuthor = Self.request(["author", count], sortedBy: "n")
      byAuthor.propertiesToGroupBy = ["author"]
      byAuthor.predicate = NSPredicate(format: "author != nil")
      let rows = try context.fetch(byAuthor)
      #expect(rows.map { $0["n"] as? Int } == [1, 2])
      let names = rows.compactMap { ($0["author"] as? NSManagedObjectID).map { context.object(with: $0).text("name") } }
      #expect(names == ["Bob", "Ann"])
    }
  }

  @Test("A sort descriptor names what is fetched, unless it is a property of the entity", arguments: TestStore.all)
  func sorting(_ kind: TestStore) throws {
    try check(kind) { context throws in
      let negative = Self.computed("pages", "0 - pages", .integer32AttributeType)
      let renamed = Self.computed("length", "pages")
      #expect(
        try context.fetch(Self.request([negative], sortedBy: "pages")).map { $0["pages"] as? Int } == [
          -10, -50, -100, -300,
        ])
      #expect(
        try context.fetch(Self.request([renamed], sortedBy: "length")).map { $0["length"] as? Int } == [
          10, 50, 100, 300,
        ])
    }
  }

  @Test("Equal dictionaries come once if that is asked for", arguments: TestStore.all)
  func distinct(_ kind: TestStore) throws {
    try check(kind) { context throws in
      let request = Self.request(["author.name"], sortedBy: "author.name")
      request.returnsDistinctResults = true
      #expect(try context.fetch(request).map { $0["author.name"] as? String } == [nil, "Ann", "Bob"])
      #expect(try context.count(for: request) == 3)
      request.fetchLimit = 2
      #expect(try context.fetch(request).count == 2)
    }
  }

  @Test("They show the store alone, also in a child context", arguments: TestStore.all)
  func pending(_ kind: TestStore) throws {
    try check(kind) { context throws in
      let request = Self.request(["title"])
      _ = context.make("Book", ["title": "Five"])
      #expect(try context.fetch(request).count == 4 && context.count(for: request) == 4)
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = context
      try child.performAndWait { () throws in #expect(try child.fetch(request).count == 4) }
    }
  }

  @Test("In whatever type the caller asks for")
  func types() throws {
    try check(.sqlite) { context throws in
      let any = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
      any.resultType = .dictionaryResultType
      any.propertiesToFetch = ["title", "pages"]
      any.predicate = NSPredicate(format: "title == 'One'")
      let rows = try context.fetch(any)
      let cast = try #require(rows as? [[String: Any]])
      #expect(cast[0]["title"] as? String == "One" && cast[0]["pages"] as? Int == 100)
      #expect((rows as? [NSDictionary])?.first?["pages"] as? NSNumber == 100)
      #expect((rows.first as? [String: Any])?["title"] as? String == "One")
      let swift = NSFetchRequest<[String: Any]>(entityName: "Book")
      swift.resultType = .dictionaryResultType
      #expect(try context.fetch(swift).count == 4)
      let error = #expect(throws: NSError.self) {
        let wrong = NSFetchRequest<NSManagedObject>(entityName: "Book")
        wrong.resultType = .dictionaryResultType
        _ = try context.fetch(wrong)
      }
      #expect(error?.localizedDescription.contains("NSFetchRequest<NSManagedObject>") == true)
    }
  }
}
