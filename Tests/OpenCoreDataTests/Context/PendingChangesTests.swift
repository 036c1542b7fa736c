import CoreData
import Testing

@Suite struct PendingChangesTests {
  /// A to E are stored; then B becomes Z, C is deleted, and AA is new.
  private func edited(_ store: TestStore, _ body: (NSManagedObjectContext) throws -> Void) throws {
    try Society.coordinator(store).inContext { context in
      for (number, name) in ["A", "B", "C", "D", "E"].enumerated() {
        _ = context.make("Person", ["name": name, "number": number])
      }
      try context.save()
      try context.named("B").setValue("Z", forKey: "name")
      context.delete(try context.named("C"))
      _ = context.make("Person", ["name": "AA", "number": 9])
      try body(context)
    }
  }

  @Test(arguments: TestStore.all) func theyAreLaidOverFetches(_ store: TestStore) throws {
    try edited(store) { context throws in
      #expect(try context.names("Person") == ["A", "AA", "D", "E", "Z"])
      #expect(try context.names("Person", where: "name == 'B'") == [])
      #expect(try context.names("Person", where: "name == 'Z'") == ["Z"])
      #expect(try context.names("Person", where: "name BEGINSWITH 'A'") == ["A", "AA"])
      #expect(try context.names("Person", where: "number >= 2") == ["AA", "D", "E"])
    }
  }

  @Test(arguments: TestStore.all) func theyCountToo(_ store: TestStore) throws {
    try edited(store) { context throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      #expect(try context.count(for: request) == 5)
      request.predicate = NSPredicate(format: "name IN %@", ["B", "C", "Z", "AA"])
      #expect(try context.count(for: request) == 2)
      request.includesPendingChanges = false
      #expect(try context.count(for: request) == 2)
      request.predicate = NSPredicate(format: "name == 'B'")
      #expect(try context.count(for: request) == 1)
    }
  }

  @Test(arguments: TestStore.all) func withALimit(_ store: TestStore) throws {
    try edited(store) { context throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      for (limit, expected) in [
        (1, ["A"]), (2, ["A", "AA"]), (3, ["A", "AA", "D"]), (9, ["A", "AA", "D", "E", "Z"]),
      ] {
        request.fetchLimit = limit
        #expect(try context.fetch(request).map { $0.text("name") } == expected)
        #expect(try context.count(for: request) == expected.count)
      }
    }
  }

  @Test(arguments: TestStore.all) func withoutThemTheStoreDecidesButValuesAreTheContexts(_ store: TestStore) throws {
    try edited(store) { context throws in
      #expect(try context.names("Person", pending: false).sorted() == ["A", "C", "D", "E", "Z"])
      #expect(try context.names("Person", where: "name == 'B'", pending: false) == ["Z"])
    }
  }

  @Test(arguments: TestStore.all) func idsAndCountsAsResults(_ store: TestStore) throws {
    try edited(store) { context throws in
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
      ids.resultType = .managedObjectIDResultType
      #expect(try context.fetch(ids).count == 5)
      #expect(try context.fetch(ids).filter { $0.isTemporaryID }.count == 1)
      let count = NSFetchRequest<NSNumber>(entityName: "Person")
      count.resultType = .countResultType
      #expect(try context.fetch(count) == [5])
    }
  }

  @Test(arguments: TestStore.all) func relationshipsOfUnsavedObjectsInPredicates(_ store: TestStore) throws {
    try edited(store) { context in
      let boss = context.make("Manager", ["name": "Boss"])
      try context.named("A").setValue(boss, forKey: "boss")
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.predicate = NSPredicate(format: "boss == %@", boss)
      #expect(try context.fetch(request).map { $0.text("name") } == ["A"])
      request.predicate = NSPredicate(format: "boss.name == 'Boss'")
      #expect(try context.fetch(request).map { $0.text("name") } == ["A"])
      request.predicate = NSPredicate(format: "ANY reports.name == 'A'")
      #expect(try context.fetch(request) == [boss])
      try context.save()
      #expect(try context.fetch(request) == [boss])
    }
  }

  @Test(arguments: TestStore.all) func subentities(_ store: TestStore) throws {
    try edited(store) { context in
      _ = context.make("Manager", ["name": "M"])
      _ = context.make("Employee", ["name": "L"])
      for _ in 0..<2 {
        #expect(try context.names("Person", where: "name >= 'E'") == ["E", "L", "M", "Z"])
        #expect(try context.names("Employee") == ["L", "M"] && context.names("Manager") == ["M"])
        #expect(try context.names("Employee", subentities: false) == ["L"])
        #expect(try context.names("Person", where: "name >= 'E'", subentities: false) == ["E", "Z"])
        #expect(try Set(context.all("Person").map { $0.entity.name }) == ["Person", "Manager", "Employee"])
        try context.save()
      }
    }
  }
}
