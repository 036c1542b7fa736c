import CommandSupport
import CoreData
import CoreDataTools
import Foundation
import Testing

/// What a reader tells of objects, their relationships and their history.
struct ObjectTests {
  @Test func rowsHaveTheValuesOfTheirColumns() throws {
    let shop = try Shop()
    let reader = try StoreReader(shop.store)
    var rows: [[StoreValue]] = []
    try reader.rows(
      of: ObjectQuery(
        entity: "Person", predicate: "age >= 1", sort: [.init("age", ascending: false)],
        columns: ["name", "age", "isNew", "born", "things.@count"])
    ) { rows.append([.object($0)] + $1) }
    #expect(
      rows == [
        [.object(.init(entity: "Person", key: 3)), .text("P2"), .integer(2), .bool(true), .null, .integer(2)],
        [.object(.init(entity: "Person", key: 2)), .text("P1"), .integer(1), .bool(false), .null, .integer(2)],
      ])
  }

  @Test func anObjectHasItsValuesAndNumbersOfMembers() throws {
    let shop = try Shop()
    let reader = try StoreReader(shop.store)
    let person = try #require(try reader.object(ObjectReference(entity: "Person", key: 1)))
    #expect(person.attributes.first { $0.keyPath == "name" }?.value == .text("P0"))
    #expect(person.toManys.map(\.name) == ["friends", "things"])
    #expect(person.toManys.map(\.count) == [1, 2])
    #expect(person.toManys.map(\.isOrdered) == [false, true])
    // By an entity above its own.
    let toy = try #require(
      try reader.members(of: person.reference, relationship: "things").first { $0.entity == "Toy" })
    let found = try #require(try reader.object(ObjectReference(entity: "Thing", key: toy.key)))
    #expect(found.reference == toy)
    #expect(found.toOnes.map(\.name) == ["owner"])
    #expect(found.toOnes.first?.destination == person.reference)
    #expect(try reader.object(ObjectReference(entity: "Person", key: 1000)) == nil)
    #expect(throws: ToolError.self) { try reader.object(ObjectReference(entity: "Nobody", key: 1)) }
  }

  @Test func membersComeInTheirOrderAndInPages() throws {
    let shop = try Shop(persons: 2, things: 7)
    let reader = try StoreReader(shop.store)
    let person = ObjectReference(entity: "Person", key: 1)
    let all = try reader.members(of: person, relationship: "things")
    var titles: [String] = []
    for member in all {
      guard
        case .text(let title)? = try reader.object(member)?.attributes.first(where: { $0.keyPath == "title" })?.value
      else { continue }
      titles.append(title)
    }
    #expect(titles == (0..<7).reversed().map { "T\($0)" })
    #expect(Set(all.map(\.entity)) == ["Thing", "Toy"])
    let pages = try [0, 3, 6, 9].map { try reader.members(of: person, relationship: "things", limit: 3, offset: $0) }
    #expect(pages.flatMap { $0 } == all)
    #expect(pages.map(\.count) == [3, 3, 1, 0])
    // Without an inverse.
    #expect(try reader.members(of: person, relationship: "friends") == [.init(entity: "Person", key: 2)])
    #expect(throws: ToolError.self) { try reader.members(of: person, relationship: "name") }
  }

  @Test func whatPointsToAnObjectIsFound() throws {
    let shop = try Shop(stays: true)
    let reader = try StoreReader(shop.store)
    let toy = try #require(
      try reader.members(of: .init(entity: "Person", key: 1), relationship: "things").first { $0.entity == "Toy" })
    try shop.write { context in
      let note = Shop.make("Note", in: context, ["text": "one-way"])
      let things = try Shop.person("P0", in: context).value(forKey: "things") as? NSOrderedSet
      note.setValue(things?.array.first { ($0 as? NSManagedObject)?.entity.name == "Toy" }, forKey: "about")
    }
    let referrers = try reader.referrers(of: toy)
    #expect(referrers.map { "\($0.entity).\($0.relationship)" } == ["Note.about", "Person.things"])
    #expect(referrers.map(\.object.description) == ["Note/p1", "Person/p1"])
    let person = try reader.referrers(of: .init(entity: "Person", key: 1), limit: 1)
    #expect(person.map(\.relationship) == ["friends", "owner"])
    #expect(person.first?.object == .init(entity: "Person", key: 3))
  }

  @Test func historyTellsWhoChangedWhat() throws {
    let shop = try Shop(hasHistory: true, stays: true)
    let reader = try StoreReader(shop.store)
    try shop.write(author: "tester") { try Shop.person("P0", in: $0).setValue(44, forKey: "age") }
    try shop.write { context in context.delete(try Shop.person("P1", in: context)) }
    let all = try reader.history(limit: 0)
    #expect(all.map(\.number) == [3, 2, 1])
    #expect(all[1].author == "tester")
    #expect(all[1].changes.map(\.kind) == [.update])
    #expect(all[1].changes.first?.object == .init(entity: "Person", key: 1))
    #expect(all[1].changes.first?.properties == ["age"])
    #expect(all[2].changeCount == all[2].changes.count)
    #expect(try reader.history(limit: 1, before: 3).map(\.number) == [2])
    #expect(try reader.history(limit: 1, before: 2, changeLimit: 2).first?.changes.count == 2)
    let own = try reader.history(of: .init(entity: "Person", key: 1))
    #expect(own.map(\.number) == [2, 1])
    #expect(own.map { $0.changes.map(\.kind) } == [[.update], [.insert]])
    // A store without history has none.
    let other = try Shop()
    #expect(try StoreReader(other.store).history(limit: 0).isEmpty)
  }

  @Test func valuesAreWrittenAsTheCommandsWriteThem() {
    let date = StoreValue.date(737130851.669581)
    #expect(date.json == "\"2024-05-10T14:14:11.669581Z\"" || date.plain?.hasSuffix(".669581Z") == true)
    #expect(StoreValue.text("a\n\"b\"").cell == "a⏎\"b\"")
    #expect(StoreValue.text("a\n\"b\"").json == "\"a\\n\\\"b\\\"\"")
    #expect(StoreValue.text("a,\"b\"").csv == "\"a,\"\"b\"\"\"")
    #expect(StoreValue.text("").csv == "\"\"")
    #expect(StoreValue.null.csv == "")
    #expect(StoreValue.data(Data([1, 2])).cell == "2 bytes")
    #expect(StoreValue.data(Data([1, 2])).plain == "AQI=")
    #expect(StoreValue.object(.init(entity: "Person", key: 5)).plain == "Person/p5")
    #expect(ObjectReference("Person/p5") == ObjectReference(entity: "Person", key: 5))
    #expect(ObjectReference("Person") == nil)
  }
}
