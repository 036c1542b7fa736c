import CoreData
import Testing

/// Merging what others have saved under unsaved changes of the same relationship: both ends say what is held here, and
/// the save writes that.
@Suite struct MergedUnderChangesTests {
  /// A relationship that leads to one object, and its inverse.
  struct Ends: Sendable, CustomTestStringConvertible {
    let entity: String, one: String, owner: String, inverse: String
    var testDescription: String { "\(entity).\(one)" }

    static let all = [
      Ends(entity: "Node", one: "parent", owner: "Node", inverse: "children"),
      Ends(entity: "Node", one: "owner", owner: "Node", inverse: "items"),
      Ends(entity: "Node", one: "whole", owner: "Node", inverse: "parts"),
      Ends(entity: "Node", one: "partner", owner: "Node", inverse: "partner"),
      Ends(entity: "Tag", one: "first", owner: "Node", inverse: "firstOf"),
      Ends(entity: "Node", one: "firstOf", owner: "Tag", inverse: "first"),
    ]
  }

  enum Way: CaseIterable, Sendable {
    case automatic, notification, remote, refreshAll, refreshEach, refreshEachBackwards, refreshMember, refreshOwner
    /// By a child that merges what its parent saves.
    case child
  }

  /// What the merging context knows of the owner that others have given the member to.
  enum Known: CaseIterable { case nothing, fault, values, members }

  enum Change: CaseIterable { case replaced, cleared, same }

  @Test(arguments: Way.allCases, TestStore.all) func bothEndsAgree(_ way: Way, _ store: TestStore) throws {
    var failures: [String] = [], count = 0
    let coordinator = try store.coordinator(UndoGraph.model())
    for ends in Ends.all {
      for known in Known.allCases {
        for change in Change.allCases {
          for (isOwnersSide, hadOwner) in [(false, true), (true, true), (false, false), (true, false)] {
            if change == .cleared, !hadOwner { continue }
            let found = try problems(ends, way, known, change, isOwnersSide, hadOwner: hadOwner, coordinator)
            count += 1
            let side = isOwnersSide ? "owner's side" : "member's side", before = hadOwner ? "owned" : "free"
            failures += found.map { "\(ends.testDescription), other \(known), \(change), \(side), \(before): \($0)" }
          }
        }
      }
    }
    #expect(failures.isEmpty, "\(failures.count) of \(count):\n\(failures.prefix(30).joined(separator: "\n"))")
  }

  private func problems(
    _ ends: Ends, _ way: Way, _ known: Known, _ change: Change, _ isOwnersSide: Bool, hadOwner: Bool,
    _ coordinator: NSPersistentStoreCoordinator
  ) throws -> [String] {
    let there = TestModel.context(coordinator)
    let here = way == .child ? Tree.child(of: there) : TestModel.context(coordinator)
    here.automaticallyMergesChangesFromParent = way == .automatic || way == .child
    let ids = try there.performAndWait {
      let member = there.make(ends.entity, ["number": 0])
      let owners = (1...3).map { there.make(ends.owner, ["number": $0]) }
      if hadOwner { member.setValue(owners[0], forKey: ends.one) }
      try there.save()
      return ([member] + owners).map(\.objectID)
    }
    var problems: [String] = []
    func check(_ moment: String, _ objects: [NSManagedObject], _ wanted: NSManagedObject?) {
      problems += BothEnds.disagreements(of: objects).map { "\(moment): \($0)" }
      let found = objects[0].one(ends.one)
      if found !== wanted { problems.append("\(moment): \(found.map(BothEnds.label) ?? "nil") is the owner") }
    }
    // What is held here, unsaved.
    var objects: [NSManagedObject] = []
    let held = try here.performAndWait { () throws -> NSManagedObject? in
      objects = try ids.prefix(3).map { try here.existingObject(with: $0) }
      if known != .nothing { objects.append(here.object(with: ids[3])) }
      if known == .values { _ = objects[3].value(forKey: "number") }
      if known == .members { _ = BothEnds.members(objects[3], ends.inverse).count }
      let (member, first, second) = (objects[0], objects[1], objects[2])
      switch (change, isOwnersSide) {
      case (.cleared, false): member.setValue(nil, forKey: ends.one)
      case (.cleared, true): BothEnds.remove(member, from: first, ends.inverse)
      case (_, false): member.setValue(second, forKey: ends.one)
      case (_, true): BothEnds.add(member, to: second, ends.inverse)
      }
      here.processPendingChanges()
      return change == .cleared ? nil : second
    }
    // What is saved there.
    let given = change == .same ? 2 : 3
    let saved = RecordedNotifications(.NSManagedObjectContextDidSave, of: there)
    let order = try there.performAndWait { () throws -> [NSManagedObjectID] in
      there.object(with: ids[0]).setValue(there.object(with: ids[given]), forKey: ends.one)
      let changed = there.updatedObjects.map(\.objectID).sorted { ids.firstIndex(of: $0)! < ids.firstIndex(of: $1)! }
      try there.save()
      return changed
    }
    try here.performAndWait {
      func refresh(_ ids: [NSManagedObjectID]) {
        for id in ids { here.registeredObject(for: id).map { here.refresh($0, mergeChanges: true) } }
      }
      switch way {
      case .automatic, .child: break
      case .notification: here.mergeChanges(fromContextDidSave: saved.merged)
      case .remote:
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: order], into: [here])
      case .refreshAll: here.refreshAllObjects()
      case .refreshEach: refresh(order)
      case .refreshEachBackwards: refresh(order.reversed())
      case .refreshMember: refresh([ids[0]])
      case .refreshOwner: refresh([ids[given]])
      }
      if known == .nothing { objects.append(here.object(with: ids[3])) }
      check("merged", objects, held)
      // Who refreshes one end alone reads the other of an older state, and saving finds a conflict.
      here.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try here.save()
      check("saved", objects, held)
    }
    if way == .child { try there.performAndWait { try there.save() } }
    // What the file says.
    try coordinator.inContext { fresh throws in
      let objects = ids.map { fresh.object(with: $0) }
      check("in the store", objects, held.map { fresh.object(with: $0.objectID) })
      let loser = objects[given]
      if loser.objectID != held?.objectID {
        fresh.delete(loser)
        try fresh.save()
        if try !fresh.all(ends.entity).contains(objects[0]) { problems.append("the member went with its former owner") }
      }
    }
    return problems
  }
}
