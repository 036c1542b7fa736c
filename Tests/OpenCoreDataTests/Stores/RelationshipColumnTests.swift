import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Relationships of each shape, as another program finds them in the file.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct RelationshipColumnTests {
  private func people(_ body: (NSManagedObjectContext, URL, [NSManagedObject]) throws -> Void) throws {
    let url = try TestModel.temporaryFile()
    try Society.coordinator(url: url).inContext { context in
      let people = ["a", "b", "c"].map { context.make("Person", ["name": $0]) }
      // In the order of their names, so that keys are 1 to 3.
      try context.obtainPermanentIDs(for: people)
      try body(context, url, people)
    }
  }

  private func rows(_ url: URL, _ table: String, _ first: String, _ second: String) throws -> [String] {
    try Shell.sql(
      url,
      "SELECT a.ZNAME || b.ZNAME FROM \(table) JOIN ZPERSON a ON a.Z_PK = \(first) "
        + "JOIN ZPERSON b ON b.Z_PK = \(second) ORDER BY 1")
  }

  /// Each pair has a row in both directions: there is one relationship, and either is a friend of the other.
  @Test func manyToManyWithItselfAsItsInverse() throws {
    try people { context, url, people in
      people[0].setValue(NSSet(array: [people[1], people[2], people[0]]), forKey: "friends")
      try context.save()
      let number = try Shell.sql(url, "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person'")[0]
      let table = "Z_\(number)FRIENDS"
      let columns = try Shell.sql(url, "SELECT name FROM pragma_table_info('\(table)')").sorted()
      #expect(columns == [table, table + "1"])
      if columns.count != 2 { return }
      #expect(try rows(url, table, columns[0], columns[1]) == ["aa", "ab", "ac", "ba", "ca"])
      people[1].mutableSetValue(forKey: "friends").remove(people[0])
      people[1].mutableSetValue(forKey: "friends").add(people[2])
      try context.save()
      #expect(try rows(url, table, columns[0], columns[1]) == ["aa", "ac", "bc", "ca", "cb"])
      context.delete(people[2])
      try context.save()
      #expect(try rows(url, table, columns[0], columns[1]) == ["aa"])
      context.refreshAllObjects()
      #expect(people[0].many("friends") == [people[0]] && people[1].many("friends").isEmpty)
    }
  }

  /// Two relationships of one entity that are each other's inverse share a table.
  @Test func manyToManyWithItselfAndTwoEnds() throws {
    let person = TestModel.entity("Person", [TestModel.attribute("name", .stringAttributeType)])
    TestModel.relate(person, "follows", max: 0, person, "followers", max: 0)
    let model = NSManagedObjectModel()
    model.entities = [person]
    let url = try TestModel.temporaryFile()
    try TestModel.coordinator(model, url: url).inContext { context in
      let people = ["a", "b", "c"].map { context.make("Person", ["name": $0]) }
      people[0].setValue(NSSet(array: [people[1], people[2]]), forKey: "follows")
      people[0].mutableSetValue(forKey: "followers").add(people[2])
      try context.save()
      let tables = try Shell.sql(url, "SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*' AND type = 'table'")
      #expect(tables.count == 1)
      let columns = try Shell.sql(url, "SELECT name FROM pragma_table_info('\(tables[0])')").sorted()
      #expect(columns == ["Z_1FOLLOWERS", "Z_1FOLLOWS"])
      // The column named after a relationship has its members.
      #expect(try rows(url, tables[0], "Z_1FOLLOWERS", "Z_1FOLLOWS") == ["ab", "ac", "ca"])
      people[2].mutableSetValue(forKey: "followers").remove(people[0])
      try context.save()
      #expect(try rows(url, tables[0], "Z_1FOLLOWERS", "Z_1FOLLOWS") == ["ab", "ca"])
    }
    try TestModel.coordinator(model, url: url).inContext { (context) throws in
      #expect(try context.named("a").many("follows") == [context.named("b")])
      #expect(try context.named("a").many("followers") == [context.named("c")])
    }
  }

  /// Both ends of a one-to-one have a column, and both are written when one is set.
  @Test func oneToOne() throws {
    try people { context, url, people in
      let passports = (1...2).map { context.make("Passport", ["number": $0]) }
      people[0].setValue(passports[0], forKey: "passport")
      passports[1].setValue(people[1], forKey: "holder")
      people[2].setValue(people[0], forKey: "partner")
      try context.save()
      let query =
        "SELECT ZNAME, (SELECT ZNUMBER FROM ZPASSPORT WHERE Z_PK = ZPASSPORT), (SELECT p.ZNAME FROM ZPERSON p WHERE "
        + "p.Z_PK = ZPERSON.ZPARTNER) FROM ZPERSON ORDER BY 1"
      let holders = "SELECT ZNUMBER, (SELECT ZNAME FROM ZPERSON WHERE Z_PK = ZHOLDER) FROM ZPASSPORT ORDER BY 1"
      #expect(try Shell.sql(url, query) == ["a|1|c", "b|2|", "c||a"])
      #expect(try Shell.sql(url, holders) == ["1|a", "2|b"])
      // A passport goes from hand to hand: three rows change.
      people[1].setValue(passports[0], forKey: "passport")
      people[0].setValue(people[1], forKey: "partner")
      try context.save()
      #expect(try Shell.sql(url, query) == ["a||b", "b|1|a", "c||"])
      #expect(try Shell.sql(url, holders) == ["1|b", "2|"])
    }
  }

  /// A to-one without inverse is one column, and setting it writes one row.
  @Test func toOneWithoutInverse() throws {
    try people { context, url, people in
      let house = context.make("House", ["street": "s"])
      for person in people[..<2] { person.setValue(house, forKey: "home") }
      try context.save()
      people[2].setValue(house, forKey: "home")
      people[0].setValue(nil, forKey: "home")
      try context.save()
      #expect(try Shell.sql(url, "SELECT ZHOME, Z_OPT FROM ZPERSON ORDER BY ZNAME") == ["|2", "1|1", "1|2"])
      #expect(try Shell.sql(url, "SELECT Z_OPT FROM ZHOUSE") == ["1"])
    }
  }

  /// Where the destination has subentities, inheritance is one table, and the key alone says which object it is.
  @Test func destinationsWithSubentities() throws {
    let url = try TestModel.temporaryFile()
    try Society.coordinator(url: url).inContext { context in
      let boss = context.make("Manager", ["name": "m", "level": 3, "salary": NSDecimalNumber(value: 10)])
      _ = context.make("Employee", ["name": "e", "boss": boss])
      _ = context.make("Person", ["name": "p", "boss": boss])
      _ = context.make("Club", ["name": "club", "members": NSSet(object: boss)])
      try context.save()
    }
    let model = Society.model()
    let numbers = Dictionary(
      uniqueKeysWithValues: try Shell.sql(url, "SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY").map {
        let parts = $0.split(separator: "|")
        return (String(parts[0]), String(parts[1]))
      })
    #expect(numbers.count == model.entities.count)
    let rows = try Shell.sql(url, "SELECT ZNAME, Z_ENT, ZLEVEL, ZSALARY FROM ZPERSON ORDER BY 1")
    #expect(rows == ["e|\(numbers["Employee"]!)||", "m|\(numbers["Manager"]!)|3|10", "p|\(numbers["Person"]!)||"])
    try Society.coordinator(url: url).inContext { (context) throws in
      #expect(try context.named("p").one("boss")?.entity.name == "Manager")
      #expect(try context.named("m").many("reports").map(\.entity.name).sorted { $0! < $1! } == ["Employee", "Person"])
      #expect(try context.named("club", "Club").many("members").first?.number("level") == 3)
    }
  }
}
