import CoreData
import Testing

/// What stops the program, and with which message.
@Suite struct BadInputTests {
  private static func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  private static func person() throws -> NSManagedObject {
    let context = TestModel.context(try Society.coordinator())
    // Objects may outlive their context, but not be changed usefully.
    kept.append(context)
    return context.make("Person", ["name": "Ada"])
  }

  nonisolated(unsafe) private static var kept: [NSManagedObjectContext] = []

  @Test func unknownKeyToRead() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Self.person().value(forKey: "shoeSize")
    }
    #expect(Self.text(result).contains("valueForUndefinedKey:]: the entity Person is not key value coding-compliant"))
    #expect(Self.text(result).contains("\"shoeSize\"") && Self.text(result).contains("NSUnknownKeyException"))
  }

  @Test func unknownKeyToSet() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Self.person().setValue(1, forKey: "shoeSize")
    }
    #expect(Self.text(result).contains("setValue:forUndefinedKey:]"))
    #expect(Self.text(result).contains("\"shoeSize\"") && Self.text(result).contains("Person"))
  }

  @Test func wrongTypeForAnAttribute() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Self.person().setValue(Date(timeIntervalSince1970: 0), forKey: "name")
    }
    let text = Self.text(result)
    #expect(text.contains("Unacceptable type of value for attribute: property = \"name\"; desired type = NSString"))
    #expect(text.contains("given type = Date") && text.contains("Person"))
  }

  @Test func textForANumber() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Self.person().setValue("12", forKey: "age")
    }
    let text = Self.text(result)
    #expect(text.contains("property = \"age\"; desired type = NSNumber; given type = String"))
    #expect(text.contains("Person"))
  }

  @Test func aNumberThatDoesNotFit() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Self.person().setValue(70_000, forKey: "age")
    }
    let text = Self.text(result)
    #expect(text.contains("70000") && text.contains("age") && text.contains("Person") && text.contains("int16"))
    #expect(text.contains("there is setCheckedValue(_:forKey:), which throws instead"))
  }

  /// Whatever the kind of property, the message names the way that throws, and that way throws.
  @Test func valuesFromOutsideHaveAWayThatThrows() async throws {
    for result in [
      await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent],
        performing: { try Self.person().setValue("12", forKey: "age") }),
      await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent],
        performing: { try Self.person().setPrimitiveValue("12", forKey: "age") }),
      await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent],
        performing: { try Self.person().setValue("Bob", forKey: "boss") }),
      await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent],
        performing: { try Self.person().setValue([1], forKey: "clubs") }),
    ] { #expect(Self.text(result).contains("setCheckedValue(_:forKey:)"), "\(Self.text(result))") }
    try Society.coordinator().inContext { context in
      let person = context.make("Person")
      for (key, value) in [("age", 70_000), ("age", "12"), ("boss", "Bob"), ("clubs", [1])] as [(String, Any)] {
        let error = #expect(throws: NSError.self) { try person.setCheckedValue(value, forKey: key) }
        #expect(error?.code == 1550 && error?.localizedDescription.contains("setCheckedValue") == false, "\(key)")
      }
    }
  }

  @Test func numbersWhoseLowestBitsWouldFit() async {
    for result in [
      await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent],
        performing: { try Self.person().setValue(Decimal(string: "1e30"), forKey: "age") }),
      await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent],
        performing: { try Self.person().setValue(NSNumber(value: UInt64.max), forKey: "age") }),
    ] { #expect(Self.text(result).contains("is out of range; entity = Person")) }
  }

  @Test func wrongTypeForARelationship() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Self.person().setValue("Bob", forKey: "boss")
    }
    let text = Self.text(result)
    #expect(text.contains("Unacceptable type of value for to-one relationship: property = \"boss\""))
    #expect(text.contains("given type = String") && text.contains("desired type = Person"))
  }

  @Test func wrongEntityForARelationship() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let person = try Self.person()
      person.mutableSetValue(forKey: "clubs").add(person.managedObjectContext!.make("House"))
    }
    let text = Self.text(result)
    #expect(text.contains("to-many relationship: property = \"clubs\"; desired type = Club; given type = House"))
  }

  @Test func objectsOfTwoContexts() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let person = try Self.person()
      try person.managedObjectContext!.persistentStoreCoordinator!.inContext { other in
        person.setValue(other.make("Person"), forKey: "boss")
      }
    }
    #expect(
      Self.text(result).contains(
        "Illegal attempt to establish a relationship 'boss' between objects in different contexts"))
  }

  @Test func objectsOfTwoCopiesOfTheModel() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Self.person().setValue(try Self.person(), forKey: "boss")
    }
    #expect(Self.text(result).contains("given type = Person of another copy of the model"))
  }

  @Test func deletingInAnotherContext() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let person = try Self.person()
      TestModel.context(try Society.coordinator()).delete(person)
    }
    #expect(Self.text(result).contains("An NSManagedObjectContext cannot delete objects in other contexts."))
  }

  @Test func deletingWhatNoContextHas() async {
    for (result, reason) in [
      (
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          try Society.coordinator().inContext { context in
            let person = context.make("Person")
            try context.save()
            context.delete(person)
            try context.save()
            context.delete(person)
          }
        }, "its deletion was saved"
      ),
      (
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          try Society.coordinator().inContext { context in
            let person = context.make("Person")
            context.rollback()
            context.delete(person)
          }
        }, "its insertion taken back"
      ),
      (
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let coordinator = try Society.coordinator()
          let entity = coordinator.managedObjectModel.entitiesByName["Person"]!
          try coordinator.inContext { $0.delete(NSManagedObject(entity: entity, insertInto: nil)) }
        }, "it was never inserted into one"
      ),
      (
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let coordinator = try Society.coordinator()
          let person = try coordinator.inContext { $0.make("Person") }
          try coordinator.inContext { $0.detectConflicts(for: person) }
        }, "that no context has"
      ),
    ] {
      #expect(Self.text(result).contains(reason), "\(Self.text(result))")
      #expect(!Self.text(result).contains("objects in other contexts"))
    }
  }

  @Test func aFaultWhoseContextIsGone() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let coordinator = try Society.coordinator()
      let person = try coordinator.inContext { context in
        _ = context.make("Person")
        try context.save()
        context.reset()
        return try context.all("Person")[0]
      }
      _ = person.value(forKey: "name")
    }
    #expect(Self.text(result).contains("CoreData could not fulfill a fault for"))
  }

  @Test func anInaccessibleFaultThatIsNotToBeDeleted() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Society.coordinator().inContext { context in
        let person = context.make("Person")
        try context.save()
        context.shouldDeleteInaccessibleFaults = false
        context.delete(person)
        let id = person.objectID
        try context.save()
        _ = context.object(with: id).value(forKey: "name")
      }
    }
    #expect(Self.text(result).contains("CoreData could not fulfill a fault for"))
  }

  @Test func anEntityThatIsNotInTheModel() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Self.person().managedObjectContext!.all("Dragon")
    }
    #expect(Self.text(result).contains("could not locate an NSEntityDescription for entity name 'Dragon'"))
  }

  @Test func aContainerWithoutModel() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPersistentContainer(name: "Nowhere")
    }
    let text = Self.text(result)
    #expect(text.contains("Failed to load the model named Nowhere") && text.contains(".xcdatamodeld"))
    // Where it was looked for.
    #expect(text.contains(Bundle.main.bundlePath))
  }

  @Test func aClassWithoutEntity() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSManagedObject(context: try Self.person().managedObjectContext!)
    }
    #expect(
      Self.text(result).contains(
        "An NSManagedObject of class 'NSManagedObject' must have a valid NSEntityDescription."))
  }

  @Test(
    arguments: ["shoeSize == 3", "boss.shoeSize == 3", "ANY reports.shoeSize == 3", "name.size == 3"], TestStore.all)
  func unknownKeysInPredicates(_ format: String, _ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.predicate = NSPredicate(format: format)
      for _ in 0..<2 {
        let fetched = #expect(throws: NSError.self) { try context.fetch(request) }
        let counted = #expect(throws: NSError.self) { try context.count(for: request) }
        for error in [fetched, counted] {
          let text = error?.localizedDescription ?? ""
          #expect(text.contains("Person") || text.contains("name"), "\(text)")
          #expect(text.contains("shoeSize") || text.contains("size"), "\(text)")
        }
      }
    }
  }

  @Test(arguments: TestStore.all) func unknownKeysInSortDescriptors(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      for key in ["shoeSize", "boss.shoeSize"] {
        let error = #expect(throws: NSError.self) { try context.all("Person", sortedBy: key) }
        let text = error?.localizedDescription ?? ""
        #expect(text.contains("Person") && text.contains("shoeSize"), "\(text)")
      }
    }
  }
}
