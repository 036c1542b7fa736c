import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Calls around accesses, and the life-cycle calls that replace values as a whole.
@Suite struct HooksTests {
  private func stack(_ store: TestStore) throws -> (NSManagedObjectContext, UndoWatched) {
    let context = TestModel.context(try store.coordinator(UndoWatched.model()))
    let object = UndoWatched(context: context)
    object.setValue("a", forKey: "name")
    try context.save()
    _ = object.take()
    return (context, object)
  }

  @Test(arguments: TestStore.all) func announcedAccessesFireTheFault(_ store: TestStore) throws {
    let (context, object) = try stack(store)
    for key in ["name", nil] {
      context.refresh(object, mergeChanges: false)
      #expect(object.isFault)
      object.willAccessValue(forKey: key)
      #expect(!object.isFault)
      #expect(object.primitiveValue(forKey: "name") as? String == "a")
      object.didAccessValue(forKey: key)
      #expect(!object.hasChanges)
    }
  }

  @Test(arguments: TestStore.all) func rollbackAndRefreshAwakeObjects(_ store: TestStore) throws {
    let (context, watched) = try stack(store)
    let object: NSManagedObject = watched
    object.setValue("x", forKey: "name")
    context.rollback()
    #expect(watched.take() == ["16"] && watched.text("shout") == "A")
    context.refresh(object, mergeChanges: true)
    #expect(watched.take() == ["32"])
    #expect(!object.hasChanges)
    context.refresh(object, mergeChanges: false)
    #expect(watched.take() == [])
  }

  @Test func aConfinementParentIsRefused() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      guard let confined = NSManagedObjectContextConcurrencyType(rawValue: 0) else { return }
      NSManagedObjectContext(.privateQueue).parent = NSManagedObjectContext(concurrencyType: confined)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains(
        "Parent NSManagedObjectContext must use either NSPrivateQueueConcurrencyType or NSMainQueueConcurrencyType."))
  }

  @Test func aConfinementContextDoesNotMergeByItself() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      guard let confined = NSManagedObjectContextConcurrencyType(rawValue: 0) else { return }
      NSManagedObjectContext(concurrencyType: confined).automaticallyMergesChangesFromParent = true
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("confinement"))
  }
}
