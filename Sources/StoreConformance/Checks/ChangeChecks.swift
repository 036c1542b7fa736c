import CoreData
import Foundation

extension StoreConformance {
  static let changeChecks: [StoreCheck] = [
    StoreCheck("What was inserted and deleted again never comes to the store") { subject in
      let stack = try subject.stack()
      let first = stack.context, second = stack.another()
      try first.performAndWait {
        let kept = first.make("Person", ["name": "kept"])
        let gone = first.make("Person", ["name": "gone", "boss": kept])
        gone.setValue(first.make("Passport"), forKey: "passport")
        first.delete(gone)
        try first.save()
        try expectEqual(kept.names("reports"), [], "reports of what is kept")
      }
      try second.performAndWait {
        try expectEqual(try second.find("Person").count, 1, "people")
        try expectEqual(try second.find("Passport").count, 0, "passports")
      }
    },
    StoreCheck("An update of what others have changed meanwhile is a conflict") { subject in
      let stack = try subject.stack()
      let first = stack.context, second = stack.another()
      let identifier = try first.performAndWait {
        let object = first.make("Person", ["name": "a"])
        try first.save()
        return object.objectID
      }
      second.retainsRegisteredObjects = true
      try second.performAndWait { _ = try second.existingObject(with: identifier).value(forKey: "name") }
      try first.performAndWait {
        first.object(with: identifier).setValue("b", forKey: "name")
        try first.save()
      }
      try second.performAndWait {
        let object = second.object(with: identifier)
        object.setValue("c", forKey: "name")
        try expectError(NSManagedObjectMergeError, "the save") { try second.save() }
        try expectEqual(object.value(forKey: "name") as? String, "c", "the name after the failed save")
        second.refresh(object, mergeChanges: true)
        try second.save()
      }
      try first.performAndWait {
        let object = first.object(with: identifier)
        first.refresh(object, mergeChanges: false)
        try expectEqual(object.value(forKey: "name") as? String, "c", "the name in the other context")
      }
    },
    StoreCheck("A deletion of what others have changed meanwhile is a conflict") { subject in
      let stack = try subject.stack()
      let first = stack.context, second = stack.another()
      let identifier = try first.performAndWait {
        let object = first.make("Club", ["title": "a"])
        try first.save()
        return object.objectID
      }
      second.retainsRegisteredObjects = true
      try second.performAndWait { _ = try second.existingObject(with: identifier).value(forKey: "title") }
      try first.performAndWait {
        first.object(with: identifier).setValue("b", forKey: "title")
        try first.save()
      }
      try second.performAndWait {
        second.delete(second.object(with: identifier))
        try expectError(NSManagedObjectMergeError, "the save") { try second.save() }
        second.rollback()
        second.refreshAllObjects()
        try expectEqual(try second.one("Club").value(forKey: "title") as? String, "b", "the title")
      }
    },
    StoreCheck("A save that does not validate changes nothing, and can be tried again") { subject in
      let stack = try subject.stack()
      let first = stack.context, second = stack.another()
      try first.performAndWait {
        let passport = first.make("Passport", ["number": 1])
        let visa = first.make("Visa", ["country": "X", "passport": passport])
        try first.save()
        first.make("Person", ["name": "new"])
        first.delete(passport)
        try expectError(NSValidationRelationshipDeniedDeleteError, "the save") { try first.save() }
        try second.performAndWait { try expectEqual(try second.find("Person").count, 0, "people after the failure") }
        first.delete(visa)
        try first.save()
      }
      try second.performAndWait {
        try expectEqual(try second.find("Person").count, 1, "people")
        try expectEqual(try second.find("Passport").count, 0, "passports")
      }
    },
    StoreCheck("Random changes leave what a plain model of them has") { subject in
      for seed in 1...4 as ClosedRange<UInt64> { try randomChanges(subject, seed: seed) }
    },
    StoreCheck("What a constraint says is unique is not saved twice", needs: [.uniqueness]) { subject in
      let stack = try subject.stack()
      let first = stack.context, second = stack.another()
      try first.performAndWait {
        first.make("Account", ["login": "ann"])
        first.make("Account")
        first.make("Account")
        try first.save()
      }
      try second.performAndWait {
        let again = second.make("Account", ["login": "ann"])
        try expectError(NSManagedObjectConstraintMergeError, "the save") { try second.save() }
        again.setValue("bob", forKey: "login")
        try second.save()
        try expectEqual(try second.find("Account").count, 4, "accounts")
        // A value that one object gives up in a save may be taken by another object in the same save.
        let bob = try second.one("Account", "login == 'bob'")
        second.delete(try second.one("Account", "login == 'ann'"))
        bob.setValue("ann", forKey: "login")
        second.make("Account", ["login": "bob"])
        try second.save()
        try expectEqual(try second.find("Account", "login != nil").count, 2, "accounts with a login")
      }
    },
  ]

  /// Inserts, changes, relates and deletes objects at random, with saves in between, and compares the result with a
  /// plain model.
  private static func randomChanges(_ subject: StoreSubject, seed: UInt64) throws {
    var random = Numbers(state: seed)
    let stack = try subject.stack()
    let context = stack.context
    /// The age and the boss of each person, by name.
    var expected: [String: (age: Int, boss: String?)] = [:]
    for step in 1...120 {
      try context.performAndWait {
        let names = expected.keys.sorted()
        let some = names.isEmpty ? nil : names[random.next(names.count)]
        switch random.next(10) {
        case 0...3:
          let name = "N\(step)"
          context.make(["Person", "Employee", "Manager"][random.next(3)], ["name": name, "age": step])
          expected[name] = (step, nil)
        case 4, 5:
          guard let some else { break }
          try context.one("Person", "name == %@", some).setValue(-step, forKey: "age")
          expected[some]?.age = -step
        case 6, 7:
          guard let some else { break }
          let other = names[random.next(names.count)]
          let boss = other == some ? nil : try context.one("Person", "name == %@", other)
          try context.one("Person", "name == %@", some).setValue(boss, forKey: "boss")
          expected[some]?.boss = other == some ? nil : other
        case 8:
          guard let some else { break }
          context.delete(try context.one("Person", "name == %@", some))
          // The delete rules are applied only then.
          context.processPendingChanges()
          expected[some] = nil
          for (name, values) in expected where values.boss == some { expected[name]?.boss = nil }
        default:
          try context.save()
          if random.next(2) == 0 { context.refreshAllObjects() }
        }
      }
    }
    try context.performAndWait { try context.save() }
    stack.coordinator.emptyRowCache()
    let other = stack.another()
    try other.performAndWait {
      let people = try other.find("Person", by: ["name"])
      try expectEqual(
        people.compactMap { $0.value(forKey: "name") as? String }, expected.keys.sorted(), "names (seed \(seed))")
      for person in people {
        let name = person.value(forKey: "name") as? String ?? ""
        let boss = (person.value(forKey: "boss") as? NSManagedObject)?.value(forKey: "name") as? String
        try expectEqual(person.value(forKey: "age") as? Int, expected[name]?.age, "age of \(name) (seed \(seed))")
        try expectEqual(boss, expected[name]?.boss, "boss of \(name) (seed \(seed))")
        let reports = expected.filter { $0.value.boss == name }.keys.sorted()
        try expectEqual(person.names("reports"), reports, "reports of \(name) (seed \(seed))")
      }
    }
  }
}

/// Pseudorandom numbers that depend only on the seed.
private struct Numbers {
  var state: UInt64

  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }
}
