import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// The plan of a save is a value: once it is made, nobody looks at objects any more.
@Suite struct SavePlanTests {
  private func plan(
    _ context: NSManagedObjectContext, inserted: [NSManagedObject] = [], updated: [NSManagedObject] = [],
    deleted: [NSManagedObject] = []
  ) throws -> SavePlan {
    context.processPendingChanges()
    var work = SaveWork()
    work.inserted = ContiguousArray(inserted)
    work.updated = ContiguousArray(updated)
    work.deleted = ContiguousArray(deleted)
    return try SavePlan(work, of: context.persistentStoreCoordinator!.persistentStores[0])
  }

  @Test func newRowsReferToEachOtherByTheKeysThatTheyAreGiven() throws {
    let coordinator = try Society.coordinator()
    try coordinator.inContext { context in
      let boss = context.make("Person", ["name": "boss"])
      let report = context.make("Manager", ["name": "report", "boss": boss])
      let plan = try plan(context, inserted: [report, boss])
      let slot = report.layout.slot(named: "boss")!
      #expect(plan.inserted.map(\.primaryKey) == [report.key, boss.key])
      #expect(plan.inserted[0].int(slot.index) == boss.key && boss.key < 1)
      // What is set now is no part of the plan any more.
      report.setValue("other", forKey: "name")
      report.setValue(nil, forKey: "boss")
      var keys = SaveKeys()
      keys.inserted = [7, 9]
      keys.byTemporary = [report.key: 7, boss.key: 9]
      plan.adopt(keys)
      #expect(plan.inserted.map(\.primaryKey) == [7, 9])
      #expect(plan.inserted[0].int(slot.index) == 9)
      #expect(plan.inserted[0].string(report.layout.slot(named: "name")!.index) == "report")
      #expect(plan.inserted.map { $0.layout.name } == ["Manager", "Person"])
    }
  }

  @Test func objectsThatChangeAlikeShareWhatIsChanged() throws {
    let coordinator = try Society.coordinator()
    try coordinator.inContext { context in
      for number in 1...4 { _ = context.make("Person", ["number": number, "name": "P\(number)"]) }
      try context.save()
    }
    try coordinator.inContext { context in
      let people = try context.all("Person", sortedBy: "number")
      for person in people[..<3] { person.setValue("new", forKey: "name") }
      people[3].setValue(5, forKey: "age")
      people[3].setValue("new", forKey: "name")
      let plan = try plan(context, updated: people)
      let layout = people[0].layout
      #expect(plan.changesOfUpdated == [0, 0, 0, 1])
      #expect(plan.changes.map { $0.places.map { layout.slots[$0].name }.sorted() } == [["name"], ["age", "name"]])
      #expect(plan.updated.map(\.version) == [2, 2, 2, 2])
      #expect(plan.updated[0].int(layout.slot(named: "number")!.index) == 1, "what is unchanged is in the row, too")
    }
  }

  @Test func whatGoesIsKeysAndVersions() throws {
    let coordinator = try Society.coordinator()
    let identifiers = try coordinator.inContext { context in
      let people = (1...2).map { context.make("Person", ["number": $0]) }
      try context.save()
      return people.map(\.objectID)
    }
    try coordinator.inContext { context in
      let read = try context.existingObject(with: identifiers[0])
      _ = read.number("number")
      let unread = context.object(with: identifiers[1])
      let plan = try plan(context, deleted: [read, unread])
      #expect(plan.deleted.map(\.key) == [read.key, unread.key])
      #expect(plan.deleted.map(\.version) == [1, nil])
    }
  }

  /// Members and their order are keys, too.
  @Test func membersAndTheirOrderAreKeys() throws {
    let parent = TestModel.entity("Parent", [])
    let child = TestModel.entity("Child", [TestModel.attribute("name", .stringAttributeType)])
    TestModel.relate(parent, "children", max: 0, child, "parents", max: 0)
    parent.relationshipsByName["children"]?.isOrdered = true
    let model = NSManagedObjectModel()
    model.entities = [parent, child]
    let coordinator = try TestModel.coordinator(model)
    let (owner, first) = try coordinator.inContext { context in
      let first = context.make("Child", ["name": "first"])
      let owner = context.make("Parent", ["children": [first, context.make("Child", ["name": "second"])]])
      try context.save()
      return (owner.objectID, first.objectID)
    }
    try coordinator.inContext { context in
      let owner = try context.existingObject(with: owner), first = context.object(with: first)
      let new = context.make("Child")
      let members = owner.mutableOrderedSetValue(forKey: "children")
      members.remove(first)
      members.insert(new, at: 0)
      let plan = try plan(context, inserted: [new], updated: [owner])
      let ofOwner = plan.members.filter { $0.slot.name == "children" }
      #expect(ofOwner.map { Array($0.added) } == [[new.key]])
      #expect(ofOwner.map { Array($0.removed) } == [[first.key]])
      #expect(plan.order.count == 1)
      guard case .arrange(let whole, let runs)? = plan.order.first?.change else {
        Issue.record("the order is not planned as a whole")
        return
      }
      #expect(whole.first == new.key && whole.count == 2)
      #expect(runs == [0..<1])
    }
  }

  /// Everything that a save must know of objects it learns before its transaction: an owner that is a fault fires there.
  @Test func nothingIsReadForObjectsInTheTransaction() throws {
    let file = try TestModel.temporaryFile(), coordinator = try Society.coordinator(url: file)
    let identifiers = try coordinator.inContext { context in
      let boss = context.make("Person", ["name": "boss", "clubs": [context.make("Club", ["name": "a"])]])
      let other = context.make("Person", ["name": "other", "boss": boss])
      try context.save()
      return [boss.objectID, other.objectID]
    }
    coordinator.emptyRowCache()
    try coordinator.inContext { context in
      let boss = context.object(with: identifiers[0]), other = context.object(with: identifiers[1])
      boss.setValue("renamed", forKey: "name")
      boss.mutableSetValue(forKey: "clubs").add(context.make("Club", ["name": "b"]))
      other.setValue(nil, forKey: "boss")
      _ = context.make("Manager", ["boss": other, "friends": [boss]])
      let statements = try StatementLog.collect(thisThread: true) { try context.save() }.statements
      guard let begin = statements.firstIndex(where: { $0.hasPrefix("BEGIN IMMEDIATE") || $0.hasPrefix("UPDATE") })
      else {
        Issue.record("nothing was written: \(statements)")
        return
      }
      let reads = statements[begin...].filter { $0.hasPrefix("SELECT") && !$0.contains("Z_PRIMARYKEY") }
      #expect(reads.isEmpty, "\(reads)")
    }
  }
}
