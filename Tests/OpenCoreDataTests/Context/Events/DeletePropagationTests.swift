import CoreData
import Testing

/// When the delete rules are applied, and what hooks may do meanwhile.
@Suite struct DeletePropagationTests {
  @Test(arguments: TestStore.all) func atTheEndOfTheEvent(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      #expect(context.propagatesDeletesAtEndOfEvent)
      let rex = try context.named("Rex", "Pet")
      context.delete(try context.named("Ada", "Owner"))
      #expect(!rex.isDeleted)
      context.processPendingChanges()
      #expect(rex.isDeleted && recorder.events() == ["deleted Ada, Rex"])
    }
  }

  @Test(arguments: TestStore.all) func orOnlyBySaving(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      context.propagatesDeletesAtEndOfEvent = false
      let rex = try context.named("Rex", "Pet")
      context.delete(try context.named("Ada", "Owner"))
      context.processPendingChanges()
      #expect(!rex.isDeleted && recorder.events() == ["deleted Ada"])
      context.processPendingChanges()
      #expect(!rex.isDeleted && recorder.events() == [])
      try context.save()
      let told = recorder.take()
      #expect(told.first?.text == "deleted Rex")
      #expect(told.first { $0.name == .NSManagedObjectContextDidSave }?.text == "deleted Ada, Rex")
      #expect(try context.all("Pet").isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func deletedInsertionsWaitForTheirRules(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      context.propagatesDeletesAtEndOfEvent = false
      let bob = try context.named("Bob", "Owner")
      let tom = context.make("Pet", ["name": "Tom", "owner": bob])
      context.processPendingChanges()
      context.delete(tom)
      context.processPendingChanges()
      #expect(tom.isDeleted && bob.many("pets") == [tom] && context.deletedObjects == [tom])
      #expect(recorder.events() == ["inserted Tom; updated Bob", "deleted Tom"])
      try context.save()
      #expect(bob.many("pets").isEmpty && !context.hasChanges && tom.managedObjectContext == nil)
      #expect(try context.names("Pet") == ["Rex"])
    }
  }

  @Test(arguments: TestStore.all) func prepareForDeletionMayEndTheEvent(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, _ in
      let hooks = EventHooks(context)
      hooks.prepareForDeletion = { owner in
        for friend in owner.many("friends") where !friend.isDeleted { context.delete(friend) }
        context.processPendingChanges()
      }
      let owners = (0..<6).map { context.owner(["name": "\($0)"]) }
      for (owner, friend) in zip(owners, owners.dropFirst()) { owner.mutableSetValue(forKey: "friends").add(friend) }
      for owner in owners { _ = context.make("Pet", ["owner": owner]) }
      try context.save()
      context.delete(owners[0])
      #expect(hooks.calls.filter { $0.hasPrefix("prepareForDeletion") }.count == 6)
      try context.save()
      #expect(try context.names("Owner") == ["Ada", "Bob"] && context.names("Pet") == ["Rex"])
    }
  }

  @Test(arguments: TestStore.all) func prepareForDeletionIsCalledAtOnceAndEachTime(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, _ in
      let hooks = EventHooks(context)
      let ada = try context.named("Ada", "Owner")
      hooks.calls = []
      context.delete(ada)
      #expect(hooks.calls == ["prepareForDeletion Ada"] && ada.isDeleted)
      context.delete(ada)
      #expect(hooks.calls.count == 2)
      context.processPendingChanges()
      #expect(hooks.calls.count == 2)
    }
  }
}
