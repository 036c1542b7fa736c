import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite("Members of fetch requests")
struct FetchRequestMemberTests {
  private func full(_ entity: NSEntityDescription?) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    if let entity { request.entity = entity }
    request.predicate = NSPredicate(format: "pages > 5 AND author.name != 'x'")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
    (request.fetchLimit, request.fetchOffset, request.fetchBatchSize) = (4, 3, 2)
    request.resultType = .dictionaryResultType
    request.includesSubentities = false
    request.includesPropertyValues = false
    request.includesPendingChanges = false
    request.returnsObjectsAsFaults = false
    request.shouldRefreshRefetchedObjects = true
    request.returnsDistinctResults = true
    request.relationshipKeyPathsForPrefetching = ["tags"]
    request.propertiesToFetch = ["title", "author.name"]
    request.propertiesToGroupBy = ["title"]
    request.havingPredicate = NSPredicate(format: "count:(title) > 1")
    return request
  }

  private func check<Copy>(_ copy: NSFetchRequest<Copy>, _ original: NSFetchRequest<NSManagedObject>) {
    #expect(copy as AnyObject !== original as AnyObject)
    #expect(FetchRequestTemplate(copy) == FetchRequestTemplate(original))
    #expect(copy.propertiesToFetch as? [String] == ["title", "author.name"])
    #expect(copy.havingPredicate == original.havingPredicate && copy.shouldRefreshRefetchedObjects)
    #expect(copy.entityName == "Book" && copy.returnsDistinctResults && copy.fetchBatchSize == 2)
  }

  @Test("A copy asks for the same")
  func copies() throws {
    for entity in [nil, TestModel.library().entitiesByName["Book"]] {
      let original = full(entity)
      let copy = try #require(original.copy() as? NSFetchRequest<NSManagedObject>)
      check(copy, original)
      #expect((copy.entity == nil) == (entity == nil))
      copy.predicate = nil
      #expect(original.predicate != nil)
    }
  }

  @Test("An archived request asks for the same")
  func archives() throws {
    let model = TestModel.library()
    for entity in [nil, model.entitiesByName["Book"]] {
      let original = full(entity)
      let data = try NSKeyedArchiver.archivedData(withRootObject: original, requiringSecureCoding: false)
      let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
      unarchiver.requiresSecureCoding = false
      let copy = try #require(
        unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? NSFetchRequest<any NSFetchRequestResult>)
      check(copy, original)
    }
  }

  @Test("A template keeps what a request for dictionaries says", arguments: TestStore.all)
  func templates(_ store: TestStore) throws {
    let context = try DictionaryFetchTests.context(store)
    let model = NSManagedObjectModel()
    model.entities = TestModel.library().entities.map { $0.copy() as! NSEntityDescription }
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["title", "pages"]
    request.predicate = NSPredicate(format: "pages > $MIN")
    model.setFetchRequestTemplate(request, forName: "long")
    let template = try #require(model.fetchRequestFromTemplate(withName: "long", substitutionVariables: ["MIN": 60]))
    try context.performAndWait { () throws in
      let byName = NSFetchRequest<NSDictionary>(entityName: "Book")
      byName.resultType = template.resultType
      byName.propertiesToFetch = template.propertiesToFetch
      byName.predicate = template.predicate
      #expect(try Set(context.fetch(byName).compactMap { $0["title"] as? String }) == ["One", "Two"])
    }
  }

  @Test("Realised objects are refreshed if that is asked for", arguments: TestStore.all)
  func refreshing(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library())
    let first = TestModel.context(coordinator), second = TestModel.context(coordinator)
    try first.performAndWait { () throws in
      let book = first.make("Book", ["title": "Old", "pages": 1])
      try first.save()
      try second.performAndWait { () throws in
        try second.all("Book")[0].setValue("New", forKey: "title")
        try second.save()
      }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      #expect(try first.fetch(request)[0].text("title") == "Old")
      book.setValue(2, forKey: "pages")
      request.shouldRefreshRefetchedObjects = true
      #expect(try first.fetch(request)[0] === book)
      #expect(book.text("title") == "New" && book.number("pages") == 2 && book.hasChanges)
    }
  }

  @Test("Several stores make one order, and dictionaries of all together")
  func severalStores() throws {
    let coordinator = try TestModel.coordinator(TestModel.library())
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = TestModel.context(coordinator)
    try context.performAndWait { () throws in
      for number in 0..<10 {
        let book = context.make("Book", ["title": "B\(number)", "pages": number])
        context.assign(book, to: coordinator.persistentStores[number % 2])
      }
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: false)]
      (request.fetchLimit, request.fetchOffset) = (4, 3)
      #expect(try context.fetch(request).map { $0.number("pages") } == [6, 5, 4, 3])
      #expect(try context.count(for: request) == 4)
      request.affectedStores = [coordinator.persistentStores[1]]
      #expect(try context.fetch(request).map { $0.number("pages") } == [3, 1])
      #expect(try context.count(for: request) == 2)
      let sums = DictionaryFetchTests.request([DictionaryFetchTests.computed("sum", "sum:(pages)")], sortedBy: nil)
      #expect(try context.fetch(sums).map { $0["sum"] as? Int } == [45])
      let sorted = DictionaryFetchTests.request(["title"])
      (sorted.fetchLimit, sorted.fetchOffset) = (3, 4)
      #expect(try context.fetch(sorted).map { $0["title"] as? String } == ["B4", "B5", "B6"])
      #expect(try context.count(for: sorted) == 3)
      let plain = DictionaryFetchTests.request(["title"], sortedBy: nil)
      plain.fetchOffset = 3
      #expect(try context.fetch(plain).count == 7 && context.count(for: plain) == 7)
    }
  }
}

@Suite("Templates of requests for dictionaries in archives of models")
struct ArchivedTemplateTests {
  @Test("What they fetch, group by and filter by stays", arguments: TestStore.all)
  func archives(_ store: TestStore) throws {
    let model = TestModel.library()
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
    request.resultType = .dictionaryResultType
    let count = DictionaryFetchTests.computed("n", "count:(title)", .integer32AttributeType)
    request.propertiesToFetch = ["author.name", count]
    request.propertiesToGroupBy = ["author.name"]
    request.havingPredicate = NSPredicate(format: "$n > 1")
    request.returnsDistinctResults = true
    model.setFetchRequestTemplate(request, forName: "counts")
    let data = try NSKeyedArchiver.archivedData(withRootObject: model, requiringSecureCoding: true)
    let copy = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSManagedObjectModel.self, from: data))
    let read = try #require(copy.fetchRequestTemplate(forName: "counts"))
    #expect(read.propertiesToFetch?.first as? String == "author.name")
    let computed = try #require(read.propertiesToFetch?.last as? NSExpressionDescription)
    #expect(computed.name == "n" && computed.expressionResultType == .integer32AttributeType)
    #expect(computed.expression?.description == "count:(title)" || computed.expression?.description == "count(title)")
    #expect(read.propertiesToGroupBy as? [String] == ["author.name"])
    #expect(read.havingPredicate == request.havingPredicate && read.returnsDistinctResults)
    let context = TestModel.context(try store.coordinator(copy))
    try context.performAndWait { () throws in
      let author = context.make("Author", ["name": "A"])
      for _ in 0..<2 { _ = context.make("Book", ["title": "x", "author": author]) }
      try context.save()
      let rows = try context.fetch(try #require(copy.fetchRequestTemplate(forName: "counts")))
      #expect((rows as? [NSDictionary])?.first?["n"] as? Int == 2 && rows.count == 1)
    }
  }
}
