import CoreData
import Testing

/// Within one block a context reads one state of a store. An object that others have saved since, whose ID it is given, is
/// there.
@Suite struct LaterObjectTests {
  enum Use: CaseIterable { case read, exists, relate, delete }

  @Test(arguments: TestStore.all, Use.allCases)
  func anObjectThatWasSavedLaterIsThere(_ store: TestStore, _ use: Use) throws {
    for isChild in [false, true] {
      let coordinator = try store.coordinator(UndoGraph.model())
      let there = TestModel.context(coordinator), here = TestModel.context(coordinator)
      let context = isChild ? Tree.child(of: here) : here
      try there.performAndWait {
        _ = there.make("Node", ["number": 1])
        try there.save()
      }
      let id = try context.performAndWait {
        // The block has begun to read.
        let first = try #require(try context.all("Node").first)
        let id = try there.performAndWait {
          let later = there.make("Node", ["number": 2])
          try there.save()
          return later.objectID
        }
        switch use {
        case .read: #expect(context.object(with: id).number("number") == 2)
        case .exists: #expect(try context.existingObject(with: id).number("number") == 2)
        case .relate: first.setValue(context.object(with: id), forKey: "partner")
        case .delete: context.delete(context.object(with: id))
        }
        try context.save()
        return id
      }
      try here.performAndWait { try here.save() }
      try coordinator.inContext { context throws in
        let later = try context.all("Node").first { $0.objectID == id }
        #expect((later == nil) == (use == .delete))
        #expect((later?.one("partner") == nil) == (use != .relate))
      }
    }
  }
}
