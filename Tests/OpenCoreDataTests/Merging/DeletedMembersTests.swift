import CoreData
import Testing

/// A deletion reaches every list of members that has the deleted object: the cached ones of the store, those of this
/// context, which may be old, and those of contexts that merge the save.
@Suite struct DeletedMembersTests {
  enum Way: CaseIterable, Sendable {
    case directly, directlyWithReadOwners, asFault, byCascade, afterUndo
  }

  @Test(arguments: Way.allCases, TestStore.all)
  func aDeletedMemberLeavesEveryList(_ way: Way, _ store: TestStore) throws {
    let coordinator = try store.coordinator(UndoGraph.model())
    for (entity, name) in [
      ("Node", "tags"), ("Tag", "nodes"), ("Node", "friends"), ("Node", "followers"), ("Node", "leaders"),
      ("Node", "children"), ("Node", "items"),
    ] {
      if way == .byCascade, entity == "Tag" || name == "tags" { continue }
      let relationship = try #require(
        coordinator.managedObjectModel.entitiesByName[entity]?.relationshipsByName[name])
      let inverse = try #require(relationship.inverseRelationship?.name)
      let member = try #require(relationship.destinationEntity?.name)
      let there = TestModel.context(coordinator), here = TestModel.context(coordinator)
      here.undoManager = UndoManager()
      let owner = there.make(entity, ["number": 1])
      let whole = there.make("Node", ["number": 3])
      try there.save()
      // The reads of one block see one state of the store.
      let seen = try here.performAndWait { try here.existingObject(with: owner.objectID) }
      here.performAndWait { #expect(BothEnds.members(seen, name).isEmpty) }
      let added = there.make(member, ["number": 2])
      BothEnds.add(added, to: owner, name)
      if way == .byCascade { added.setValue(whole, forKey: "whole") }
      try there.save()
      func count() throws -> Int {
        try coordinator.inContext { BothEnds.members($0.object(with: owner.objectID), name).count }
      }
      #expect(try count() == 1)
      let saved = RecordedNotifications(.NSManagedObjectContextDidSave, of: here)
      try here.performAndWait {
        switch way {
        case .directly: here.delete(try here.existingObject(with: added.objectID))
        case .directlyWithReadOwners:
          let object = try here.existingObject(with: added.objectID)
          _ = BothEnds.members(object, inverse)
          here.delete(object)
        case .asFault: here.delete(here.object(with: added.objectID))
        case .byCascade: here.delete(try here.existingObject(with: whole.objectID))
        case .afterUndo:
          here.delete(try here.existingObject(with: added.objectID))
          here.processPendingChanges()
          here.undo()
          here.delete(try here.existingObject(with: added.objectID))
        }
        here.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try here.save()
      }
      #expect(try count() == 0, "\(entity).\(name)")
      try coordinator.inContext { context throws in
        let owner = context.object(with: owner.objectID)
        #expect(BothEnds.disagreements(of: [owner]) == [])
        // A copy of the members is saved.
        let copy = context.make(entity, ["number": 4])
        for object in BothEnds.members(owner, name) { BothEnds.add(object, to: copy, name) }
        try context.save()
        context.delete(copy)
        try context.save()
      }
      here.performAndWait { #expect(BothEnds.members(seen, name).isEmpty) }
      there.mergeChanges(fromContextDidSave: saved.merged)
      #expect(BothEnds.members(owner, name).isEmpty, "\(entity).\(name)")
      #expect(
        try coordinator.inContext { try $0.names("Node", where: "SUBQUERY(tags, $t, $t.number == 2).@count > 0") } == []
      )
    }
  }

  /// A reader of an older state keeps what it reads to itself, also when it reads after the deletion was saved.
  @Test(arguments: TestStore.all(that: .generations)) func anOlderReaderLeavesNoGhost(_ store: TestStore) throws {
    let coordinator = try store.coordinator(UndoGraph.model(), url: try store.place())
    let there = TestModel.context(coordinator), pinned = TestModel.context(coordinator)
    let owner = there.make("Node", ["number": 1]), tag = there.make("Tag", ["number": 2])
    BothEnds.add(tag, to: owner, "tags")
    try there.save()
    try pinned.setQueryGenerationFrom(.current)
    #expect(try pinned.all("Node").count == 1)
    there.delete(tag)
    try there.save()
    #expect(BothEnds.members(pinned.object(with: owner.objectID), "tags").count == 1)
    #expect(try coordinator.inContext { BothEnds.members($0.object(with: owner.objectID), "tags").count } == 0)
  }

  /// A new object takes the place of a stored one of the same unique value, which others have given members to.
  @Test(arguments: MergeWorld.policies, TestStore.all)
  func anObjectThatIsReplacedLeavesEveryList(_ policy: NSMergePolicyType, _ store: TestStore) throws {
    let world = try MergeWorld(store, MergeWorld.accounts())
    let there = world.context(), here = world.context(policy)
    let group = there.make("Group", ["name": "group"])
    try there.save()
    #expect(try here.existingObject(with: group.objectID).many("accounts").isEmpty)
    let account = there.make("Account", ["email": "a@b"])
    BothEnds.add(account, to: group, "accounts")
    try there.save()
    #expect(try world.coordinator.inContext { $0.object(with: group.objectID).many("accounts").count } == 1)
    _ = here.make("Account", ["email": "a@b", "note": "new"])
    try here.save()
    try world.coordinator.inContext { context throws in
      #expect(BothEnds.disagreements(of: try context.all("Group") + context.all("Account")) == [])
      #expect(try context.all("Account").count == 1)
    }
  }

  /// A batch deletes rows; contexts that are told of it lose the members, faults too.
  @Test(arguments: TestStore.all(that: .batchDeletes)) func aBatchDeletionLeavesEveryList(_ store: TestStore) throws {
    let coordinator = try store.coordinator(UndoGraph.model(), url: try store.place())
    let there = TestModel.context(coordinator), here = TestModel.context(coordinator)
    let owner = there.make("Node", ["number": 1]), tag = there.make("Tag", ["number": 2])
    BothEnds.add(tag, to: owner, "tags")
    BothEnds.add(there.make("Node", ["number": 3]), to: owner, "children")
    try there.save()
    let seen = here.object(with: owner.objectID)
    #expect(BothEnds.members(seen, "tags").count == 1 && BothEnds.members(seen, "children").count == 1)
    let children = BothEnds.members(owner, "children").map(\.objectID)
    let request = NSBatchDeleteRequest(objectIDs: children), tags = NSBatchDeleteRequest(objectIDs: [tag.objectID])
    for request in [request, tags] {
      request.resultType = .resultTypeObjectIDs
      let result = try there.execute(request) as? NSBatchDeleteResult
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSDeletedObjectsKey: result?.result as? [NSManagedObjectID] ?? []],
        into: [there, here])
    }
    for object in [seen, owner] {
      #expect(BothEnds.members(object, "tags").isEmpty && BothEnds.members(object, "children").isEmpty)
    }
  }
}
