#if PostgreSQL
  import Foundation
  import OpenCocoaFoundation
  import OpenCoreData
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("A server's plans", .needsServer)
  struct ExplainingTests {
    /// Makes a context with items. Their name has an index, their rank has none.
    private static func context() throws -> NSManagedObjectContext {
      PostgreSQLStore.register()
      let name = NSAttributeDescription(), rank = NSAttributeDescription()
      (name.name, name.attributeType, name.isOptional) = ("name", .stringAttributeType, true)
      (rank.name, rank.attributeType, rank.isOptional) = ("rank", .integer64AttributeType, true)
      let item = NSEntityDescription()
      item.name = "Item"
      item.properties = [name, rank]
      item.indexes = [
        NSFetchIndexDescription(
          name: "byName", elements: [NSFetchIndexElementDescription(property: name, collationType: .binary)])
      ]
      let model = NSManagedObjectModel()
      model.entities = [item]
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(
        ofType: NSPostgreSQLStoreType, configurationName: nil, at: try TestPlace.new(), options: nil)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      try context.performAndWait {
        for number in 0..<20 {
          let object = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
          object.setValue("Item \(number)", forKey: "name")
          object.setValue(number, forKey: "rank")
        }
        try context.save()
      }
      return context
    }

    private static func explain<Result: NSFetchRequestResult>(
      _ format: String?, sortedBy key: String? = nil, as result: Result.Type = NSManagedObject.self
    ) throws -> (query: ExplainedQuery, advice: IndexAdvice) {
      let context = try context()
      return try context.performAndWait { () throws in
        let request = NSFetchRequest<Result>(entityName: "Item")
        request.predicate = try format.map { try NSPredicate(parsing: $0) }
        request.sortDescriptors = key.map { [NSSortDescriptor(key: $0, ascending: true)] }
        if result == NSManagedObjectID.self { request.resultType = .managedObjectIDResultType }
        let explained = try context.explain { try context.fetch(request) }
        let query = try #require(explained.queries.first)
        let advice = query.advice(
          entity: "Item", predicate: request.predicate, sortDescriptors: request.sortDescriptors ?? [])
        return (query, advice)
      }
    }

    @Test func theValuesAndTheStepsAreShown() throws {
      let (query, advice) = try Self.explain("rank > 17")
      #expect(query.bindings == ["17"])
      #expect(query.plan.count == 1 && query.plan[0].hasPrefix("Seq Scan on \"Item\" t0"))
      #expect(query.words?.first?.hasPrefix("reads every row of Item, and keeps those with") == true)
      #expect(query.scansTable && !query.sorts && !query.groups)
      #expect(advice == .missing(entity: "Item", properties: ["rank"]))
    }

    /// The server reads a table of twenty rows as a whole, even if there is an index.
    @Test(arguments: ["name == 'Item 3'", "name BEGINSWITH 'Item 1'", "name IN {'Item 1', 'Item 2'}"])
    func anIndexThatCouldServeIsNotMissing(_ format: String) throws {
      let (query, advice) = try Self.explain(format)
      #expect(advice == .served)
      #expect(query.indexes.count == 1 && query.indexes[0].contains("byName"))
    }

    @Test func ordersAreServedByAnIndexOrSorted() throws {
      func check<Result: NSFetchRequestResult>(_ type: Result.Type) throws {
        let (byName, first) = try Self.explain(nil, sortedBy: "name", as: type)
        #expect(!byName.sorts && first == .served)
        let (byRank, second) = try Self.explain(nil, sortedBy: "rank", as: type)
        #expect(byRank.sorts && second == .missing(entity: "Item", properties: ["rank"]))
      }
      try check(NSManagedObject.self)
      try check(NSManagedObjectID.self)
    }

    @Test func objectsAreFoundByTheirKeys() throws {
      let context = try Self.context()
      try context.performAndWait { () throws in
        let ids = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")).map(\.objectID)
        context.reset()
        let explained = try context.explain { try context.existingObject(with: ids[3]).value(forKey: "rank") }
        for query in explained.queries { #expect(!query.scansTable && query.indexes == ["Item_pkey"]) }
      }
    }
  }
#endif
