import CoreData
import Testing

/// The policy of a child is asked for nothing: between a child and its parent there are no conflicts, and at the store the
/// context at the top decides.
@Suite struct ChildPolicyTests {
  private final class CountingPolicy: NSMergePolicy {
    private(set) var calls = 0

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
      calls += 1
      try super.resolve(optimisticLockingConflicts: list)
    }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
      calls += 1
      try super.resolve(constraintConflicts: list)
    }
  }

  /// The policies of the context at the top and of the one below it, which is the opposite of it.
  private static let pairs: [(NSMergePolicyType, NSMergePolicyType)] = [
    (.errorMergePolicyType, .overwriteMergePolicyType),
    (.mergeByPropertyObjectTrumpMergePolicyType, .rollbackMergePolicyType),
    (.rollbackMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType),
  ]

  private func tree(
    _ store: TestStore, _ model: NSManagedObjectModel, _ types: (NSMergePolicyType, NSMergePolicyType)
  ) throws -> (tree: Tree, policies: [CountingPolicy]) {
    let tree = try Tree(store, model)
    let policies = [types.0, types.1, types.1].map { CountingPolicy(merge: $0) }
    for (context, policy) in zip([tree.root, tree.middle, tree.leaf], policies) {
      try context.inside { $0.mergePolicy = policy }
    }
    return (tree, policies)
  }

  @Test(arguments: Self.pairs, TestStore.all) func rowsThatOthersHaveChanged(
    _ row: (top: NSMergePolicyType, below: NSMergePolicyType), _ kind: TestStore
  )
    throws
  {
    let (top, below) = row
    let (tree, policies) = try tree(kind, Society.model(), (top, below))
    let id = try tree.root.inside { root throws in
      let ada = root.make("Person", ["name": "Ada", "number": 0])
      try root.save()
      return ada.objectID
    }
    try tree.leaf.inside { leaf throws in
      let ada = try leaf.existingObject(with: id)
      #expect(ada.text("name") == "Ada")
      ada.setValue("leaf", forKey: "name")
    }
    // The parent's own change is no conflict either: the child's value is set over it.
    try tree.middle.inside { middle throws in
      let ada = try middle.existingObject(with: id)
      #expect(ada.text("name") == "Ada")
      ada.setValue("middle", forKey: "name")
      ada.setValue(1, forKey: "number")
    }
    try tree.coordinator.inContext { other throws in
      try other.named("Ada").setValue("store", forKey: "name")
      try other.save()
    }
    try tree.leaf.inside { try $0.save() }
    try tree.middle.inside { middle throws in
      #expect(middle.object(with: id).text("name") == "leaf" && middle.object(with: id).number("number") == 1)
      try middle.save()
    }
    #expect(policies.map(\.calls) == [0, 0, 0])
    try tree.root.inside { root throws in
      if top == .errorMergePolicyType {
        let error = #expect(throws: NSError.self) { try root.save() }
        #expect(error?.code == NSManagedObjectMergeError && root.updatedObjects.count == 1)
      } else {
        try root.save()
      }
    }
    #expect(policies.map(\.calls) == [1, 0, 0])
    let name = top == .mergeByPropertyObjectTrumpMergePolicyType ? "leaf" : "store"
    #expect(try tree.coordinator.inContext { try $0.names("Person") } == [name])
  }

  @Test(arguments: Self.pairs, TestStore.all) func valuesThatMustBeUnique(
    _ row: (top: NSMergePolicyType, below: NSMergePolicyType), _ store: TestStore
  ) throws {
    let (top, below) = row
    let (tree, policies) = try tree(store, MergeWorld.accounts(), (top, below))
    try tree.coordinator.inContext { other throws in
      _ = other.make("Account", ["email": "a", "points": 5])
      try other.save()
    }
    try tree.leaf.inside { leaf throws in
      _ = leaf.make("Account", ["email": "a", "points": 9])
      try leaf.save()
    }
    try tree.middle.inside { try $0.save() }
    #expect(policies.map(\.calls) == [0, 0, 0])
    try tree.root.inside { root throws in
      if top == .errorMergePolicyType {
        let error = #expect(throws: NSError.self) { try root.save() }
        #expect(error?.code == NSManagedObjectConstraintMergeError && root.insertedObjects.count == 1)
      } else {
        try root.save()
      }
    }
    #expect(policies.map(\.calls) == [1, 0, 0])
    let points = top == .mergeByPropertyObjectTrumpMergePolicyType ? 9 : 5
    try tree.coordinator.inContext { other throws in
      #expect(try other.all("Account").map { $0.number("points") } == [points])
    }
  }
}
