import CoreData
import Testing

/// A partner in a one-to-one relationship is set to what the other end's row says already, because that row was read later than
/// one's own. Then others relate the two to others, and the context takes that over: both ends say what is held here.
@Suite struct HeldPartnerTests {
  enum Way: CaseIterable { case notification, refreshAll, refreshHolder, refreshMember, forgetMember }

  private func takeOver(
    _ way: Way, _ saves: [Notification], _ context: NSManagedObjectContext, _ holder: NSManagedObject,
    _ member: NSManagedObject
  ) {
    switch way {
    case .notification: for save in saves { context.mergeChanges(fromContextDidSave: save) }
    case .refreshAll: context.refreshAllObjects()
    case .refreshHolder: for object in [holder, member] { context.refresh(object, mergeChanges: true) }
    case .refreshMember: for object in [member, holder] { context.refresh(object, mergeChanges: true) }
    case .forgetMember: for object in [member, holder] { context.refresh(object, mergeChanges: object === holder) }
    }
  }

  private func relate(
    _ holder: NSManagedObjectID, to member: NSManagedObjectID?, in context: NSManagedObjectContext
  ) throws -> Notification {
    let saved = RecordedNotifications(.NSManagedObjectContextDidSave, of: context)
    try context.performAndWait {
      context.object(with: holder).setValue(member.map(context.object), forKey: "partner")
      try context.save()
    }
    return saved.merged
  }

  @Test(arguments: TestStore.all, Way.allCases) func whatIsHeldStays(_ store: TestStore, _ way: Way) throws {
    for isGivenAway in [false, true] {
      let coordinator = try store.coordinator(UndoGraph.model())
      let there = TestModel.context(coordinator), here = TestModel.context(coordinator)
      for number in 1...3 { _ = there.make("Node", ["number": number]) }
      try there.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      let ids = try there.fetch(request).map(\.objectID)
      let nodes = here.performAndWait { ids.map(here.object) }
      here.performAndWait { #expect(nodes[0].one("partner") == nil) }
      var saves = [try relate(ids[0], to: ids[1], in: there)]
      here.performAndWait {
        #expect(nodes[1].one("partner") === nodes[0])
        nodes[0].setValue(nodes[1], forKey: "partner")
        here.processPendingChanges()
      }
      saves.append(try relate(ids[0], to: isGivenAway ? ids[2] : nil, in: there))
      if isGivenAway { saves.append(try relate(ids[1], to: nil, in: there)) }
      try here.performAndWait {
        takeOver(way, saves, here, nodes[0], nodes[1])
        #expect(nodes[0].one("partner") === nodes[1] && nodes[1].one("partner") === nodes[0])
        // The third object was perhaps never read here; then it is now, with its present row.
        if way == .notification || way == .refreshAll { #expect(BothEnds.disagreements(of: nodes) == []) }
        try here.save()
      }
      try coordinator.inContext { context throws in
        #expect(context.object(with: ids[0]).one("partner")?.objectID == ids[1])
        #expect(BothEnds.disagreements(of: ids.map(context.object)) == [])
      }
    }
  }

  /// In an editing form, whose parent has related the holder otherwise.
  @Test(arguments: TestStore.all) func whatAChildHoldsStays(_ store: TestStore) throws {
    let coordinator = try store.coordinator(UndoGraph.model())
    let there = TestModel.context(coordinator), parent = TestModel.context(coordinator)
    let child = Tree.child(of: parent)
    for number in 1...3 { _ = there.make("Node", ["number": number]) }
    try there.save()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    let ids = try there.fetch(request).map(\.objectID)
    parent.performAndWait { parent.object(with: ids[0]).setValue(parent.object(with: ids[2]), forKey: "partner") }
    let saved = try relate(ids[0], to: ids[1], in: there)
    let nodes = child.performAndWait { ids.map(child.object) }
    child.performAndWait {
      #expect(nodes[1].one("partner") === nodes[0] && nodes[0].one("partner") === nodes[2])
      nodes[0].setValue(nodes[1], forKey: "partner")
      child.processPendingChanges()
    }
    parent.performAndWait { parent.mergeChanges(fromContextDidSave: saved) }
    try child.performAndWait {
      child.refreshAllObjects()
      #expect(nodes[0].one("partner") === nodes[1] && nodes[1].one("partner") === nodes[0])
      #expect(BothEnds.disagreements(of: nodes) == [])
      try child.save()
    }
    try parent.performAndWait { try parent.save() }
    try coordinator.inContext { context throws in
      #expect(context.object(with: ids[0]).one("partner")?.objectID == ids[1])
      #expect(BothEnds.disagreements(of: ids.map(context.object)) == [])
    }
  }
}
