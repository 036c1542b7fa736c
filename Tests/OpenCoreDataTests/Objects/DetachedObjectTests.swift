import CoreData
import Testing

/// Objects that outlive what they came from.
@Suite struct DetachedObjectTests {
  @Test(arguments: TestStore.all)
  func aDeletedObjectCanBeReadAfterContextCoordinatorAndModelAreGone(_ store: TestStore) throws {
    var gone: NSManagedObject?
    do {
      let context = TestModel.context(try store.coordinator(TestModel.library()))
      gone = try context.performAndWait { () throws in
        let tag = context.make("Tag", ["name": "last words"])
        try context.save()
        context.delete(tag)
        try context.save()
        return tag
      }
    }
    let tag = try #require(gone)
    #expect(tag.managedObjectContext == nil)
    #expect(tag.value(forKey: "name") as? String == "last words")
    #expect(tag.objectID.uriRepresentation().lastPathComponent == "p1")
    #expect(tag.entity.name == "Tag")
  }

  @Test(arguments: TestStore.all) func aRolledBackObjectCanBeInsertedAgain(_ store: TestStore) throws {
    let context = TestModel.context(try store.coordinator(TestModel.library()))
    try context.performAndWait { () throws in
      let tag = context.make("Tag", ["name": "again"])
      context.rollback()
      #expect(tag.managedObjectContext == nil)
      context.insert(tag)
      tag.setValue("again", forKey: "name")
      try context.save()
      #expect(try context.all("Tag").first === tag)
    }
  }
}
