import CoreData
import Testing

/// What a child has read may be older than what its parent has written since of the child's own changes.
@Suite struct ChildVersionTests {
  @Test(arguments: ["delete", "update"], TestStore.all)
  func aChangeOfMembersAloneIsNoConflictLater(change: String, _ store: TestStore) throws {
    let coordinator = try Society.coordinator(store)
    try coordinator.inContext { context throws in
      _ = context.make("Person", ["name": "A"])
      _ = context.make("Club", ["name": "C"])
      try context.save()
    }
    let parent = TestModel.context(coordinator), child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    func save() throws {
      try child.save()
      try parent.performAndWait { try parent.save() }
    }
    try child.performAndWait {
      let person = try child.named("A"), club = try child.named("C", "Club")
      #expect(person.text("name") == "A")
      person.mutableSetValue(forKey: "clubs").add(club)
      // The row gets another version, and the parent lets go of its object.
      try save()
      if change == "delete" { child.delete(person) } else { person.setValue("B", forKey: "name") }
      try save()
      #expect(try child.names("Person") == (change == "delete" ? [] : ["B"]))
    }
  }
}
