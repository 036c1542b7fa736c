import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite struct RegistrationTests {
  private static func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test(arguments: TestStore.all) func lookingUpObjects(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let new = context.make("Person", ["name": "A"]), temporary = new.objectID
      #expect(temporary.isTemporaryID && context.registeredObject(for: temporary) === new)
      #expect(try context.existingObject(with: temporary) === new && context.object(with: temporary) === new)
      try context.obtainPermanentIDs(for: [new])
      let permanent = new.objectID
      #expect(!permanent.isTemporaryID && permanent != temporary && new.isInserted)
      #expect(context.registeredObject(for: permanent) === new && context.registeredObject(for: temporary) == nil)
      #expect(try context.existingObject(with: permanent) === new)
      try context.obtainPermanentIDs(for: [new])
      #expect(new.objectID == permanent)
      try coordinator.inContext { other in
        // The row is not there yet.
        let fault = other.object(with: permanent)
        #expect(fault.isFault && other.registeredObject(for: permanent) === fault)
        let error = #expect(throws: NSError.self) { try other.existingObject(with: permanent) }
        #expect(error?.code == NSManagedObjectReferentialIntegrityError)
        #expect(error?.userInfo["objectID"] as? NSManagedObjectID == permanent)
      }
      try context.save()
      #expect(new.objectID == permanent)
      try coordinator.inContext { other in
        #expect(other.registeredObject(for: permanent) == nil)
        let object = try other.existingObject(with: permanent)
        #expect(!object.isFault && object.text("name") == "A")
        #expect(throws: NSError.self) { try other.existingObject(with: temporary) }
      }
    }
  }

  @Test(arguments: TestStore.all) func assigningStores(_ kind: TestStore) throws {
    let coordinator = try Society.coordinator(kind)
    let second = try kind.add(to: coordinator)
    try coordinator.inContext { context in
      let person = context.make("Person", ["name": "A"])
      context.assign(person, to: second)
      try context.obtainPermanentIDs(for: [person])
      #expect(person.objectID.persistentStore === second)
      // An object that goes takes its store with it; others may be made in its place in memory.
      for _ in 0..<200 {
        let gone = context.make("Person")
        context.assign(gone, to: second)
        context.delete(gone)
        context.processPendingChanges()
      }
      #expect(context.identityMaps.assignmentCount <= 1)
      let others = (0..<200).map { context.make("Person", ["number": $0]) }
      try context.save()
      #expect(others.allSatisfy { $0.objectID.persistentStore === coordinator.persistentStores[0] })
      #expect(context.identityMaps.assignmentCount == 0)
    }
  }

  @Test func assigningASavedObjectStopsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Society.coordinator().inContext { context in
        let person = context.make("Person", ["name": "A"])
        try context.save()
        context.assign(person, to: context.persistentStoreCoordinator!.persistentStores[0])
      }
    }
    #expect(Self.text(result).contains("Can’t reassign an object to a different store once it has been saved."))
  }

  @Test(arguments: TestStore.all) func registrationIsWeakUnlessChangedOrAskedFor(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      #expect(!context.retainsRegisteredObjects)
      do { for number in 0..<3 { _ = context.make("Person", ["number": number]) } }
      #expect(context.registeredObjects.count == 3 && context.insertedObjects.count == 3)
      context.processPendingChanges()
      #expect(context.registeredObjects.count == 3)
      try context.save()
      #expect(context.registeredObjects.isEmpty)
      context.retainsRegisteredObjects = true
      do { _ = context.make("Person", ["number": 4]) }
      try context.save()
      #expect(context.registeredObjects.count == 1)
      context.delete(try #require(context.registeredObjects.first))
      try context.save()
      #expect(context.registeredObjects.isEmpty)
    }
  }

  // MARK: Rows that are gone

  /// A fault whose row another context has deleted.
  private static func orphan(
    _ context: NSManagedObjectContext, _ body: (NSManagedObject) throws -> Void
  ) throws {
    try context.performAndWait {
      _ = context.make("Person", ["name": "A", "age": 3])
      try context.save()
      let fault = try context.all("Person")[0]
      try context.persistentStoreCoordinator!.inContext { other in
        other.delete(try other.all("Person")[0])
        try other.save()
      }
      context.refresh(fault, mergeChanges: false)
      try body(fault)
    }
  }

  @Test(arguments: TestStore.all) func anInaccessibleFaultIsDeleted(_ store: TestStore) throws {
    let context = TestModel.context(try Society.coordinator(store))
    #expect(context.shouldDeleteInaccessibleFaults)
    try Self.orphan(context) { fault in
      #expect(throws: NSError.self) { try context.existingObject(with: fault.objectID) }
      #expect(!fault.isDeleted && fault.isFault)
      #expect(fault.number("age") == nil && fault.isDeleted && !fault.isFault && context.deletedObjects == [fault])
      #expect(fault.many("friends").isEmpty && fault.changedValues().isEmpty && !fault.hasPersistentChangedValues)
      #expect(throws: NSError.self) { try context.existingObject(with: fault.objectID) }
      context.rollback()
      #expect(!context.hasChanges && !fault.isDeleted && fault.isFault)
      #expect(fault.text("name") == nil && fault.isDeleted)
      // Its missing values would not pass validation.
      try context.save()
      #expect(!context.hasChanges && fault.managedObjectContext == nil)
    }
  }

  @Test func otherwiseItStopsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = TestModel.context(try Society.coordinator())
      context.shouldDeleteInaccessibleFaults = false
      try Self.orphan(context) { _ = $0.value(forKey: "name") }
    }
    #expect(Self.text(result).contains("CoreData could not fulfill a fault for '"))
    #expect(Self.text(result).contains("NSObjectInaccessibleException"))
  }

  private final class DecidingContext: NSManagedObjectContext, @unchecked Sendable {
    nonisolated(unsafe) var asked: [String] = []

    override func shouldHandleInaccessibleFault(
      _ fault: NSManagedObject, for objectID: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
      asked.append(property?.name ?? "nil")
      return fault.objectID == objectID
    }
  }

  @Test(arguments: TestStore.all) func aSubclassMayDecide(_ store: TestStore) throws {
    for key in ["name", "boss"] {
      let context = DecidingContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = try Society.coordinator(store)
      context.shouldDeleteInaccessibleFaults = false
      try Self.orphan(context) { fault in
        #expect(throws: NSError.self) { try context.existingObject(with: fault.objectID) }
        #expect(context.asked.isEmpty)
        #expect(fault.value(forKey: key) == nil && fault.isDeleted)
        _ = fault.value(forKey: "name")
        #expect(context.asked == [key])
      }
    }
  }

  private final class Watcher: NSManagedObjectContext, @unchecked Sendable {
    nonisolated(unsafe) var seen: [String] = []

    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      seen.append("\(keyPath ?? "nil") \(change?[.newKey] ?? "nil")")
    }
  }

  @Test(arguments: TestStore.all) func aContextMayObserve(_ store: TestStore) throws {
    let context = Watcher(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = try Society.coordinator(store)
    context.performAndWait {
      let person = context.make("Person")
      person.addObserver(context, forKeyPath: "name", options: [.new], context: nil)
      person.setValue("A", forKey: "name")
      person.removeObserver(context, forKeyPath: "name")
      person.setValue("B", forKey: "name")
    }
    #expect(context.seen == ["name A"])
  }

  @Test func changingAnObjectThatHasLeftIsSaid() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try Society.coordinator().inContext { context in
        let person = context.make("Person", ["name": "A"])
        context.delete(person)
        try context.save()
        person.setValue("B", forKey: "name")
      }
    }
    let text = Self.text(result)
    #expect(text.contains("Mutating a managed object") && text.contains("after it has been removed from its context."))
  }
}
