import CoreData
import Testing

@Suite struct TransientTests {
  private func owner(_ store: TestStore, _ body: (NSManagedObjectContext, NSManagedObject) throws -> Void) throws {
    try EventWorld.inContext(store) { context, _ in try body(context, try context.named("Ada", "Owner")) }
  }

  @Test(arguments: TestStore.all) func theyMakeDirtyAndSurviveTheSave(_ store: TestStore) throws {
    try owner(store) { context, ada in
      #expect(ada.text("alias") == "none")
      ada.setValue("A", forKey: "alias")
      #expect(ada.isUpdated && context.updatedObjects == [ada] && context.hasChanges)
      #expect(ada.changedValues().isEmpty && ada.committedValues(forKeys: ["alias"]).isEmpty)
      try context.save()
      #expect(ada.text("alias") == "A" && !ada.hasChanges)
    }
  }

  @Test(arguments: TestStore.all) func refreshKeepsOrDiscardsThem(_ store: TestStore) throws {
    try owner(store) { context, ada in
      ada.setValue("A", forKey: "alias")
      context.refresh(ada, mergeChanges: true)
      #expect(ada.text("alias") == "A" && ada.isUpdated)
      try context.save()
      context.refresh(ada, mergeChanges: true)
      #expect(ada.text("alias") == "A")
      context.refresh(ada, mergeChanges: false)
      #expect(ada.text("alias") == "none" && !ada.isUpdated)
    }
  }

  @Test(arguments: TestStore.all) func refreshAllObjectsResetsThoseOfCleanObjects(_ store: TestStore) throws {
    try owner(store) { context, ada in
      let bob = try context.named("Bob", "Owner")
      for owner in [ada, bob] { owner.setValue("X", forKey: "alias") }
      try context.save()
      bob.setValue(3, forKey: "age")
      context.refreshAllObjects()
      #expect(ada.isFault && !bob.isFault)
      #expect(ada.text("alias") == "none" && bob.text("alias") == "X" && bob.number("age") == 3)
    }
  }

  @Test(arguments: TestStore.all) func afterAResetTheyReadAsTheirDefault(_ store: TestStore) throws {
    try owner(store) { context, ada in
      ada.setValue("A", forKey: "alias")
      context.reset()
      #expect(ada.text("alias") == "none" && ada.managedObjectContext == nil)
    }
  }

  @Test(arguments: TestStore.all) func awakeFromFetchMaySetThem(_ store: TestStore) throws {
    try owner(store) { context, ada in
      let hooks = EventHooks(context)
      hooks.awakeFromFetch = { $0.setValue("awake", forKey: "alias") }
      context.refresh(ada, mergeChanges: false)
      #expect(ada.text("alias") == "awake" && !ada.hasChanges && !context.hasChanges)
    }
  }

  @Test(arguments: TestStore.all) func turningIntoAFaultIsATransition(_ store: TestStore) throws {
    try owner(store) { context, ada in
      let hooks = EventHooks(context)
      var states: [Int] = []
      hooks.willTurnIntoFault = {
        states.append($0.faultingState)
        $0.setValue("lost", forKey: "alias")
      }
      hooks.awakeFromFetch = { states.append($0.faultingState) }
      _ = ada.text("name")
      #expect(ada.faultingState == 0)
      states = []
      context.refresh(ada, mergeChanges: false)
      #expect(ada.faultingState != 0 && !ada.hasChanges && ada.text("alias") == "none" && ada.faultingState == 0)
      #expect(states.count == 2 && !states.contains(0))
    }
  }
}
