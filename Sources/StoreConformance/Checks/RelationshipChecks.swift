import CoreData
import Foundation

extension StoreConformance {
  static let relationshipChecks: [StoreCheck] = [
    StoreCheck("Relationships lead both ways in another context") { subject in
      let stack = try subject.stack()
      let first = stack.context, second = stack.another()
      try first.performAndWait {
        let ann = first.make("Manager", ["name": "Ann"]), bob = first.make("Employee", ["name": "Bob"])
        let eve = first.make("Person", ["name": "Eve"]), club = first.make("Club", ["title": "Chess"])
        let other = first.make("Club", ["title": "Go"]), passport = first.make("Passport", ["number": 7])
        bob.setValue(ann, forKey: "boss")
        ann.setValue(NSSet(array: [bob, eve]), forKey: "reports")
        club.setValue(NSSet(array: [ann, bob]), forKey: "members")
        bob.setValue(NSSet(array: [club, other]), forKey: "clubs")
        passport.setValue(eve, forKey: "holder")
        try first.save()
      }
      try second.performAndWait {
        let ann = try second.one("Person", "name == 'Ann'")
        try expectEqual(ann.names("reports"), ["Bob", "Eve"], "reports")
        let eve = try second.one("Person", "name == 'Eve'")
        try expect(eve.value(forKey: "boss") as? NSManagedObject === ann, "the boss is another object")
        try expectEqual(ann.entity.name, "Manager", "the boss's entity")
        try expectEqual(try second.one("Club", "title == 'Chess'").names("members"), ["Ann", "Bob"], "members")
        try expectEqual(try second.one("Club", "title == 'Go'").names("members"), ["Bob"], "members")
        let clubs = try second.one("Person", "name == 'Bob'").value(forKey: "clubs") as? NSSet
        try expectEqual(clubs?.count, 2, "clubs")
        let passport = try second.one("Passport")
        try expect(passport.value(forKey: "holder") as? NSManagedObject === eve, "the holder is another object")
        try expect(eve.value(forKey: "passport") as? NSManagedObject === passport, "the passport is another object")
        try expect(ann.value(forKey: "passport") == nil, "a passport for nobody")
      }
    },
    StoreCheck("A member that moves leaves where it was") { subject in
      let stack = try subject.stack()
      let first = stack.context, second = stack.another()
      try first.performAndWait {
        let ann = first.make("Person", ["name": "Ann"]), bob = first.make("Person", ["name": "Bob"])
        for number in 1...4 { first.make("Person", ["name": "P\(number)", "boss": ann]) }
        try first.save()
        try first.one("Person", "name == 'P2'").setValue(bob, forKey: "boss")
        bob.mutableSetValue(forKey: "reports").add(try first.one("Person", "name == 'P3'"))
        ann.mutableSetValue(forKey: "reports").remove(try first.one("Person", "name == 'P4'"))
        try first.save()
      }
      stack.coordinator.emptyRowCache()
      try second.performAndWait {
        try expectEqual(try second.one("Person", "name == 'Ann'").names("reports"), ["P1"], "Ann's reports")
        try expectEqual(try second.one("Person", "name == 'Bob'").names("reports"), ["P2", "P3"], "Bob's reports")
        try expect(try second.one("Person", "name == 'P4'").value(forKey: "boss") == nil, "P4 has a boss")
      }
    },
    StoreCheck("Members of many-to-many relationships come and go") { subject in
      let stack = try subject.stack()
      let first = stack.context, second = stack.another()
      try first.performAndWait {
        let clubs = (1...3).map { first.make("Club", ["title": "C\($0)"]) }
        for number in 1...6 {
          first.make("Person", ["name": "P\(number)", "clubs": NSSet(array: Array(clubs[0..<(1 + number % 3)]))])
        }
        try first.save()
        clubs[0].mutableSetValue(forKey: "members").removeAllObjects()
        clubs[2].mutableSetValue(forKey: "members").add(try first.one("Person", "name == 'P3'"))
        try first.save()
      }
      try second.performAndWait {
        let members = try second.find("Club", by: ["title"]).map { $0.names("members") }
        try expectEqual(members, [[], ["P1", "P2", "P4", "P5"], ["P2", "P3", "P5"]], "members")
      }
    },
    StoreCheck("Members of an ordered relationship keep their order", needs: [.ordering]) { subject in
      let stack = try subject.stack()
      let first = stack.context, second = stack.another()
      func titles(_ context: NSManagedObjectContext) throws -> [String] {
        let layers = try context.one("Drawing").value(forKey: "layers") as? NSOrderedSet
        return (layers?.array ?? []).compactMap { ($0 as? NSManagedObject)?.value(forKey: "title") as? String }
      }
      try first.performAndWait {
        let drawing = first.make("Drawing")
        let layers = ["c", "a", "d", "b"].map { first.make("Layer", ["title": $0]) }
        drawing.setValue(NSOrderedSet(array: layers), forKey: "layers")
        try first.save()
      }
      try second.performAndWait {
        try expectEqual(try titles(second), ["c", "a", "d", "b"], "layers")
        let layers = try second.one("Drawing").mutableOrderedSetValue(forKey: "layers")
        layers.insert(second.make("Layer", ["title": "e"]), at: 1)
        layers.removeObject(at: 4)
        layers.exchangeObject(at: 0, withObjectAt: 2)
        try second.save()
      }
      stack.coordinator.emptyRowCache()
      try first.performAndWait {
        first.refreshAllObjects()
        try expectEqual(try titles(first), ["a", "e", "c", "d"], "layers after changes")
      }
    },
    StoreCheck("Delete rules nullify, cascade and deny") { subject in
      let stack = try subject.stack()
      let first = stack.context, second = stack.another()
      try first.performAndWait {
        let ann = first.make("Person", ["name": "Ann"])
        ann.setValue(first.make("Passport", ["number": 1]), forKey: "passport")
        let bob = first.make("Person", ["name": "Bob", "boss": ann])
        let passport = first.make("Passport", ["number": 2])
        bob.setValue(passport, forKey: "passport")
        let visa = first.make("Visa", ["country": "X"])
        visa.setValue(passport, forKey: "passport")
        try first.save()
        first.delete(ann)
        try first.save()
        first.delete(passport)
        try expectError(NSValidationRelationshipDeniedDeleteError, "deleting what has visas") { try first.save() }
        first.rollback()
        try expect(!first.hasChanges, "changes after the rollback")
      }
      try second.performAndWait {
        try expectEqual(try second.find("Passport").compactMap { $0.value(forKey: "number") as? Int }, [2], "passports")
        try expect(try second.one("Person").value(forKey: "boss") == nil, "the boss is still there")
      }
    },
    StoreCheck("Prefetched relationships are those that are walked") { subject in
      let stack = try subject.stack()
      let first = stack.context, second = stack.another()
      try first.performAndWait {
        let boss = first.make("Manager", ["name": "Ann"])
        for number in 1...9 { first.make("Employee", ["name": "E\(number)", "boss": boss]) }
        try first.save()
      }
      try second.performAndWait {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.relationshipKeyPathsForPrefetching = ["reports.clubs", "boss"]
        request.returnsObjectsAsFaults = false
        let people = try second.fetch(request)
        try expect(!people.contains(where: \.isFault), "a fault although objects were asked for")
        try expectEqual(people.map { $0.names("reports").count }.max(), 9, "reports")
      }
    },
  ]
}
