import Foundation
import OpenCocoaFoundation

@_spi(Store) @testable import OpenCoreData

/// An object with the values of a row, for the evaluator in memory.
final class TestObject: NSObject, NSKeyValueCoding, SQLObjectReference {
  let entity: NSEntityDescription
  let primaryKey: Int64
  var values: [String: Any] = [:]

  init(_ entity: NSEntityDescription, _ primaryKey: Int64) {
    self.entity = entity
    self.primaryKey = primaryKey
  }

  var sqlReference: (primaryKey: Int64, entity: NSEntityDescription, isTemporary: Bool)? {
    (primaryKey, entity, false)
  }

  func value(forKey key: String) -> Any? {
    if key == "entity" { return entity }
    return entity.propertiesByName[key] == nil ? value(forUndefinedKey: key) : values[key]
  }

  func setValue(_ value: Any?, forKey key: String) { values[key] = value }
}

/// People with bosses and tags, in a database and in memory.
final class PeopleFixture {
  /// - Parameter isIndexed: whether people's names and tags' labels and ranks have indexes.
  static func model(isIndexed: Bool = false) -> NSManagedObjectModel {
    let boss = relationship("boss")
    let reports = relationship("reports", toMany: true)
    let tags = relationship("tags", toMany: true)
    let people = relationship("people", toMany: true)
    let employee = entity("Employee", [attribute("title", .stringAttributeType)])
    let person = entity(
      "Person",
      [
        attribute("name", .stringAttributeType), attribute("age", .integer16AttributeType),
        attribute("weight", .doubleAttributeType), attribute("height", .floatAttributeType),
        attribute("active", .booleanAttributeType), attribute("born", .dateAttributeType),
        attribute("uid", .UUIDAttributeType), attribute("price", .decimalAttributeType),
        attribute("link", .URIAttributeType), attribute("big", .integer64AttributeType),
        attribute("photo", .binaryDataAttributeType), boss, reports, tags,
      ], subentities: [employee])
    let tag = entity(
      "Tag", [attribute("label", .stringAttributeType), attribute("rank", .integer32AttributeType), people])
    connect(boss, reports)
    connect(tags, people)
    if isIndexed {
      for (entity, name) in [(person, "name"), (tag, "label"), (tag, "rank")] {
        guard let property = entity.propertiesByName[name] else { continue }
        let element = NSFetchIndexElementDescription(property: property, collationType: .binary)
        entity.indexes.append(NSFetchIndexDescription(name: "by_\(name)", elements: [element]))
      }
    }
    return makeModel([person, tag])
  }

  let database: TestDatabase
  var people: [TestObject] = []
  var tags: [TestObject] = []

  static let names = [
    "", "Anna", "anna", "ANNA", "Änne", "A\u{308}nne", "änne", "Bob", "bo*b", "bo?b", "b[o]b", "Straße",
    "STRASSE", "Ж", "ж", "日本", "5", "5.0", "-1", "O'Neil", "a\\b", "100%", "line\nbreak", "🙂", "ﬁx", "İ",
    "a\0b", "\0", "Ａｎｎａ", "e\u{301}", "\u{E9}", "\u{1112}\u{1161}\u{11AB}", "한", "nan", "0.1", "1e3", " 5", "Ω",
    "\u{2126}",
    "\u{FFFD}", "\u{10FFFF}",
  ]

  init(seed: UInt64, count: Int = 40, isIndexed: Bool = false) throws {
    database = try TestDatabase(Self.model(isIndexed: isIndexed))
    var random = SeededGenerator(seed: seed)
    let person = try database.entity("Person").entity
    let employee = try database.entity("Employee").entity
    let tag = try database.entity("Tag").entity
    for key in 1...8 {
      let object = TestObject(tag, Int64(key))
      object.values = Self.some(
        [
          "label": Self.names.randomElement(using: &random) as Any,
          "rank": NSNumber(value: Int.random(in: -2...3, using: &random)),
        ],
        &random)
      tags.append(object)
      try database.insert("Tag", key: object.primaryKey, object.values)
    }
    for key in 1...count {
      let object = TestObject(Int.random(in: 0..<3, using: &random) == 0 ? employee : person, Int64(key))
      object.values = Self.some(Self.values(&random), &random)
      if object.entity === employee { object.values["title"] = Self.names.randomElement(using: &random) }
      var row: [String: Any?] = object.values
      if let boss = people.randomElement(using: &random), Bool.random(using: &random) {
        object.values["boss"] = boss
        row["boss"] = boss.primaryKey
      }
      try database.insert(object.entity.name ?? "", key: object.primaryKey, row)
      people.append(object)
    }
    try connectAll(&random)
  }

  private func connectAll(_ random: inout SeededGenerator) throws {
    for person in people {
      let own = Set(tags.filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
      person.values["tags"] = NSSet(set: own)
      for tag in own { try database.connect("Person", "tags", person.primaryKey, tag.primaryKey) }
      person.values["reports"] = NSSet(array: people.filter { $0.values["boss"] as? TestObject === person })
    }
    for tag in tags {
      tag.values["people"] = NSSet(array: people.filter { ($0.values["tags"] as? NSSet)?.contains(tag) ?? false })
    }
  }

  static func values(_ random: inout SeededGenerator) -> [String: Any] {
    let weights = [0, -0.5, 1, 2.5, 70, 1e300, 0.1]
    return [
      "name": names.randomElement(using: &random) as Any,
      "age": NSNumber(value: Int.random(in: -2...6, using: &random)),
      "weight": NSNumber(value: weights.randomElement(using: &random) ?? 0),
      "height": NSNumber(value: Float.random(in: 0..<2, using: &random)),
      "active": NSNumber(value: Bool.random(using: &random)),
      "born": Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -3...3, using: &random)) * 0.5),
      "uid": UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8.random(in: 0...3, using: &random))),
      "price": NSDecimalNumber(
        string: ["0", "1", "2.50", "3.1", "-7", "0.1", "1234567.89"].randomElement(using: &random) ?? "0"),
      "big": NSNumber(
        value: [0, 5, Int64.max, Int64.max - 1, 1 << 53, -(1 << 53) - 1].randomElement(using: &random) ?? 0),
      "photo": Data((0..<Int.random(in: 0...2, using: &random)).map { UInt8($0) }),
      "link": URL(string: ["http://a.b/c", "http://a.b/d", "x:y"].randomElement(using: &random) ?? "x:y") as Any,
    ]
  }

  /// Some of the values; the others are nil.
  static func some(_ values: [String: Any], _ random: inout SeededGenerator) -> [String: Any] {
    var result: [String: Any] = [:]
    for key in values.keys.sorted() where Int.random(in: 0..<4, using: &random) > 0 { result[key] = values[key] }
    return result
  }

  /// The keys of the people whom the evaluator in memory finds.
  func expected(_ predicate: NSPredicate) -> Set<Int64> {
    Set(people.filter { predicate.evaluate(with: $0) }.map(\.primaryKey))
  }
}
