import CoreData
import Testing

@Suite struct ValidationTests {
  /// Saves a "Thing" with the attribute and gives the error.
  private func error(_ store: TestStore, _ attribute: NSAttributeDescription, _ value: Any?) throws -> NSError? {
    attribute.name = "value"
    let model = NSManagedObjectModel()
    model.entities = [TestModel.entity("Thing", [attribute, TestModel.attribute("other", .stringAttributeType)])]
    return try store.coordinator(model).inContext { context in
      let thing = context.make("Thing", ["other": "x"])
      if let value { thing.setValue(value, forKey: "value") }
      do {
        try context.save()
        return nil
      } catch {
        let error = error as NSError
        #expect(error.domain == NSCocoaErrorDomain && error.userInfo[NSValidationKeyErrorKey] as? String == "value")
        #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === thing)
        #expect(context.insertedObjects == [thing])
        return error
      }
    }
  }

  private func attribute(_ type: NSAttributeType, _ format: String, _ warning: String) -> NSAttributeDescription {
    let attribute = TestModel.attribute("value", type)
    attribute.setValidationPredicates([NSPredicate(format: format)], withValidationWarnings: [warning])
    return attribute
  }

  @Test(arguments: TestStore.all) func missing(_ store: TestStore) throws {
    let error = try error(store, TestModel.attribute("value", .stringAttributeType, optional: false), nil)
    #expect(error?.code == NSValidationMissingMandatoryPropertyError)
    #expect(error?.localizedDescription == "value is a required value.")
  }

  @Test(arguments: TestStore.all) func aPredicateWithItsWarning(_ store: TestStore) throws {
    let error = try error(store, attribute(.stringAttributeType, "length > 3", "More, please."), "abc")
    #expect(error?.code == NSManagedObjectValidationError && error?.localizedDescription == "More, please.")
    #expect(error?.userInfo[NSValidationValueErrorKey] as? String == "abc")
    #expect(error?.userInfo[NSValidationPredicateErrorKey] is NSPredicate)
    #expect(try self.error(store, attribute(.stringAttributeType, "length > 3", "More"), "abcd") == nil)
    #expect(try self.error(store, attribute(.integer32AttributeType, "SELF < 10", "Less"), 10)?.code == 1550)
    #expect(try self.error(store, attribute(.integer32AttributeType, "SELF < 10", "Less"), nil) == nil)
  }

  @Test(arguments: TestStore.all) func severalErrorsComeTogether(_ store: TestStore) throws {
    let model = NSManagedObjectModel()
    model.entities = [
      TestModel.entity(
        "Thing", ["a", "b", "c"].map { TestModel.attribute($0, .stringAttributeType, optional: $0 == "c") })
    ]
    try store.coordinator(model).inContext { context in
      let things = (0..<2).map { _ in context.make("Thing") }
      var error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSValidationMultipleErrorsError)
      let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError]
      #expect(details?.count == 4 && details?.allSatisfy { $0.code == 1570 } == true)
      things[0].setValue("x", forKey: "a")
      context.delete(things[1])
      error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == 1570 && error?.userInfo[NSValidationKeyErrorKey] as? String == "b")
      #expect(throws: NSError.self) { try things[0].validateForInsert() }
      #expect(throws: NSError.self) { try things[0].validateValue(nil, forKey: "b") }
      try things[0].validateValue("x", forKey: "b")
      things[0].setValue("x", forKey: "b")
      try context.save()
    }
  }
}
