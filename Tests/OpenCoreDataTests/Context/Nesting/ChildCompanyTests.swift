import CoreData
import Testing

/// Parents and children together with undo, merging by itself, and query generations.
@Suite struct ChildCompanyTests {
  @Test(arguments: TestStore.all) func everyLevelUndoesItsOwn(_ store: TestStore) throws {
    let tree = try Tree(store)
    let id = try tree.root.inside { root in
      let ada = root.make("Person", ["name": "Ada"])
      try root.save()
      return ada.objectID
    }
    try tree.middle.inside { $0.undoManager = UndoManager() }
    try tree.leaf.inside { leaf throws in
      leaf.undoManager = UndoManager()
      let ada = leaf.object(with: id)
      ada.setValue("first", forKey: "name")
      leaf.processPendingChanges()
      ada.setValue("second", forKey: "name")
      leaf.processPendingChanges()
      leaf.undo()
      #expect(ada.text("name") == "first")
      leaf.delete(try leaf.named("first"))
      leaf.processPendingChanges()
      leaf.undo()
      #expect(!ada.isDeleted && ada.text("name") == "first")
      _ = leaf.make("Person", ["name": "new"])
      try leaf.save()
      leaf.undo()
      try leaf.save()
      #expect(try leaf.names("Person") == ["first"])
    }
    try tree.middle.inside { middle throws in
      #expect(try middle.names("Person") == ["first"])
      // What a child's save has done is undone as one event.
      middle.undo()
      #expect(try middle.names("Person") == ["first", "new"])
      middle.undo()
      #expect(try middle.names("Person") == ["Ada"])
      middle.redo()
      try Tree.saveUp(middle)
    }
    #expect(try tree.coordinator.inContext { try $0.names("Person") } == ["first", "new"])
  }

  @Test(arguments: TestStore.all) func aChildMergesWhatItsParentSaves(_ store: TestStore) throws {
    let tree = try Tree(store)
    try tree.middle.inside { $0.automaticallyMergesChangesFromParent = true }
    let id = try tree.root.inside { root in
      let ada = root.make("Person", ["name": "Ada", "age": 1])
      _ = root.make("Person", ["name": "Bob"])
      try root.save()
      return ada.objectID
    }
    let (ada, bob) = try tree.middle.inside { middle throws in
      let ada = try middle.existingObject(with: id), bob = try middle.named("Bob")
      #expect(ada.text("name") == "Ada" && bob.text("name") == "Bob")
      ada.setValue(5, forKey: "age")
      return (ada, bob)
    }
    try tree.root.inside { root in
      root.object(with: id).setValue("A", forKey: "name")
      root.object(with: id).setValue(9, forKey: "age")
      root.delete(try root.named("Bob"))
      _ = root.make("Person", ["name": "Cid"])
    }
    // Not before the parent saves.
    try tree.middle.inside { _ in #expect(ada.text("name") == "Ada") }
    try tree.root.inside { try $0.save() }
    let isMerged = try Soak.wait { try tree.middle.inside { _ in ada.text("name") == "A" } }
    try tree.middle.inside { middle throws in
      #expect(isMerged && ada.number("age") == 5 && bob.isDeleted)
      #expect(try middle.names("Person") == ["A", "Cid"])
      try middle.save()
    }
    try tree.root.inside { root throws in
      #expect(try root.named("A").number("age") == 5)
      try root.save()
    }
  }

  @Test(arguments: TestStore.all) func aSaveIsMergedIntoASibling(_ store: TestStore) throws {
    let tree = try Tree(store)
    let sibling = Tree.child(of: tree.root)
    let ada = try tree.middle.inside { middle in
      let ada = middle.make("Person", ["name": "Ada"])
      try Tree.saveUp(middle)
      return ada
    }
    nonisolated(unsafe) var note: Notification?
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: sibling, queue: nil
    ) { note = $0 }
    defer { NotificationCenter.default.removeObserver(token) }
    try sibling.inside { sibling in
      try sibling.named("Ada").setValue("A", forKey: "name")
      try sibling.save()
    }
    try tree.middle.inside { middle throws in
      #expect(ada.text("name") == "Ada")
      middle.mergeChanges(fromContextDidSave: try #require(note))
      #expect(ada.text("name") == "A" && !ada.hasChanges)
    }
  }

  @Test(arguments: TestStore.all(that: .generations))
  func childrenReadTheGenerationOfTheTop(_ store: TestStore) throws {
    let tree = try Tree(store, Society.model(), url: try store.place())
    try tree.coordinator.inContext { context in
      _ = context.make("Person", ["name": "Ada"])
      try context.save()
    }
    try tree.root.inside { try $0.setQueryGenerationFrom(.current) }
    #expect(try tree.leaf.inside { try $0.names("Person") } == ["Ada"])
    try tree.coordinator.inContext { context in
      try context.named("Ada").setValue("A", forKey: "name")
      try context.named("A").mutableSetValue(forKey: "clubs").add(context.make("Club"))
      _ = context.make("Person", ["name": "Bob"])
      try context.save()
    }
    try tree.leaf.inside { leaf throws in
      #expect(leaf.queryGenerationToken == nil)
      #expect(try leaf.names("Person") == ["Ada"])
      leaf.refreshAllObjects()
      #expect(try leaf.all("Person").first?.text("name") == "Ada")
      #expect(try leaf.all("Person").first?.many("clubs").isEmpty == true)
    }
    try tree.root.inside { try $0.setQueryGenerationFrom(nil) }
    try tree.leaf.inside { leaf throws in
      leaf.refreshAllObjects()
      #expect(try leaf.names("Person") == ["A", "Bob"])
    }
  }

  @Test func aChildHasNoGenerationOfItsOwn() async {
    await #expect(processExitsWith: .failure) {
      try Tree().leaf.inside { try $0.setQueryGenerationFrom(.current) }
    }
  }
}
