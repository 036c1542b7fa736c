import CoreData
import Testing

@Suite struct FailedSaveTests {
  private func state(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    try coordinator.inContext { context in
      try context.all("Person", sortedBy: "name").map {
        "\($0.text("name") ?? "nil") \($0.number("age") ?? -1) \($0.many("clubs").count)"
      }
    }
  }

  @Test(arguments: TestStore.all) func aConflictLeavesStoreAndContextAlone(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      for name in ["A", "B", "C"] { _ = context.make("Person", ["name": name]) }
      try context.save()
      let a = try context.named("A"), b = try context.named("B"), c = try context.named("C")
      a.setValue(1, forKey: "age")
      b.setValue(1, forKey: "age")
      context.delete(c)
      let new = context.make("Person", ["name": "D"])
      let club = context.make("Club", ["name": "Club"])
      a.mutableSetValue(forKey: "clubs").add(club)
      try coordinator.inContext { other in
        try other.named("B").setValue(2, forKey: "age")
        try other.save()
      }
      let before = try state(coordinator)
      for _ in 0..<2 {
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSManagedObjectMergeError && error?.domain == NSCocoaErrorDomain)
        #expect((error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any])?.count == 1)
        #expect(try state(coordinator) == before && before == ["A 7 0", "B 2 0", "C 7 0"])
        #expect(context.insertedObjects == [new, club] && context.deletedObjects == [c])
        #expect(context.updatedObjects == [a, b] && new.objectID.isTemporaryID && a.many("clubs") == [club])
      }
      context.refresh(b, mergeChanges: true)
      #expect(b.number("age") == 1)
      try context.save()
      #expect(!context.hasChanges)
    }
    #expect(try state(coordinator) == ["A 1 1", "B 1 0", "D 7 0"])
  }

  @Test(arguments: TestStore.all) func aRowThatWasDeletedMeanwhile(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let person = context.make("Person", ["name": "A"])
      let boss = context.make("Manager", ["name": "B"])
      try context.save()
      person.setValue("changed", forKey: "name")
      try coordinator.inContext { other in
        other.delete(try other.named("A"))
        try other.save()
      }
      var error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError)
      context.rollback()
      try context.save()
      // A row that is gone cannot be changed through one of its relationships either.
      try coordinator.inContext { other in
        let gone = other.object(with: boss.objectID)
        try coordinator.inContext { third in
          third.delete(try third.named("B"))
          try third.save()
        }
        gone.mutableSetValue(forKey: "reports").add(other.make("Person", ["name": "C"]))
        error = #expect(throws: NSError.self) { try other.save() }
      }
    }
    #expect(try state(coordinator).isEmpty)
  }

  @Test(arguments: TestStore.all) func deletingWhatSomebodyChanged(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let person = context.make("Person", ["name": "A"])
      try context.save()
      context.delete(person)
      try coordinator.inContext { other in
        try other.named("A").setValue(8, forKey: "age")
        try other.save()
      }
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError && context.deletedObjects == [person])
      context.refresh(person, mergeChanges: true)
      try context.save()
    }
    #expect(try state(coordinator).isEmpty)
  }

  @Test(arguments: TestStore.all) func aValidationErrorLeavesEverything(_ store: TestStore) throws {
    let model = Society.family(.nullifyDeleteRule)
    model.entitiesByName["Child"]?.attributesByName["name"]?.isOptional = false
    let coordinator = try store.coordinator(model)
    try coordinator.inContext { context throws in
      let parent = context.make("Parent", ["name": "P"])
      let child = context.make("Child", ["parent": parent])
      #expect(throws: NSError.self) { try context.save() }
      #expect(try coordinator.inContext { try $0.all("Parent").isEmpty })
      #expect(context.insertedObjects == [parent, child] && parent.many("children") == [child])
      child.setValue("C", forKey: "name")
      try context.save()
      #expect(try coordinator.inContext { try $0.named("C", "Child").one("parent")?.text("name") } == "P")
    }
  }

  @Test func aContextWithoutStoreSaysSo() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Society.model())
    try coordinator.inContext { context in
      let person = context.make("Person", ["name": "A"])
      #expect(throws: NSError.self) { try context.save() }
      #expect(context.insertedObjects == [person])
    }
  }

  @Test(arguments: TestStore.all) func keysOfAFailedSaveLeaveNoGapsInIdentity(_ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context in
      let first = context.make("Person", ["name": "A"])
      try context.save()
      first.setValue("B", forKey: "name")
      let second = context.make("Person", ["name": "C"])
      try coordinator.inContext { other in
        try other.named("A").setValue("X", forKey: "name")
        try other.save()
      }
      #expect(throws: NSError.self) { try context.save() }
      try coordinator.inContext { other in
        _ = other.make("Person", ["name": "D"])
        try other.save()
      }
      context.refresh(first, mergeChanges: true)
      try context.save()
      #expect(second.objectID != first.objectID && second.text("name") == "C")
      #expect(try context.names("Person") == ["B", "C", "D"])
    }
  }
}
