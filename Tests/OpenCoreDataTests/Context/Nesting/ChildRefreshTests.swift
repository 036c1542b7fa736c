import CoreData
import Testing

/// How a child comes to what its parent has now, and how it drops its own.
@Suite struct ChildRefreshTests {
  private func person(_ store: TestStore) throws -> (Tree, NSManagedObjectID) {
    let tree = try Tree(store)
    let id = try tree.root.inside { root throws in
      let ada = root.make("Person", ["name": "Ada", "age": 1])
      try root.save()
      return ada.objectID
    }
    return (tree, id)
  }

  @Test(arguments: TestStore.all) func refreshingTakesTheParentsState(_ store: TestStore) throws {
    let (tree, id) = try person(store)
    try tree.leaf.inside { leaf throws in
      let ada = leaf.object(with: id)
      #expect(ada.text("name") == "Ada" && ada.many("clubs").isEmpty)
      try tree.middle.inside { middle throws in
        middle.object(with: id).setValue("A", forKey: "name")
        middle.object(with: id).mutableSetValue(forKey: "clubs").add(middle.make("Club", ["name": "c"]))
      }
      #expect(ada.text("name") == "Ada" && ada.many("clubs").isEmpty)
      leaf.refresh(ada, mergeChanges: false)
      #expect(ada.isFault && ada.text("name") == "A")
      #expect(ada.many("clubs").map { $0.text("name") } == ["c"])
    }
  }

  @Test(arguments: TestStore.all) func refreshingWithChangesKeepsThem(_ store: TestStore) throws {
    let (tree, id) = try person(store)
    try tree.leaf.inside { leaf throws in
      let ada = leaf.object(with: id)
      ada.setValue(5, forKey: "age")
      try tree.middle.inside { middle throws in
        middle.object(with: id).setValue("A", forKey: "name")
        middle.object(with: id).setValue(9, forKey: "age")
      }
      leaf.refresh(ada, mergeChanges: true)
      #expect(ada.text("name") == "A" && ada.number("age") == 5 && ada.changedValues().keys.sorted() == ["age"])
      leaf.rollback()
      #expect(ada.text("name") == "A" && ada.number("age") == 9)
      ada.setValue(6, forKey: "age")
      try tree.middle.inside { $0.object(with: id).setValue("B", forKey: "name") }
      leaf.refreshAllObjects()
      #expect(ada.text("name") == "B" && ada.number("age") == 6)
      try leaf.save()
    }
    try tree.middle.inside { #expect($0.object(with: id).number("age") == 6) }
  }

  @Test(arguments: TestStore.all) func whatTheTopHasSavedShowsAfterARefresh(_ store: TestStore) throws {
    let (tree, id) = try person(store)
    try tree.leaf.inside { leaf throws in
      let ada = leaf.object(with: id)
      #expect(ada.text("name") == "Ada")
      try tree.root.inside { root throws in
        root.object(with: id).setValue("A", forKey: "name")
        try root.save()
      }
      leaf.refresh(ada, mergeChanges: false)
      #expect(ada.text("name") == "A")
    }
  }

  @Test(arguments: TestStore.all) func rollbackAndResetDropWhatTheChildHas(_ store: TestStore) throws {
    let (tree, id) = try person(store)
    let new = try tree.middle.inside { $0.make("Person", ["name": "new"]).objectID }
    try tree.leaf.inside { leaf throws in
      let ada = leaf.object(with: id), other = leaf.object(with: new)
      ada.setValue("x", forKey: "name")
      other.setValue("y", forKey: "name")
      leaf.delete(other)
      _ = leaf.make("Person", ["name": "z"])
      leaf.rollback()
      #expect(!leaf.hasChanges && ada.text("name") == "Ada" && other.text("name") == "new" && !other.isDeleted)
      #expect(try leaf.names("Person") == ["Ada", "new"])
      other.setValue("y", forKey: "name")
      leaf.reset()
      #expect(!leaf.hasChanges && leaf.registeredObjects.isEmpty)
      #expect(try leaf.names("Person") == ["Ada", "new"])
    }
    try tree.middle.inside { #expect($0.insertedObjects.count == 1 && $0.updatedObjects.isEmpty) }
  }

  @Test(arguments: TestStore.all) func deletingAnObjectOfTheParentsAndTakingItBack(_ store: TestStore) throws {
    let tree = try Tree(store)
    let id = try tree.root.inside { $0.make("Person", ["name": "Ada"]).objectID }
    try tree.middle.inside { middle throws in
      let ada = middle.object(with: id)
      middle.delete(ada)
      middle.processPendingChanges()
      #expect(ada.isDeleted && middle.hasChanges)
      #expect(try middle.names("Person").isEmpty)
      middle.insert(ada)
      #expect(try middle.names("Person") == ["Ada"])
      try middle.save()
    }
    #expect(try tree.root.inside { try $0.names("Person") == ["Ada"] })
  }

  @Test(arguments: TestStore.all) func aParentThatIsResetLeavesItsChildrenTheirs(_ store: TestStore) throws {
    let tree = try Tree(store)
    try tree.middle.inside { middle throws in
      let ada = middle.make("Person", ["name": "Ada"])
      try middle.save()
      try tree.root.inside { $0.reset() }
      ada.setValue("A", forKey: "name")
      let error = #expect(throws: NSError.self) { try middle.save() }
      #expect(error?.code == NSManagedObjectReferentialIntegrityError && ada.text("name") == "A")
      #expect(try middle.names("Person") == ["A"])
      middle.rollback()
      middle.refreshAllObjects()
      #expect(try middle.names("Person").isEmpty)
    }
  }
}
