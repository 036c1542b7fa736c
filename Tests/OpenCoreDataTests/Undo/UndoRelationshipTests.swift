import CoreData
import Testing

/// Both ends of every kind of relationship come back.
@Suite struct UndoRelationshipTests {
  /// Four nodes and a tag, saved; `change` is an event, which is undone, redone, saved, undone.
  private func backAndForth(
    _ store: TestStore, _ change: ([NSManagedObject], NSManagedObject) -> Void,
    _ prepare: ([NSManagedObject], NSManagedObject) -> Void
  ) throws {
    let coordinator = try UndoGraph.coordinator(store)
    try coordinator.undoing { context, manager throws in
      let nodes = (0..<4).map { context.make("Node", ["number": $0]) }, tag = context.make("Tag", ["number": 9])
      prepare(nodes, tag)
      try context.save()
      manager.removeAllActions()
      let before = try UndoGraph.picture(context)
      context.event { change(nodes, tag) }
      let after = try UndoGraph.picture(context)
      #expect(after != before)
      context.undo()
      try context.expect(before)
      #expect(!context.hasChanges)
      context.redo()
      try context.expect(after)
      try context.save()
      context.refreshAllObjects()
      context.undo()
      try context.expect(before)
      #expect(context.hasChanges)
      try context.save()
      try coordinator.inContext { try $0.expect(before) }
      context.redo()
      try context.save()
      try coordinator.inContext { try $0.expect(after) }
    }
  }

  @Test(arguments: TestStore.all) func toOne(_ store: TestStore) throws {
    try backAndForth(store, { nodes, _ in nodes[0].setValue(nodes[2], forKey: "parent") }) { nodes, _ in
      nodes[0].setValue(nodes[1], forKey: "parent")
    }
    try backAndForth(store, { nodes, _ in nodes[0].setValue(nil, forKey: "best") }) { nodes, _ in
      nodes[0].setValue(nodes[1], forKey: "best")
    }
  }

  @Test(arguments: TestStore.all) func oneToOne(_ store: TestStore) throws {
    try backAndForth(store, { nodes, _ in nodes[0].setValue(nodes[2], forKey: "partner") }) { nodes, _ in
      nodes[0].setValue(nodes[1], forKey: "partner")
      nodes[2].setValue(nodes[3], forKey: "partner")
    }
    try backAndForth(store, { nodes, tag in tag.setValue(nodes[1], forKey: "first") }) { nodes, tag in
      tag.setValue(nodes[0], forKey: "first")
    }
  }

  @Test(arguments: TestStore.all) func toMany(_ store: TestStore) throws {
    try backAndForth(store, { nodes, _ in nodes[0].setValue([nodes[2], nodes[3]] as Set, forKey: "children") }) {
      nodes, _ in
      nodes[0].setValue([nodes[1], nodes[2]] as Set, forKey: "children")
      nodes[1].setValue([nodes[3]] as Set, forKey: "children")
    }
  }

  @Test(arguments: TestStore.all) func manyToMany(_ store: TestStore) throws {
    try backAndForth(
      store,
      { nodes, tag in
        nodes[0].mutableSetValue(forKey: "tags").add(tag)
        tag.mutableSetValue(forKey: "nodes").remove(nodes[1])
        nodes[2].mutableSetValue(forKey: "friends").add(nodes[2])
        nodes[2].mutableSetValue(forKey: "friends").remove(nodes[3])
      }
    ) { nodes, tag in
      tag.setValue([nodes[1], nodes[3]] as Set, forKey: "nodes")
      nodes[2].mutableSetValue(forKey: "friends").add(nodes[3])
    }
  }

  @Test(arguments: TestStore.all) func ordered(_ store: TestStore) throws {
    try backAndForth(
      store,
      { nodes, _ in
        let items = nodes[0].mutableOrderedSetValue(forKey: "items")
        items.removeObject(at: 0)
        items.insert(nodes[0], at: 1)
        nodes[1].mutableOrderedSetValue(forKey: "leaders").exchangeObject(at: 0, withObjectAt: 1)
      }
    ) { nodes, _ in
      nodes[0].setValue(NSOrderedSet(array: [nodes[1], nodes[2], nodes[3]]), forKey: "items")
      nodes[1].setValue(NSOrderedSet(array: [nodes[2], nodes[3]]), forKey: "leaders")
      nodes[2].setValue(NSOrderedSet(array: [nodes[0], nodes[1]]), forKey: "followers")
    }
  }

  @Test(arguments: TestStore.all) func orderAlone(_ store: TestStore) throws {
    try backAndForth(
      store,
      { nodes, _ in
        nodes[0].mutableOrderedSetValue(forKey: "items").sort(using: [NSSortDescriptor(key: "number", ascending: false)]
        )
      }
    ) { nodes, _ in
      nodes[0].setValue(NSOrderedSet(array: [nodes[1], nodes[2], nodes[3]]), forKey: "items")
    }
  }

  @Test(arguments: TestStore.all) func aMemberThatWasOneAlreadyStaysWhenAddingItIsUndone(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, _ throws in
      let (node, tag) = (context.make("Node", ["number": 1]), context.make("Tag", ["number": 2]))
      let more = context.make("Node", ["number": 3])
      node.mutableSetValue(forKey: "tags").add(tag)
      try context.save()
      context.refreshAllObjects()
      // Neither end has been read.
      context.event {
        tag.mutableSetValue(forKey: "nodes").add(node)
        tag.mutableSetValue(forKey: "nodes").add(more)
      }
      context.undo()
      #expect(tag.many("nodes") == [node] && node.many("tags") == [tag] && more.many("tags").isEmpty)
      try context.save()
      context.refreshAllObjects()
      #expect(tag.many("nodes") == [node] && node.many("tags") == [tag])
    }
  }

  @Test(arguments: [false, true], TestStore.all)
  func deletionsWithEverythingAround(saved: Bool, _ store: TestStore) throws {
    let coordinator = try UndoGraph.coordinator(store)
    try coordinator.undoing { context, manager throws in
      let nodes = (0..<5).map { context.make("Node", ["number": $0]) }, tag = context.make("Tag", ["number": 9])
      let node = nodes[0]
      node.setValue(nodes[1], forKey: "parent")
      node.setValue([nodes[2], nodes[3]] as Set, forKey: "children")
      nodes[1].setValue(NSOrderedSet(array: [nodes[2], node, nodes[3]]), forKey: "items")
      node.setValue(NSOrderedSet(array: [nodes[4], nodes[3], nodes[1]]), forKey: "leaders")
      nodes[3].mutableOrderedSetValue(forKey: "followers").add(nodes[1])
      node.mutableSetValue(forKey: "friends").addObjects(from: [node, nodes[2]])
      node.setValue(nodes[2], forKey: "partner")
      node.mutableSetValue(forKey: "tags").add(tag)
      tag.setValue(node, forKey: "first")
      node.mutableSetValue(forKey: "parts").add(nodes[4])
      node.setValue(nodes[3], forKey: "best")
      try context.save()
      manager.removeAllActions()
      context.refreshAllObjects()
      let before = try UndoGraph.picture(context)
      if saved { context.refreshAllObjects() }
      context.event { context.delete(node) }
      // The part goes with its whole.
      #expect(nodes[4].isDeleted && nodes[1].many("children").isEmpty)
      if saved { try context.save() }
      context.undo()
      try context.expect(before)
      #expect(node.isInserted == saved)
      try context.save()
      try coordinator.inContext { try $0.expect(before) }
      context.redo()
      #expect(node.isDeleted && nodes[4].isDeleted)
      try context.save()
      context.undo()
      try context.expect(before)
    }
  }

  @Test(arguments: TestStore.all) func anInsertionThatIsUndoneTakesNothingWithIt(_ store: TestStore) throws {
    let model = Society.family(.nullifyDeleteRule, childRule: .cascadeDeleteRule)
    try store.coordinator(model).undoing { context, _ throws in
      let parent = context.make("Parent", ["name": "P"])
      try context.save()
      context.event { context.make("Child").setValue(parent, forKey: "parent") }
      context.undo()
      // Deleting the child would have deleted its parent.
      #expect(!parent.isDeleted && parent.many("children").isEmpty)
      #expect(try context.all("Child").isEmpty && !context.hasChanges)
    }
  }
}
