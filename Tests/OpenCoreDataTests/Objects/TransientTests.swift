import CoreData
import Testing

@Suite struct TransientTests {
  private func owner(_ body: (NSManagedObjectContext, NSManagedObject) throws -> Void) throws {
    try EventWorld.inContext { context, _ in try body(context, try context.named("Ada", "Owner")) }
  }

  @Test func theyMakeDirtyAndSurviveTheSave() throws {
    try owner { context, ada in
      #expect(ada.text("alias") == "none")
      ada.setValue("A", forKey: "alias")
      #expect(ada.isUpdated && context.updatedObjects == [ada] && context.hasChanges)
      #expect(ada.changedValues().isEmpty && ada.committedValues(forKeys: ["alias"]).isEmpty)
      try context.save()
      #expect(ada.text("alias") == "A" && !ada.hasChanges)
    }
  }

  @Test func refreshKeepsOrDiscardsThem() throws {
    try owner { context, ada in
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

  @Test func refreshAllObjectsResetsThoseOfCleanObjects() throws {
    try owner { context, ada in
      let bob = try context.named("Bob", "Owner")
      for owner in [ada, bob] { owner.setValue("X", forKey: "alias") }
      try context.save()
      bob.setValue(3, forKey: "age")
      context.refreshAllObjects()
      #expect(ada.isFault && !bob.isFault)
      #expect(ada.text("alias") == "none" && bob.text("alias") == "X" && bob.number("age") == 3)
    }
  }

  @Test func afterAResetTheyReadAsTheirDefault() throws {
    try owner { context, ada in
      ada.setValue("A", forKey: "alias")
      context.reset()
      #expect(ada.text("alias") == "none" && ada.managedObjectContext == nil)
    }
  }

  @Test func awakeFromFetchMaySetThem() throws {
    try owner { context, ada in
      let hooks = EventHooks(context)
      hooks.awakeFromFetch = { $0.setValue("awake", forKey: "alias") }
      context.refresh(ada, mergeChanges: false)
      #expect(ada.text("alias") == "awake" && !ada.hasChanges && !context.hasChanges)
    }
  }

  @Test func turningIntoAFaultIsATransition() throws {
    try owner { context, ada in
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
