import CoreData
import Testing

/// The model's rules for relationships.
@Suite struct MemberValidationTests {
  private func with(
    _ store: TestStore, _ change: (NSRelationshipDescription) -> Void, ordered: Bool = false,
    _ body: (NSManagedObjectContext, NSManagedObject, [NSManagedObject]) throws -> Void
  ) throws {
    let model = Society.family(.nullifyDeleteRule)
    let children = try #require(model.entitiesByName["Parent"]?.relationshipsByName["children"])
    children.isOrdered = ordered
    change(children)
    try store.coordinator(model).inContext { context in
      let parent = context.make("Parent", ["name": "P"])
      try body(context, parent, (0..<4).map { context.make("Child", ["name": "\($0)"]) })
    }
  }

  private func code(_ body: () throws -> Void) -> Int? {
    do { try body() } catch { return (error as NSError).code }
    return nil
  }

  @Test(arguments: [false, true], TestStore.all) func countsOfMembers(_ ordered: Bool, _ store: TestStore) throws {
    try with(store, { ($0.minCount, $0.maxCount, $0.isOptional) = (2, 3, false) }, ordered: ordered) {
      context, parent, all in
      for (count, expected) in [(0, 1580), (1, 1580), (4, 1590), (2, nil)] {
        let members: Any =
          ordered ? NSOrderedSet(array: Array(all.prefix(count))) : NSSet(array: Array(all.prefix(count)))
        // What is given counts, and not what the object has.
        #expect(code { try parent.validateValue(members, forKey: "children") } == expected)
        parent.set(members, forKey: "children")
        #expect(code { try parent.validateForInsert() } == expected && code { try context.save() } == expected)
      }
      #expect(!context.hasChanges)
      let error = #expect(throws: CocoaError.self) { try parent.validateValue(NSSet(array: all), forKey: "children") }
      #expect((error?.validationValue as? NSSet)?.count == 4 || (error?.validationValue as? NSOrderedSet)?.count == 4)
      #expect(error?.validationKey == "children" && error?.validationObject as? NSManagedObject === parent)
      // Whoever leaves from the other side counts, too.
      context.delete(all[0])
      #expect(code { try context.save() } == 1580)
    }
  }

  @Test(arguments: TestStore.all) func anEmptyOptionalRelationshipMayBeBelowItsMinimum(_ store: TestStore) throws {
    try with(store, { $0.minCount = 2 }) { context, parent, all in
      #expect(code { try context.save() } == nil)
      parent.setValue(NSSet(array: [all[0]]), forKey: "children")
      #expect(code { try context.save() } == 1580)
      parent.setValue(NSSet(), forKey: "children")
      #expect(code { try context.save() } == nil)
    }
  }

  /// 1,602 of 1,605 mandatory to-many relationships of published models have no minimum, and stores of theirs are full of
  /// objects without members.
  @Test(arguments: [false, true], TestStore.all)
  func aRequiredRelationshipWithoutMinimumMayBeEmpty(_ ordered: Bool, _ store: TestStore) throws {
    try with(store, { ($0.isOptional, $0.minCount) = (false, 0) }, ordered: ordered) { context, parent, all in
      #expect(code { try parent.validateForInsert() } == nil && code { try context.save() } == nil)
      let empty: Any = ordered ? NSOrderedSet() : NSSet()
      #expect(code { try parent.validateValue(empty, forKey: "children") } == nil)
      #expect(code { try parent.validateValue(nil, forKey: "children") } == nil)
      all[0].setValue(parent, forKey: "parent")
      #expect(code { try context.save() } == nil)
      all[0].setValue(nil, forKey: "parent")
      #expect(code { try parent.validateForUpdate() } == nil && code { try context.save() } == nil)
      #expect(parent.many("children").isEmpty)
    }
  }

  /// A maximum and predicates still hold where there is no minimum.
  @Test(arguments: TestStore.all) func otherRulesOfARequiredRelationship(_ store: TestStore) throws {
    try with(
      store,
      {
        ($0.isOptional, $0.maxCount) = (false, 2)
        $0.setValidationPredicates([NSPredicate(format: "@count != 1")], withValidationWarnings: ["Not one."])
      }
    ) { context, parent, all in
      #expect(code { try context.save() } == nil)
      parent.setValue(NSSet(array: [all[0]]), forKey: "children")
      #expect(code { try context.save() } == 1550)
      parent.setValue(NSSet(array: Array(all.prefix(3))), forKey: "children")
      #expect(code { try context.save() } == 1590)
      parent.setValue(NSSet(array: Array(all.prefix(2))), forKey: "children")
      #expect(code { try context.save() } == nil)
    }
  }

  @Test(arguments: TestStore.all) func whatIsNotReadNeedsNoReading(_ store: TestStore) throws {
    let model = Society.family(.nullifyDeleteRule)
    let children = try #require(model.entitiesByName["Parent"]?.relationshipsByName["children"])
    (children.minCount, children.isOptional) = (1, false)
    let coordinator = try store.coordinator(model)
    try coordinator.inContext { context in
      let parent = context.make("Parent", ["name": "P"])
      _ = context.make("Child", ["name": "1", "parent": parent])
      try context.save()
    }
    try coordinator.inContext { context in
      let parent = try context.named("P", "Parent")
      parent.setValue("Q", forKey: "name")
      try context.save()
      #expect(parent.hasFault(forRelationshipNamed: "children"))
      // One more than none is enough.
      _ = context.make("Child", ["name": "2", "parent": parent])
      try context.save()
      #expect(parent.hasFault(forRelationshipNamed: "children") && parent.many("children").count == 2)
    }
  }

  @Test(arguments: TestStore.all) func predicatesOnRelationships(_ store: TestStore) throws {
    try with(
      store,
      {
        $0.setValidationPredicates([NSPredicate(format: "ALL name != 'x'")], withValidationWarnings: ["No x."])
        $0.inverseRelationship?.setValidationPredicates(
          [NSPredicate(format: "name != nil")], withValidationWarnings: ["Who?"])
      }
    ) { context, parent, all in
      parent.setValue(NSSet(array: all), forKey: "children")
      try context.save()
      all[0].setValue("x", forKey: "name")
      parent.mutableSetValue(forKey: "children").remove(all[1])
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectValidation && error?.localizedDescription == "No x.")
      #expect((error?.validationValue as? NSSet)?.count == 3 && error?.validationPredicate != nil)
      all[0].setValue("y", forKey: "name")
      try context.save()
      parent.setValue(nil, forKey: "name")
      all[2].setValue("z", forKey: "name")
      #expect(throws: CocoaError.self) { try context.save() }
      #expect(code { try all[2].validateValue(parent, forKey: "parent") } == 1550)
      #expect(code { try all[2].validateValue(nil, forKey: "parent") } == nil)
    }
  }

  @Test(arguments: TestStore.all) func aRequiredToOne(_ store: TestStore) throws {
    try with(store, { $0.inverseRelationship?.isOptional = false }) { context, parent, all in
      #expect(code { try context.save() } == 1560)
      for child in all { child.setValue(parent, forKey: "parent") }
      try context.save()
      // The delete rule empties the other end.
      context.delete(parent)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
      #expect(details.count == 4 && details.allSatisfy { $0.localizedDescription == "parent is a required value." })
      #expect(context.deletedObjects == [parent])
      for child in all { context.delete(child) }
      try context.save()
    }
  }

  @Test(arguments: TestStore.all) func aDeniedDeletion(_ store: TestStore) throws {
    try with(store, { $0.deleteRule = .denyDeleteRule }) { context, parent, all in
      parent.setValue(NSSet(array: Array(all.prefix(2))), forKey: "children")
      try context.save()
      context.delete(parent)
      for _ in 0..<2 {
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code == .validationRelationshipDeniedDelete && error?.validationKey == "children")
        #expect(error?.validationValue as? NSSet == NSSet(array: Array(all.prefix(2))))
        #expect(error?.userInfo["NSValidationErrorShouldAttemptRecoveryKey"] as? Bool == true)
        #expect(context.deletedObjects == [parent] && code { try parent.validateForDelete() } == 1600)
      }
      for child in all { context.delete(child) }
      try context.save()
      #expect(try context.all("Parent").isEmpty && context.all("Child").isEmpty)
    }
  }
}
