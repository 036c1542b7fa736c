import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// `object(with:)` of a child goes no further up than it has to: to the context that has changed the object, and for what
/// nobody has changed to the rows that the coordinator knows, or the store.
@Suite struct FewestLevelsTests {
  /// Ada and Bob, saved, in the rows that the coordinator knows.
  private func people(_ store: TestStore) throws -> (tree: Tree, ada: NSManagedObjectID, bob: NSManagedObjectID) {
    let tree = try Tree(store)
    let ids = try tree.root.inside { root throws in
      let people = ["Ada", "Bob"].map { root.make("Person", ["name": $0, "age": 30]) }
      try root.save()
      return people.map(\.objectID)
    }
    return (tree, ids[0], ids[1])
  }

  /// The statements that reading the object's name takes in a context.
  private func statements(
    _ context: NSManagedObjectContext, _ id: NSManagedObjectID, _ name: String?,
    _ location: SourceLocation = #_sourceLocation
  ) throws -> Int {
    try context.inside { context throws in
      let (found, texts) = StatementLog.collect(thisThread: true) { context.object(with: id).text("name") }
      #expect(found == name, sourceLocation: location)
      return texts.count { $0.hasPrefix("SELECT") }
    }
  }

  private func registered(_ tree: Tree) throws -> [Int] {
    try [tree.root, tree.middle, tree.leaf].map { try $0.inside { $0.registeredObjects.count } }
  }

  @Test func askingForAnObjectReadsNothing() throws {
    let (tree, ada, _) = try people(.sqlite)
    tree.coordinator.emptyRowCache()
    try tree.leaf.inside { leaf throws in
      let (object, texts) = StatementLog.collect(thisThread: true) { leaf.object(with: ada) }
      #expect(texts.isEmpty && object.isFault && leaf.object(with: ada) === object)
    }
  }

  /// One statement where no row is known, none where one is; the contexts between have no part in it.
  @Test func whatNobodyHasChanged() throws {
    let (tree, ada, bob) = try people(.sqlite)
    #expect(try statements(tree.leaf, ada, "Ada") == 0)
    let kept = try tree.leaf.inside { leaf in
      let object = leaf.object(with: ada)
      #expect(object.text("name") == "Ada")
      return object
    }
    tree.coordinator.emptyRowCache()
    #expect(try statements(tree.leaf, ada, "Ada") == 0, "the leaf has the object itself")
    #expect(try statements(tree.leaf, bob, "Bob") == 1)
    #expect(try statements(tree.middle, bob, "Bob") == 0)
    #expect(try registered(tree) == [0, 0, 1] && kept.objectID == ada)
  }

  @Test func whatTheNextContextHasChanged() throws {
    let (tree, ada, bob) = try people(.sqlite)
    try tree.root.inside { root in
      root.object(with: ada).setValue("root", forKey: "name")
      root.object(with: bob).setValue("root", forKey: "name")
    }
    try tree.middle.inside { $0.object(with: ada).setValue("middle", forKey: "name") }
    tree.coordinator.emptyRowCache()
    #expect(try statements(tree.leaf, ada, "middle") == 0)
    // From the top, past the context between, which does not get the object.
    #expect(try statements(tree.leaf, bob, "root") == 0)
    #expect(try registered(tree) == [2, 1, 0])
  }

  /// New objects, by temporary IDs, of each level.
  @Test func whatIsNew() throws {
    let (tree, _, _) = try people(.sqlite)
    let ids = try [tree.root, tree.middle, tree.leaf].map { context in
      try context.inside { $0.make("Person", ["name": "new"]).objectID }
    }
    tree.coordinator.emptyRowCache()
    for id in ids { #expect(try statements(tree.leaf, id, "new") == 0) }
    #expect(try statements(tree.middle, ids[0], "new") == 0)
  }

  /// The top is busy: what the next context has changed is read all the same, and with both busy what nobody has.
  @Test(arguments: TestStore.all) func nobodyAboveIsWaitedFor(_ store: TestStore) throws {
    let (tree, ada, bob) = try people(store)
    func whileBusy(_ context: NSManagedObjectContext, _ body: @escaping @Sendable () throws -> Void) {
      let isBusy = DispatchSemaphore(value: 0), isRead = DispatchSemaphore(value: 0)
      Soak.threads(2) { number in
        if number == 0 {
          try context.inside { _ in
            isBusy.signal()
            #expect(isRead.wait(timeout: Patience.limit) == .success, "the reader waits")
          }
        } else {
          isBusy.wait()
          defer { isRead.signal() }
          try body()
        }
      }
    }
    whileBusy(tree.middle) { [leaf = tree.leaf] () throws in
      #expect(try leaf.inside { $0.object(with: bob).text("name") } == "Bob")
    }
    try tree.middle.inside { $0.object(with: ada).setValue("middle", forKey: "name") }
    whileBusy(tree.root) { [leaf = tree.leaf] () throws in
      #expect(try leaf.inside { $0.object(with: ada).text("name") } == "middle")
    }
  }
}
