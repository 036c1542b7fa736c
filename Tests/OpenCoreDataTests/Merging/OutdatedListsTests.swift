import CoreData
import Testing

/// Lists of members that were read before others have saved.
@Suite struct OutdatedListsTests {
  /// Members of several owners are read together; those of an owner that was not asked for must not outlive a save.
  @Test(arguments: TestStore.all) func membersReadAheadFollowASave(_ store: TestStore) throws {
    let coordinator = try store.coordinator(UndoGraph.model())
    let there = TestModel.context(coordinator), here = TestModel.context(coordinator)
    for number in 1...4 { _ = there.make("Node", ["number": number]) }
    try there.save()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    let owners = try here.performAndWait {
      let owners = try here.fetch(request)
      // The second owner of a walk is read with the third.
      for name in ["parts", "tags"] {
        for owner in owners[...1] { #expect(BothEnds.members(owner, name).isEmpty) }
      }
      return owners
    }
    let saved = RecordedNotifications(.NSManagedObjectContextDidSave, of: there)
    try there.performAndWait {
      let owner = there.object(with: owners[2].objectID)
      there.object(with: owners[3].objectID).setValue(owner, forKey: "whole")
      BothEnds.add(there.make("Tag", ["number": 9]), to: owner, "tags")
      try there.save()
    }
    here.performAndWait {
      here.mergeChanges(fromContextDidSave: saved.merged)
      for name in ["parts", "tags"] { #expect(BothEnds.members(owners[2], name).count == 1) }
      #expect(BothEnds.disagreements(of: owners) == [])
    }
  }

  /// A member is removed at an end that knows of it, while the other end was read before it came.
  @Test(arguments: TestStore.all) func aRemovalCountsAtAnEndThatWasOutdated(_ store: TestStore) throws {
    let coordinator = try store.coordinator(UndoGraph.model())
    for (name, member, inverse) in [("tags", "Tag", "nodes"), ("followers", "Node", "leaders")] {
      let there = TestModel.context(coordinator), here = TestModel.context(coordinator)
      let owner = there.make("Node", ["number": 1]), added = there.make(member, ["number": 2])
      try there.save()
      let other = here.performAndWait { here.object(with: added.objectID) }
      here.performAndWait { #expect(BothEnds.members(other, inverse).isEmpty) }
      let saved = RecordedNotifications(.NSManagedObjectContextDidSave, of: there)
      BothEnds.add(added, to: owner, name)
      try there.save()
      try here.performAndWait {
        let seen = here.object(with: owner.objectID)
        #expect(BothEnds.members(seen, name) == [other])
        BothEnds.remove(other, from: seen, name)
        here.mergeChanges(fromContextDidSave: saved.merged)
        #expect(BothEnds.members(seen, name).isEmpty && BothEnds.members(other, inverse).isEmpty)
        try here.save()
        #expect(BothEnds.members(seen, name).isEmpty && BothEnds.members(other, inverse).isEmpty)
      }
      try coordinator.inContext { context throws in
        #expect(BothEnds.members(context.object(with: owner.objectID), name).isEmpty)
        #expect(BothEnds.members(context.object(with: added.objectID), inverse).isEmpty)
      }
    }
  }

  /// The delete rule of an owner that is deleted here has cleared the relationship; the row, which names the owner still,
  /// must not bring it back.
  @Test(arguments: TestStore.all) func refreshingKeepsNoDeletedOwner(_ store: TestStore) throws {
    let coordinator = try store.coordinator(UndoGraph.model())
    for name in ["parent", "owner", "partner"] {
      let context = TestModel.context(coordinator)
      let owner = context.make("Node", ["number": 1]), member = context.make("Node", ["number": 2])
      member.setValue(owner, forKey: name)
      try context.save()
      context.delete(owner)
      context.processPendingChanges()
      #expect(member.one(name) == nil)
      context.refresh(member, mergeChanges: false)
      #expect(member.one(name) == nil)
      try context.save()
      try coordinator.inContext { #expect(BothEnds.members($0.object(with: member.objectID), name).isEmpty) }
    }
  }
}
