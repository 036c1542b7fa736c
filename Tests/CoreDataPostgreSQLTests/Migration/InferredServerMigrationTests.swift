#if PostgreSQL
  import CoreData
  import CoreDataPostgreSQL
  import Foundation
  import PostgreSQLTestServer
  import Testing

  /// Migrations in place by what is inferred: the same as a SQLite store's.
  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct InferredServerMigrationTests {
    static let first = """
      <entity name="Company"><attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="code" optional="YES" attributeType="String"/>
        <relationship name="staff" optional="YES" toMany="YES" destinationEntity="Person" inverseName="employer" inverseEntity="Person"/>
        <relationship name="cars" optional="YES" toMany="YES" destinationEntity="Tag"/></entity>
      <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="age" optional="YES" attributeType="Integer 32"/>
        <attribute name="score" optional="YES" attributeType="Double"/>
        <attribute name="price" optional="YES" attributeType="Decimal"/>
        <attribute name="rate" optional="YES" attributeType="Float"/>
        <attribute name="open" optional="YES" attributeType="Boolean"/>
        <attribute name="gone" optional="YES" attributeType="Binary"/>
        <relationship name="employer" optional="YES" maxCount="1" destinationEntity="Company" inverseName="staff" inverseEntity="Company"/>
        <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="team" inverseEntity="Person"/>
        <relationship name="team" optional="YES" toMany="YES" destinationEntity="Person" inverseName="boss" inverseEntity="Person"/>
        <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="people" inverseEntity="Tag"/></entity>
      <entity name="Student" parentEntity="Person"><attribute name="school" optional="YES" attributeType="String"/></entity>
      <entity name="Tag"><attribute name="text" optional="YES" attributeType="String"/>
        <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="tags" inverseEntity="Person"/></entity>
      """

    static func fill(_ context: NSManagedObjectContext) {
      func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
      }
      let companies = (0..<3).map { insert("Company", ["name": "C\($0)", "code": "k\($0)"]) }
      let tags = (0..<5).map { insert("Tag", ["text": "T\($0) ÄÖ"]) }
      companies[0].setValue(Set(tags.prefix(2)), forKey: "cars")
      var last: NSManagedObject?
      for number in 0..<20 {
        var values: [String: Any] = [
          "name": "Person \(number)", "age": number * 3 - 7, "score": Double(number) * 1.7 - 5,
          "price": Decimal(string: "\(number).25") ?? 0, "rate": Float(number) / 3, "open": number.isMultiple(of: 3),
          "gone": Data([1, 2]), "employer": companies[number % 3],
        ]
        if number.isMultiple(of: 5) { values["age"] = nil }
        if let last { values["boss"] = last }
        values["tags"] = Set(tags.filter { _ in Bool.random() })
        let isStudent = number.isMultiple(of: 4)
        if isStudent { values["school"] = "S\(number)" }
        last = insert(isStudent ? "Student" : "Person", values)
      }
    }

    struct Step: CustomTestStringConvertible, Sendable {
      let testDescription: String
      let changes: [(from: String, to: String)]
    }

    static let steps = [
      Step(
        testDescription: "nothing but a new entity in front",
        changes: [("<entity name=\"Company\">", "<entity name=\"Apple\"/><entity name=\"Company\">")]),
      Step(
        testDescription: "attributes added, with and without defaults",
        changes: [
          (
            "<attribute name=\"school\"",
            """
            <attribute name="year" attributeType="Integer 16" defaultValueString="7"/>
            <attribute name="note" optional="YES" attributeType="String"/><attribute name="school"
            """
          ),
          (
            "<attribute name=\"text\"",
            "<attribute name=\"weight\" attributeType=\"Double\" defaultValueString=\"1.5\"/><attribute name=\"flag\" attributeType=\"Boolean\" defaultValueString=\"YES\"/><attribute name=\"label\" attributeType=\"String\" defaultValueString=\"it's\"/><attribute name=\"text\""
          ),
        ]),
      Step(
        testDescription: "an attribute removed",
        changes: [("<attribute name=\"gone\" optional=\"YES\" attributeType=\"Binary\"/>", "")]),
      Step(
        testDescription: "attributes that change names",
        changes: [
          (
            "<attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>\n  <attribute name=\"code\"",
            "<attribute name=\"code\" elementID=\"name\" optional=\"YES\" attributeType=\"String\"/>\n  <attribute name=\"name\" elementID=\"code\""
          )
        ]),
      Step(
        testDescription: "numbers of other types",
        changes: [
          (
            "<attribute name=\"age\" optional=\"YES\" attributeType=\"Integer 32\"/>",
            "<attribute name=\"age\" optional=\"YES\" attributeType=\"Integer 16\"/>"
          ),
          (
            "<attribute name=\"score\" optional=\"YES\" attributeType=\"Double\"/>",
            "<attribute name=\"score\" optional=\"YES\" attributeType=\"Integer 64\"/>"
          ),
          (
            "<attribute name=\"price\" optional=\"YES\" attributeType=\"Decimal\"/>",
            "<attribute name=\"price\" optional=\"YES\" attributeType=\"Integer 32\"/>"
          ),
          (
            "<attribute name=\"rate\" optional=\"YES\" attributeType=\"Float\"/>",
            "<attribute name=\"rate\" optional=\"YES\" attributeType=\"Double\"/>"
          ),
          (
            "<attribute name=\"open\" optional=\"YES\" attributeType=\"Boolean\"/>",
            "<attribute name=\"open\" optional=\"YES\" attributeType=\"Integer 16\"/>"
          ),
        ]),
      Step(
        testDescription: "more numbers of other types",
        changes: [
          (
            "<attribute name=\"age\" optional=\"YES\" attributeType=\"Integer 32\"/>",
            "<attribute name=\"age\" optional=\"YES\" attributeType=\"Boolean\"/>"
          ),
          (
            "<attribute name=\"score\" optional=\"YES\" attributeType=\"Double\"/>",
            "<attribute name=\"score\" optional=\"YES\" attributeType=\"Float\"/>"
          ),
          (
            "<attribute name=\"price\" optional=\"YES\" attributeType=\"Decimal\"/>",
            "<attribute name=\"price\" optional=\"YES\" attributeType=\"Double\"/>"
          ),
          (
            "<attribute name=\"rate\" optional=\"YES\" attributeType=\"Float\"/>",
            "<attribute name=\"rate\" optional=\"YES\" attributeType=\"Integer 32\"/>"
          ),
          (
            "<attribute name=\"open\" optional=\"YES\" attributeType=\"Boolean\"/>",
            "<attribute name=\"open\" optional=\"YES\" attributeType=\"Double\"/>"
          ),
        ]),
      Step(
        testDescription: "a value that must be there, with a default one",
        changes: [
          (
            "<attribute name=\"age\" optional=\"YES\" attributeType=\"Integer 32\"/>",
            "<attribute name=\"age\" attributeType=\"Integer 32\" defaultValueString=\"5\"/>"
          )
        ]),
      Step(
        testDescription: "a relationship removed, and another one there",
        changes: [
          (
            "<relationship name=\"boss\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Person\" "
              + "inverseName=\"team\" inverseEntity=\"Person\"/>", ""
          ),
          ("name=\"team\"", "name=\"pals\""), ("inverseName=\"boss\"", "inverseName=\"pals\""),
        ]),
      Step(
        testDescription: "relationships renamed",
        changes: [
          ("<relationship name=\"tags\"", "<relationship name=\"labels\" elementID=\"tags\""),
          ("inverseName=\"tags\"", "inverseName=\"labels\""),
          ("<relationship name=\"boss\"", "<relationship name=\"chief\" elementID=\"boss\""),
          ("inverseName=\"boss\"", "inverseName=\"chief\""),
        ]),
      Step(
        testDescription: "an entity removed with its relationships",
        changes: [
          ("<relationship name=\"cars\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Tag\"/>", ""),
          (
            "<relationship name=\"tags\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Tag\" "
              + "inverseName=\"people\" inverseEntity=\"Tag\"/>", ""
          ),
          (
            """
            <entity name="Tag"><attribute name="text" optional="YES" attributeType="String"/>
              <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="tags" inverseEntity="Person"/></entity>
            """, ""
          ),
        ]),
      Step(
        testDescription: "an entity renamed, with its tables of pairs",
        changes: [
          ("<entity name=\"Tag\">", "<entity name=\"Badge\" elementID=\"Tag\">"),
          ("destinationEntity=\"Tag\"", "destinationEntity=\"Badge\""),
          ("inverseEntity=\"Tag\"", "inverseEntity=\"Badge\""),
        ]),
      Step(
        testDescription: "a subentity removed with its objects",
        changes: [
          (
            "<entity name=\"Student\" parentEntity=\"Person\"><attribute name=\"school\" optional=\"YES\" attributeType=\"String\"/></entity>",
            ""
          )
        ]),
      Step(
        testDescription: "members get an order",
        changes: [
          (
            "<relationship name=\"staff\" optional=\"YES\"",
            "<relationship name=\"staff\" optional=\"YES\" ordered=\"YES\""
          ),
          (
            "<relationship name=\"tags\" optional=\"YES\"",
            "<relationship name=\"tags\" optional=\"YES\" ordered=\"YES\""
          ),
        ]),
      Step(
        testDescription: "a new superentity of all",
        changes: [
          ("<entity name=\"Company\">", "<entity name=\"Being\" isAbstract=\"YES\"/><entity name=\"Company\">"),
          ("<entity name=\"Person\">", "<entity name=\"Person\" parentEntity=\"Being\">"),
        ]),
      Step(
        testDescription: "a table of pairs instead of a key",
        changes: [
          (
            "<relationship name=\"employer\" optional=\"YES\" maxCount=\"1\"",
            "<relationship name=\"employer\" optional=\"YES\" toMany=\"YES\""
          )
        ]),
      Step(
        testDescription: "unique values and derived attributes",
        changes: [
          (
            "<attribute name=\"code\" optional=\"YES\" attributeType=\"String\"/>",
            """
            <attribute name="code" optional="YES" attributeType="String"/>
            <attribute name="size" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="staff.@count"/>
            <attribute name="folded" optional="YES" attributeType="String" derived="YES" derivationExpression="canonical:(name)"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint></uniquenessConstraints>
            """
          )
        ]),
    ]

    @Test(arguments: steps) func asSQLiteDoes(_ step: Step) throws {
      let pair = try MigratedPair(MigratedPair.model(Self.first), Self.fill)
      #expect(try pair.difference(pair.old) == nil)
      var text = Self.first
      for (from, to) in step.changes {
        #expect(text.contains(from))
        text = text.replacingOccurrences(of: from, with: to)
      }
      let model = try MigratedPair.model(text)
      let difference = try pair.migrate(to: model)
      #expect(difference == nil)
      // And back again: the names and numbers of before.
      #expect(try pair.migrate(to: pair.old) == nil)
      try MigratedPair.open(pair.server, model, MigratedPair.automatic) { _, _ in }
      // What comes then has keys and relationships of its own.
      try MigratedPair.open(pair.server, model) { coordinator, _ in
        try MigratedPair.inContext(coordinator) { context in
          for entity in model.entities where !entity.isAbstract {
            _ = NSEntityDescription.insertNewObject(forEntityName: entity.name ?? "", into: context)
          }
          try context.save()
        }
      }
    }
  }
#endif
