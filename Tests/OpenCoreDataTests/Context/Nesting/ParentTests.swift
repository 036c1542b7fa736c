import CoreData
import Testing

/// What may be a context's parent, and what a child has of it.
@Suite struct ParentTests {
  private static func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test(arguments: TestStore.all) func aChildHasTheCoordinatorOfTheTop(_ store: TestStore) throws {
    let tree = try Tree(store)
    #expect(tree.leaf.parent === tree.middle && tree.middle.parent === tree.root && tree.root.parent == nil)
    #expect(tree.leaf.persistentStoreCoordinator === tree.coordinator)
    tree.leaf.persistentStoreCoordinator = tree.coordinator
    #expect(tree.leaf.parent === tree.middle)
    let late = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType), child = Tree.child(of: late)
    #expect(child.persistentStoreCoordinator == nil)
    late.persistentStoreCoordinator = tree.coordinator
    #expect(child.persistentStoreCoordinator === tree.coordinator)
    #expect(try child.inside { try $0.names("Person").isEmpty })
  }

  @Test(arguments: TestStore.all) func aChildHoldsItsParentAndNotTheOtherWayRound(_ store: TestStore) throws {
    var root: NSManagedObjectContext? = TestModel.context(try Society.coordinator(store))
    weak let known = root
    var child: NSManagedObjectContext? = Tree.child(of: try #require(root))
    weak let knownChild = child
    root = nil
    #expect(known != nil && known === child?.parent)
    child = nil
    #expect(knownChild == nil && known == nil)
  }

  @Test(arguments: TestStore.all) func theParentOfAContextWithoutObjectsCanBeChanged(_ store: TestStore) throws {
    let tree = try Tree(store)
    try tree.root.inside { _ = $0.make("Person", ["name": "Ada"]) }
    tree.leaf.parent = tree.root
    #expect(try tree.leaf.inside { try $0.names("Person") == ["Ada"] })
    let free = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    free.parent = tree.root
    free.parent = nil
    #expect(free.parent == nil && free.persistentStoreCoordinator == nil)
    free.persistentStoreCoordinator = tree.coordinator
    #expect(try free.inside { try $0.names("Person").isEmpty })
  }

  @Test func aContextWithObjectsKeepsItsParent() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let tree = try Tree()
      let person = try tree.leaf.inside { $0.make("Person", ["name": "Ada"]) }
      tree.leaf.parent = tree.root
      withExtendedLifetime(person) {}
    }
    #expect(Self.text(result).contains("Context already has a coordinator;  cannot replace."))
  }

  @Test func aChildTakesNoOtherCoordinator() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let tree = try Tree()
      tree.leaf.persistentStoreCoordinator = try Society.coordinator()
    }
    #expect(Self.text(result).contains("Context already has a coordinator;  cannot replace."))
  }

  @Test func aCycleIsRefused() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let tree = try Tree()
      tree.root.parent = tree.leaf
    }
    #expect(Self.text(result).contains("cannot be its own parent, nor a parent of one of its parents"))
    let own = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.parent = context
    }
    #expect(Self.text(own).contains("cannot be its own parent"))
  }
}
