import CoreData
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite("A fetch that does not fit the model or the store throws an error that names the part")
struct FetchErrorTests {
  private func context(_ store: TestStore) throws -> NSManagedObjectContext {
    let model = try #require(PeopleFixture.model().copy() as? NSManagedObjectModel)
    let transient = TestModel.attribute("nick", .stringAttributeType)
    transient.isTransient = true
    model.entitiesByName["Person"]?.properties.append(transient)
    return TestModel.context(try store.coordinator(model))
  }

  /// The error of a fetch and of a count, with the store empty and with a change pending.
  private func check(_ store: TestStore, _ text: String, _ change: (NSFetchRequest<NSManagedObject>) -> Void) throws {
    let context = try context(store)
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      change(request)
      for isPending in [false, true] {
        if isPending { _ = context.make("Tag", ["label": "x"]) }
        let error = #expect(throws: NSError.self) { _ = try context.fetch(request) }
        #expect(error?.localizedDescription.hasPrefix(text) ?? false, "\(error?.localizedDescription ?? "none")")
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSCoreDataError)
        if request.predicate != nil { _ = #expect(throws: NSError.self) { try context.count(for: request) } }
      }
      request.predicate = nil
      request.sortDescriptors = nil
      let left = try context.fetch(request)
      #expect(left.isEmpty)
    }
  }

  @Test(
    "Predicates",
    arguments: [
      ("colour == 1", "keypath colour not found in entity Person"),
      ("boss.colour == 1", "keypath boss.colour not found in entity Person"),
      ("ANY tags.name == 'x'", "keypath tags.name not found in entity Tag"),
      ("SUBQUERY(tags, $t, $t.colour == 1).@count > 0", "keypath colour not found in entity Tag"),
      ("name.first == 'x'", "keypath name.first not found in entity Person"),
      ("nick == 'x'", "keypath nick not found in entity Person"),
      ("title == 'x'", "keypath title not found in entity Person"),
      ("tags.label == 'x'", "to-many key not allowed here: tags.label == \"x\""),
      ("tags == nil", "to-many key not allowed here: tags == nil"),
      ("tags.label CONTAINS[c] name AND tags > 5", "to-many key not allowed here: tags > 5"),
      ("reports.age + 1 == 2", "to-many key not allowed here: reports.age"),
    ])
  func predicates(_ format: String, _ text: String) throws {
    try check(.sqlite, text) { $0.predicate = NSPredicate(format: format) }
  }

  @Test("A block is named, also within a compound", arguments: TestStore.ofTables)
  func blocks(_ store: TestStore) throws {
    nonisolated(unsafe) let block = NSPredicate { _, _ in true }
    let text = "Unknown predicate type for predicate: \(PredicatePrinter.text(of: block))"
    #expect(text.contains("BLOCKPREDICATE(0x"))
    try check(store, text) { $0.predicate = block }
    try check(store, text) {
      $0.predicate = NSCompoundPredicate(orPredicateWithSubpredicates: [NSPredicate(format: "age == 1"), block])
    }
  }

  @Test(
    "Sort descriptors",
    arguments: [
      ("colour", "keypath colour not found in entity Person"), ("nick", "keypath nick not found in entity Person"),
      ("boss.colour", "keypath boss.colour not found in entity Person"),
      ("tags", "to-many key not allowed here: tags"), ("tags.label", "to-many key not allowed here: tags.label"),
      ("objectID", "keypath objectID not found in entity Person"),
    ], TestStore.ofTables)
  func sortDescriptors(_ row: (key: String, text: String), _ store: TestStore) throws {
    let (key, text) = row
    try check(store, text) { $0.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)] }
  }
}
