import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite("A request for dictionaries that does not fit the model says what is wrong")
struct DictionaryErrorTests {
  private static let mixed = DictionaryFetchTests.computed("sum", "sum:(pages)")

  private func check(
    _ kind: TestStore, _ text: String, _ change: (NSFetchRequest<NSDictionary>) -> Void
  ) throws {
    let context = try DictionaryFetchTests.context(kind)
    try context.performAndWait { () throws in
      let request = DictionaryFetchTests.request(["title"])
      change(request)
      for isCount in [false, true] {
        let error = #expect(throws: NSError.self) {
          if isCount { _ = try context.count(for: request) } else { _ = try context.fetch(request) }
        }
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSCoreDataError)
        #expect(error?.localizedDescription.hasPrefix(text) == true, "\(error?.localizedDescription ?? "none")")
      }
    }
  }

  @Test(
    "Properties that the entity does not have, or that have no single value",
    arguments: TestStore.all,
    [
      ("colour", "Invalid keypath colour passed to setPropertiesToFetch: (entity Book)"),
      ("author.colour", "Invalid keypath author.colour passed to setPropertiesToFetch: (entity Book)"),
      ("genre", "Invalid keypath genre passed to setPropertiesToFetch: (entity Book)"),
      ("title.length", "Invalid keypath title.length passed to setPropertiesToFetch: (entity Book)"),
      ("tags", "Invalid keypath tags passed to setPropertiesToFetch: (entity Book): a to-many relationship"),
      ("tags.name", "Invalid keypath tags.name passed to setPropertiesToFetch: (entity Book): a to-many"),
      ("title", "Duplicate property name title passed to setPropertiesToFetch: (entity Book)"),
    ])
  func unknown(_ kind: TestStore, _ row: (String, String)) throws {
    try check(kind, row.1) { $0.propertiesToFetch = ["title", row.0] }
    if row.0 != "title" {
      let text = row.1.replacingOccurrences(of: "ToFetch", with: "ToGroupBy")
      try check(kind, text) { $0.propertiesToGroupBy = ["title", row.0] }
    }
  }

  @Test("Descriptions of another entity, and what is no description", arguments: TestStore.all)
  func descriptions(_ kind: TestStore) throws {
    let model = TestModel.library()
    let other = try #require(model.entitiesByName["Author"]?.attributesByName["name"])
    try check(kind, "Invalid property (name) passed to setPropertiesToFetch: (entity mismatch)") {
      $0.propertiesToFetch = [other]
    }
    withExtendedLifetime(model) {}
    try check(kind, "Invalid property (5) passed to setPropertiesToFetch: (entity Book)") { $0.propertiesToFetch = [5] }
    try check(kind, "Invalid property () passed to setPropertiesToFetch: (entity Book): an expression description") {
      $0.propertiesToFetch = [NSExpressionDescription()]
    }
  }

  @Test("Values beside aggregates, and groups", arguments: TestStore.all)
  func groups(_ kind: TestStore) throws {
    try check(kind, "Invalid fetch request: title has a value for each row, and cannot be fetched beside an aggregate")
    {
      $0.propertiesToFetch = ["title", Self.mixed]
    }
    let text =
      "SELECT clauses in queries with GROUP BY components can only contain properties named in the GROUP BY or "
    try check(kind, text + "aggregate functions (title isn't in the GROUP BY; entity Book)") {
      $0.propertiesToFetch = ["title", Self.mixed]
      $0.propertiesToGroupBy = ["author"]
    }
    try check(kind, text + "aggregate functions (pages isn't in the GROUP BY; entity Book)") {
      $0.propertiesToGroupBy = ["title"]
      $0.havingPredicate = NSPredicate(format: "pages > 5")
    }
    try check(kind, "Can't get value for 'total' in havingPredicate: nothing of that name is fetched") {
      $0.propertiesToGroupBy = ["title"]
      $0.havingPredicate = NSPredicate(format: "$total > 5")
    }
    try check(kind, "Invalid fetch request: HAVING requires GROUP BY") {
      $0.havingPredicate = NSPredicate(format: "title > 'x'")
    }
    try check(kind, "keypath colour not found in entity Book") {
      $0.propertiesToFetch = [DictionaryFetchTests.computed("x", "max:(colour)")]
    }
    try check(kind, "keypath total not found in entity Book") {
      $0.sortDescriptors = [NSSortDescriptor(key: "total", ascending: true)]
    }
  }

  @Test("Groups of objects, and an expression without SQL", arguments: TestStore.all)
  func others(_ store: TestStore) throws {
    try check(.sqlite, "Unsupported function expression") {
      $0.propertiesToFetch = [DictionaryFetchTests.computed("x", "mode:(pages)")]
    }
    let context = try DictionaryFetchTests.context(store)
    try context.performAndWait { () throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.propertiesToGroupBy = ["title"]
      let error = #expect(throws: NSError.self) { _ = try context.fetch(request) }
      #expect(error?.localizedDescription.hasPrefix("Invalid fetch request: GROUP BY requires") == true)
      request.propertiesToGroupBy = nil
      request.propertiesToFetch = ["title", "author"]
      #expect(try context.fetch(request).count == 4)
      for property in ["colour", Self.mixed] as [Any] {
        request.propertiesToFetch = [property]
        let error = #expect(throws: NSError.self) { _ = try context.fetch(request) }
        #expect(error?.localizedDescription.hasPrefix("Invalid ") == true)
      }
    }
  }
}
