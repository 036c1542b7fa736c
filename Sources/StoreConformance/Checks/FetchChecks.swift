import CoreData
import Foundation

extension StoreConformance {
  /// Formats for which every store must find the same objects as an evaluation in memory.
  private static let formats = [
    "age > 30", "age BETWEEN {20, 40}", "age IN {20, 30}", "NOT age == 20", "age == nil", "age != nil", "name == 'P3'",
    "name BEGINSWITH 'P1'", "name ENDSWITH[c] 'p'", "name CONTAINS '2'", "name LIKE 'P?'", "name MATCHES 'P[1-4]'",
    "name CONTAINS[cd] 'É'", "name < 'P2'", "boss.name == 'P1'", "boss == nil", "boss != nil AND boss.age > 20",
    "ANY reports.age > 40", "ALL reports.age > 10", "reports.@count > 1", "reports.@count == 0", "clubs.@count == 2",
    "SUBQUERY(reports, $r, $r.age > 25 AND $r.name != 'P2').@count > 0", "ANY clubs.title == 'C1'",
    "NONE clubs.title == 'C1'", "age + 10 > 45", "age * 2 == 60", "reports.@max.age >= 40", "reports.@sum.age > 60",
    "born > CAST(0, 'NSDate')", "passport.number == 3", "TRUEPREDICATE", "FALSEPREDICATE",
    "age > 20 AND (name == 'P4' OR name == 'P5' OR boss.name == 'P2')", "code == nil OR code == ''",
  ]

  /// Inserts people with bosses, clubs, passports and gaps in their values, and saves them.
  private static func fill(_ context: NSManagedObjectContext) throws {
    let clubs = (1...3).map { context.make("Club", ["title": "C\($0)"]) }
    var people: [NSManagedObject] = []
    for number in 1...14 {
      let entity = ["Person", "Employee", "Manager"][number % 3]
      let person = context.make(entity, ["name": number == 13 ? "éP" : "P\(number)"])
      if number % 5 != 0 { person.setValue(number * 10 % 70, forKey: "age") }
      if number % 4 != 0 { person.setValue(Date(timeIntervalSinceReferenceDate: Double(number) - 7), forKey: "born") }
      if number % 6 == 0 { person.setValue("", forKey: "code") }
      if number > 3 { person.setValue(people[number % 3], forKey: "boss") }
      person.setValue(NSSet(array: Array(clubs[0..<(number % 4)])), forKey: "clubs")
      if number % 3 == 0 { person.setValue(context.make("Passport", ["number": number]), forKey: "passport") }
      people.append(person)
    }
    try context.save()
  }

  private static func names(_ objects: [NSManagedObject]) -> [String] {
    objects.map { $0.value(forKey: "name") as? String ?? "nil" }
  }

  private static func filled(_ subject: StoreSubject) throws -> (StoreStack, NSManagedObjectContext) {
    let stack = try subject.stack()
    try stack.context.performAndWait { try fill(stack.context) }
    return (stack, stack.another())
  }

  static let fetchChecks: [StoreCheck] = [
    StoreCheck("Predicates find what they find in memory") { subject in
      let (_, context) = try filled(subject)
      try context.performAndWait {
        let all = try context.find("Person")
        try expectEqual(all.count, 14, "people")
        for format in formats {
          let predicate = NSPredicate(format: format)
          let expected = names(all.filter { predicate.evaluate(with: $0) }).sorted()
          try expectEqual(names(try context.find("Person", format)).sorted(), expected, "people with \(format)")
        }
      }
    },
    StoreCheck("Predicates compare with objects, IDs and collections of them") { subject in
      let (_, context) = try filled(subject)
      try context.performAndWait {
        let boss = try context.one("Person", "name == 'P1'")
        let expected = boss.names("reports")
        try expectEqual(
          names(try context.find("Person", "boss == %@", [boss], by: ["name"])), expected, "boss == object")
        try expectEqual(
          names(try context.find("Person", "boss == %@", [boss.objectID], by: ["name"])), expected, "boss == ID")
        try expectEqual(
          names(try context.find("Person", "boss IN %@", [[boss]], by: ["name"])), expected, "boss IN array")
        try expectEqual(names(try context.find("Person", "self == %@", [boss])), ["P1"], "self == object")
        try expectEqual(
          names(try context.find("Person", "self IN %@", [NSSet(object: boss)])), ["P1"], "self IN set")
        let club = try context.one("Club", "title == 'C3'")
        try expectEqual(
          names(try context.find("Person", "%@ IN clubs", [club], by: ["name"])), club.names("members"), "IN clubs")
      }
    },
    StoreCheck("Sort descriptors order by several keys and along relationships, nil first") { subject in
      let (_, context) = try filled(subject)
      try context.performAndWait {
        for keys in [["name"], ["-age", "name"], ["boss.name", "-name"], ["age", "-boss.age", "name"]] {
          let found = try context.find("Person", by: keys)
          let order = keys.map {
            NSSortDescriptor(key: $0.replacingOccurrences(of: "-", with: ""), ascending: !$0.hasPrefix("-"))
          }
          let expected = (try context.find("Person") as NSArray).sortedArray(using: order).compactMap {
            $0 as? NSManagedObject
          }
          try expectEqual(names(found), names(expected), "order by \(keys)")
        }
      }
    },
    StoreCheck("Limits, offsets and counts") { subject in
      let (_, context) = try filled(subject)
      try context.performAndWait {
        let all = names(try context.find("Person", by: ["name"]))
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        for (limit, offset) in [(3, 0), (4, 5), (0, 10), (10, 12), (5, 40)] {
          (request.fetchLimit, request.fetchOffset) = (limit, offset)
          let rest = all.dropFirst(offset)
          let expected = Array(limit > 0 ? rest.prefix(limit) : rest)
          try expectEqual(names(try context.fetch(request)), expected, "limit \(limit), offset \(offset)")
          try expectEqual(
            try context.count(for: request), expected.count, "count with limit \(limit), offset \(offset)")
        }
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
        ids.resultType = .managedObjectIDResultType
        try expectEqual(Set(try context.fetch(ids)).count, 14, "IDs")
      }
    },
    StoreCheck("Subentities belong to a fetch unless it says otherwise") { subject in
      let (_, context) = try filled(subject)
      try context.performAndWait {
        try expectEqual(try context.find("Employee").count, 10, "employees and managers")
        try expectEqual(try context.find("Manager").count, 5, "managers")
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.includesSubentities = false
        try expectEqual(try context.fetch(request).count, 5, "employees alone")
        try expectEqual(try context.count(for: request), 5, "count of employees alone")
        try expectEqual(Set(try context.find("Person").compactMap(\.entity.name)).count, 3, "entities")
      }
    },
    StoreCheck("Pending changes belong to a fetch unless it says otherwise") { subject in
      let (_, context) = try filled(subject)
      try context.performAndWait {
        try context.one("Person", "name == 'P4'").setValue("Z", forKey: "name")
        context.delete(try context.one("Person", "name == 'P5'"))
        context.make("Person", ["name": "A"])
        try expectEqual(
          names(try context.find("Person", "name IN {'A', 'P4', 'P5', 'P6', 'Z'}", by: ["name"])), ["A", "P6", "Z"],
          "with what is pending")
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: "name IN {'A', 'P4', 'P5', 'P6', 'Z'}")
        request.includesPendingChanges = false
        try expectEqual(try context.count(for: request), 3, "count in the store alone")
      }
    },
    StoreCheck("A key that the model does not have is an error") { subject in
      let (_, context) = try filled(subject)
      try context.performAndWait {
        try expectError(NSCoreDataError, "a fetch by an unknown key") { _ = try context.find("Person", "colour == 1") }
        try expectError(NSCoreDataError, "an order by an unknown key") {
          _ = try context.find("Person", by: ["colour"])
        }
      }
    },
  ]
}
