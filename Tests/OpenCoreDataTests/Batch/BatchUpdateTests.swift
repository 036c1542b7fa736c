import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Batch updates as a context executes them.
@Suite struct BatchUpdateTests {
  /// Five people and a manager, aged 0 to 5, with the manager for a boss.
  private func coordinator(_ store: TestStore, url: URL? = nil) throws -> NSPersistentStoreCoordinator {
    let coordinator = try Society.coordinator(store, url: url)
    try coordinator.inContext { context in
      let boss = context.make("Manager", ["name": "P5", "age": 5])
      for number in 0..<5 { _ = context.make("Person", ["name": "P\(number)", "age": number, "boss": boss]) }
      try context.save()
    }
    return coordinator
  }

  private func ages(_ coordinator: NSPersistentStoreCoordinator) throws -> [Int?] {
    try coordinator.inContext { try $0.all("Person", sortedBy: "name").map { $0.number("age") } }
  }

  private func request(_ values: [AnyHashable: Any], where format: String? = nil) -> NSBatchUpdateRequest {
    let request = NSBatchUpdateRequest(entityName: "Person")
    request.propertiesToUpdate = values
    request.predicate = format.map { NSPredicate(format: $0) }
    return request
  }

  @Test(arguments: TestStore.all(that: .batchUpdates)) func theThreeResultTypes(_ store: TestStore) throws {
    let coordinator = try coordinator(store)
    try coordinator.inContext { context in
      let request = request(["age": 50], where: "age >= 3")
      var result = try #require(try context.execute(request) as? NSBatchUpdateResult)
      #expect(result.resultType == .statusOnlyResultType && result.result as? Bool == true)
      request.predicate = NSPredicate(format: "age == 50")
      request.resultType = .updatedObjectsCountResultType
      result = try #require(try context.execute(request) as? NSBatchUpdateResult)
      #expect(result.result as? Int == 3)
      request.resultType = .updatedObjectIDsResultType
      result = try #require(try context.execute(request) as? NSBatchUpdateResult)
      let ids = try #require(result.result as? [NSManagedObjectID])
      #expect(Set(ids.map { context.object(with: $0).text("name") }) == ["P3", "P4", "P5"])
      #expect(Set(ids.map { $0.entity.name }) == ["Person", "Manager"])
      request.predicate = NSPredicate(format: "age == 1000")
      result = try #require(try context.execute(request) as? NSBatchUpdateResult)
      #expect((result.result as? [NSManagedObjectID])?.isEmpty == true)
    }
    #expect(try ages(coordinator) == [0, 1, 2, 50, 50, 50])
  }

  @Test func expressionsDescriptionsAndNil() throws {
    let coordinator = try coordinator(.sqlite)
    let person = try #require(coordinator.managedObjectModel.entitiesByName["Person"])
    let age = try #require(person.attributesByName["age"])
    let request = NSBatchUpdateRequest(entity: person)
    request.propertiesToUpdate = [age: NSExpression(format: "age * 2 + 1"), "number": NSNull(), "boss": NSNull()]
    request.includesSubentities = false
    try coordinator.inContext { context in
      let statements = try StatementLog.collect(thisThread: true) { try context.execute(request) }.statements
      #expect(statements.filter { $0.hasPrefix("UPDATE") }.count == 1)
      #expect(!statements.contains { $0.hasPrefix("SELECT") })
    }
    #expect(try ages(coordinator) == [1, 3, 5, 7, 9, 5])
    #expect(try coordinator.inContext { try $0.all("Person").allSatisfy { $0.one("boss") == nil } })
  }

  @Test(arguments: TestStore.all(that: .batchUpdates))
  func objectsKeepTheirValuesUntilTheyAreRefreshed(_ store: TestStore) throws {
    let coordinator = try coordinator(store)
    try coordinator.inContext { context in
      let person = try context.named("P1")
      #expect(person.number("age") == 1)
      _ = try context.execute(request(["age": 9]))
      #expect(person.number("age") == 1)
      context.refresh(person, mergeChanges: false)
      #expect(person.number("age") == 9)
      // Who has not seen the batch's version of the row does not overwrite it.
      let other = try context.named("P2")
      #expect(other.number("age") == 9)
      _ = try context.execute(request(["age": 10]))
      other.setValue(11, forKey: "age")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError)
    }
  }

  @Test(
    arguments: [
      ("shoeSize", 3 as any Sendable, nil as String?, ["shoeSize", "Person"]),
      ("age", "three", nil, ["age", "Person", "NSNumber", "String; value = three"]),
      ("boss", 7, nil, ["boss", "a saved Person", "Int; value = 7"]),
      ("age", NSExpression(format: "boss.age"), nil, ["age", "Person", "relationship"]),
      ("age", 3, "colour == 1", ["colour", "Person"]),
    ], TestStore.all(that: .batchUpdates))
  func whatDoesNotFitIsNamed(
    _ row: (key: String, value: any Sendable, format: String?, parts: [String]), _ store: TestStore
  )
    throws
  {
    let (key, value, format, parts) = row
    let coordinator = try coordinator(store)
    try coordinator.inContext { context in
      let error = #expect(throws: NSError.self) { try context.execute(request([key: value], where: format)) }
      let text = error?.localizedDescription ?? ""
      #expect(error?.domain == NSCocoaErrorDomain && parts.allSatisfy { text.contains($0) }, "\(text)")
    }
    #expect(try ages(coordinator) == [0, 1, 2, 3, 4, 5])
  }

  @Test(arguments: TestStore.all(that: .batchUpdates))
  func aPredicateMayLeadThroughRelationships(_ store: TestStore) throws {
    let coordinator = try coordinator(store)
    try coordinator.inContext { context in
      _ = try context.execute(request(["age": NSExpression(format: "age + 10")], where: "boss.name == 'P5'"))
      _ = try context.execute(request(["name": "Boss"], where: "reports.@count > 2"))
    }
    #expect(
      try coordinator.inContext { try $0.all("Person", sortedBy: "name").map { $0.number("age") } }
        == [5, 10, 11, 12, 13, 14])
  }

  @Test(arguments: TestStore.all(that: .batchUpdates))
  func bothEndsOfAOneToOneRelationshipCannotBeChanged(_ store: TestStore) throws {
    try coordinator(store).inContext { context throws in
      let error = #expect(throws: NSError.self) { try context.execute(request(["passport": NSNull()])) }
      #expect(error?.localizedDescription.contains("passport of Person") == true)
    }
  }

  @Test(arguments: TestStore.all(that: .batchUpdates)) func anObjectOfAnotherStoreIsRefused(_ store: TestStore) throws {
    let coordinator = try coordinator(store)
    let other = try store.add(to: coordinator, url: try store.place())
    try coordinator.inContext { context in
      let stranger = context.make("Person", ["name": "X"])
      context.assign(stranger, to: other)
      try context.save()
      for value in [stranger, stranger.objectID, NSExpression(forConstantValue: stranger)] as [Any] {
        let error = #expect(throws: NSError.self) { try context.execute(request(["boss": value])) }
        #expect(error?.code == NSManagedObjectExternalRelationshipError)
      }
      let update = request(["boss": stranger])
      update.affectedStores = [other]
      _ = try context.execute(update)
      context.refreshAllObjects()
      #expect(stranger.one("boss") === stranger)
    }
  }

  @Test(arguments: TestStore.all(that: .batchUpdates)) func otherRequestsAreRefused(_ store: TestStore) throws {
    try coordinator(store).inContext { context in
      let error = #expect(throws: NSError.self) { try context.execute(NSPersistentStoreRequest()) }
      #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    }
  }
}
