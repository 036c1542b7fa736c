import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite struct DeleteRuleTests {
  /// A parent with two children, saved; then `body` in a fresh context.
  private func with(
    _ store: TestStore, _ rule: NSDeleteRule, childRule: NSDeleteRule = .nullifyDeleteRule,
    _ body: (NSManagedObjectContext, NSManagedObject) throws -> Void
  ) throws {
    let coordinator = try store.coordinator(Society.family(rule, childRule: childRule))
    try coordinator.inContext { context in
      let parent = context.make("Parent", ["name": "P"])
      for name in ["A", "B"] { _ = context.make("Child", ["name": name, "parent": parent]) }
      try context.save()
    }
    try coordinator.inContext { context in try body(context, try context.named("P", "Parent")) }
  }

  @Test(arguments: TestStore.all) func nullify(_ store: TestStore) throws {
    try with(store, .nullifyDeleteRule) { context, parent in
      context.delete(parent)
      #expect(parent.isDeleted && context.deletedObjects == [parent])
      try context.save()
      #expect(!parent.isDeleted && parent.managedObjectContext == nil)
      #expect(try context.all("Child").allSatisfy { $0.one("parent") == nil })
      #expect(try context.names("Child") == ["A", "B"] && context.all("Parent").isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func cascade(_ store: TestStore) throws {
    try with(store, .cascadeDeleteRule) { context, parent in
      context.delete(parent)
      context.processPendingChanges()
      #expect(context.deletedObjects.count == 3)
      try context.save()
      #expect(try context.all("Child").isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func cascadeFromTheOtherSideClearsTheRest(_ store: TestStore) throws {
    try with(store, .nullifyDeleteRule, childRule: .cascadeDeleteRule) { context, parent in
      context.delete(try context.named("A", "Child"))
      try context.save()
      #expect(try context.names("Child") == ["B"] && context.all("Parent").isEmpty)
      #expect(try context.named("B", "Child").one("parent") == nil)
    }
  }

  @Test(arguments: TestStore.all) func deny(_ store: TestStore) throws {
    try with(store, .denyDeleteRule) { context, parent in
      context.delete(parent)
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSValidationRelationshipDeniedDeleteError && error?.domain == NSCocoaErrorDomain)
      #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === parent)
      #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "children")
      #expect(context.deletedObjects == [parent])
      #expect(throws: NSError.self) { try context.save() }
      for child in try context.all("Child") { context.delete(child) }
      try context.save()
      #expect(try context.all("Parent").isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func denyIsLiftedByRollback(_ store: TestStore) throws {
    try with(store, .denyDeleteRule) { context, parent in
      context.delete(parent)
      #expect(throws: NSError.self) { try context.save() }
      context.rollback()
      try context.save()
      #expect(try context.names("Parent") == ["P"] && parent.many("children").count == 2)
    }
  }

  @Test(arguments: TestStore.all) func noActionKeepsTheDeadReference(_ store: TestStore) throws {
    try with(store, .noActionDeleteRule) { context, parent in
      context.delete(parent)
      try context.save()
      context.refreshAllObjects()
      let child = try context.named("A", "Child")
      let gone = try #require(child.one("parent"))
      #expect(gone.value(forKey: "name") == nil && gone.isDeleted)
    }
  }

  @Test(arguments: TestStore.all) func deletedFaultLeavesItsOwnersListEvenWithNoAction(_ store: TestStore) throws {
    try with(store, .nullifyDeleteRule, childRule: .noActionDeleteRule) { context, parent in
      #expect(parent.many("children").count == 2)
      let coordinator = try #require(context.persistentStoreCoordinator)
      try coordinator.inContext { other in
        other.delete(try #require(try other.all("Child").first))
        try other.save()
      }
      context.refresh(parent, mergeChanges: false)
      #expect(parent.many("children").count == 1)
    }
  }

  @Test(arguments: TestStore.all) func deletingTwiceAndCyclesEnd(_ store: TestStore) throws {
    try with(store, .cascadeDeleteRule, childRule: .cascadeDeleteRule) { context, parent in
      context.delete(parent)
      context.delete(parent)
      try context.save()
      #expect(try context.all("Child").isEmpty && context.all("Parent").isEmpty && !context.hasChanges)
    }
  }

  @Test(arguments: TestStore.all) func aRequiredToOneThatIsNullifiedFails(_ store: TestStore) throws {
    let model = Society.family(.nullifyDeleteRule)
    model.entitiesByName["Child"]?.relationshipsByName["parent"]?.isOptional = false
    try store.coordinator(model).inContext { context in
      let parent = context.make("Parent", ["name": "P"])
      let child = context.make("Child", ["name": "A", "parent": parent])
      try context.save()
      context.delete(parent)
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSValidationMissingMandatoryPropertyError)
      #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === child)
      child.setValue(context.make("Parent", ["name": "Q"]), forKey: "parent")
      try context.save()
      #expect(try context.names("Parent") == ["Q"])
    }
  }

  @Test func manyDeletionsReadTogether() throws {
    let coordinator = try TestModel.coordinator(Society.family(.cascadeDeleteRule))
    try coordinator.inContext { context in
      for number in 0..<300 {
        let parent = context.make("Parent", ["name": "\(number)"])
        for name in ["A", "B"] { _ = context.make("Child", ["name": name, "parent": parent]) }
      }
      try context.save()
    }
    coordinator.emptyRowCache()
    try coordinator.inContext { context in
      let parents = try context.all("Parent")
      let reads = try StatementLog.collect(thisThread: true) {
        for parent in parents { context.delete(parent) }
        try context.save()
      }.statements.filter { $0.hasPrefix("SELECT") }
      #expect(reads.count < 12, "\(reads.count)")
      #expect(try context.all("Child").isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func manyDeletionsAtOnce(_ store: TestStore) throws {
    try store.coordinator(Society.family(.cascadeDeleteRule)).inContext { context in
      for number in 0..<300 {
        let parent = context.make("Parent", ["name": "\(number)"])
        for name in ["A", "B"] { _ = context.make("Child", ["name": name, "parent": parent]) }
      }
      try context.save()
      for parent in try context.all("Parent") { context.delete(parent) }
      try context.save()
      #expect(try context.all("Child").isEmpty)
    }
  }
}
