import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite("FETCH in a predicate that is evaluated in memory")
struct FetchExpressionTests {
  @Test("The request is executed by the context that the expression names", arguments: TestStore.all)
  func evaluation(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let club = context.make("Club", ["name": "Chess", "number": 2])
      for age in [20, 30, 40] { _ = context.make("Person", ["name": "P\(age)", "age": age]) }
      try context.save()
      _ = context.make("Person", ["name": "unsaved", "age": 50])

      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.predicate = NSPredicate(format: "age > 25")
      let fetched = NSExpression(format: "FETCH(%@, %@, NO)", request, context)
      let found = fetched.expressionValue(with: nil, context: nil) as? [NSManagedObject]
      #expect(Set(found?.compactMap { $0.value(forKey: "name") as? String } ?? []) == ["P30", "P40", "unsaved"])
      let counted = NSPredicate(format: "FETCH($r, $c, YES) == number + 1")
      #expect(counted.evaluate(with: club, substitutionVariables: ["r": request, "c": context]))
      #expect(NSPredicate(format: "ANY FETCH(%@, %@, NO).age == 40", request, context).evaluate(with: club))
    }
  }

  @Test("A store refuses it, naming the part", arguments: TestStore.ofTables)
  func refusal(_ kind: TestStore) throws {
    let coordinator = try Society.coordinator(kind)
    try coordinator.inContext { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Club")
      request.predicate = NSPredicate(format: "number == FETCH($r, $c, YES)")
      let error = #expect(throws: NSError.self) { _ = try context.fetch(request) }
      #expect(error?.localizedDescription == "Unsupported expression: FETCH($r, $c, YES)")
    }
  }
}
