import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// One row of the table: a type, a value, and what the column has.
struct TypedValue: Sendable, CustomTestStringConvertible {
  let type: NSAttributeType
  nonisolated(unsafe) let value: Any
  let column: String
  var testDescription: String { "\(type): \(value)" }
}

/// Every type of attribute: nil, a default, a value, the column, a new stack, a predicate, an order.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct AttributeTypeTests {
  private static let id = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!
  private static func decimal(_ text: String) -> NSDecimalNumber { NSDecimalNumber(decimal: Decimal(string: text)!) }

  static let table: [TypedValue] = [
    TypedValue(type: .integer16AttributeType, value: Int16.min, column: "-32768|integer"),
    TypedValue(type: .integer32AttributeType, value: Int32.max, column: "2147483647|integer"),
    TypedValue(type: .integer64AttributeType, value: Int64.max, column: "9223372036854775807|integer"),
    TypedValue(type: .booleanAttributeType, value: true, column: "1|integer"),
    TypedValue(type: .doubleAttributeType, value: 0.1, column: "0.1|real"),
    TypedValue(type: .floatAttributeType, value: Float(0.1), column: "0.100000001490116|real"),
    TypedValue(type: .dateAttributeType, value: Date(timeIntervalSinceReferenceDate: 0.5), column: "0.5|real"),
    TypedValue(type: .stringAttributeType, value: "e\u{301}", column: "e\u{301}|text"),
    TypedValue(type: .URIAttributeType, value: URL(string: "https://a.org/b?c#d")!, column: "https://a.org/b?c#d|text"),
    TypedValue(type: .UUIDAttributeType, value: id, column: "00112233445566778899AABBCCDDEEFF|blob"),
    TypedValue(type: .binaryDataAttributeType, value: Data([1, 2, 0]), column: "010200|blob"),
    TypedValue(type: .binaryDataAttributeType, value: Data(), column: "|blob"),
    TypedValue(type: .stringAttributeType, value: "", column: "|text"),
    TypedValue(type: .decimalAttributeType, value: decimal("0.1"), column: "0.1|real"),
    TypedValue(type: .decimalAttributeType, value: decimal("9007199254740993"), column: "9007199254740993|integer"),
    TypedValue(
      type: .decimalAttributeType, value: decimal("-9223372036854775808"), column: "-9223372036854775808|integer"),
    TypedValue(type: .decimalAttributeType, value: decimal("123456789.012345"), column: "123456789.012345|real"),
    TypedValue(type: .decimalAttributeType, value: decimal("1e20"), column: "1.0e+20|real"),
    TypedValue(type: .decimalAttributeType, value: decimal("1e-30"), column: "1.0e-30|real"),
  ]

  private func model(_ row: TypedValue) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = [
      TestModel.entity(
        "Thing",
        [
          TestModel.attribute("name", .stringAttributeType), TestModel.attribute("value", row.type),
          TestModel.attribute("preset", row.type, optional: false, row.value),
        ])
    ]
    return model
  }

  @Test(arguments: table) func aValueOfEveryType(row: TypedValue) throws {
    let file = try StoreFile(.sqlite, model(row))
    let value = row.value as! NSObject
    try file.opened { context in
      let thing = context.make("Thing", ["name": "full", "value": row.value])
      let empty = context.make("Thing", ["name": "empty"])
      for thing in [thing, empty] { #expect(thing.value(forKey: "preset") as? NSObject == value) }
      #expect(thing.value(forKey: "value") as? NSObject == value && empty.value(forKey: "value") == nil)
      try context.save()
      thing.setValue(row.value, forKey: "value")
      #expect(thing.changedValues().isEmpty)
      try context.save()
    }
    let column =
      row.column.hasSuffix("|blob") ? "hex(ZVALUE), typeof(ZVALUE)" : "ZVALUE, typeof(ZVALUE)"
    #expect(try Shell.sql(file.url, "SELECT \(column) FROM ZTHING ORDER BY ZNAME") == ["|null", row.column])
    try file.opened { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      request.sortDescriptors = [NSSortDescriptor(key: "value", ascending: true)]
      let things = try context.fetch(request)
      #expect(things.map { $0.value(forKey: "name") as? String } == ["empty", "full"])
      #expect(things[0].value(forKey: "value") == nil)
      let read = things[1].value(forKey: "value") as? NSObject
      #expect(read == value && things[0].value(forKey: "preset") as? NSObject == value)
      if row.type.isNumber { #expect(things[1].value(forKey: "value") is NSNumber) }
      request.predicate = NSPredicate(format: "value == %@", row.value)
      #expect(try context.fetch(request) == [things[1]])
      #expect(request.predicate!.evaluate(with: things[1]) && !request.predicate!.evaluate(with: things[0]))
      request.predicate = NSPredicate(format: "value == nil")
      #expect(try context.fetch(request) == [things[0]])
      things[1].setValue(nil, forKey: "value")
      try context.save()
    }
    #expect(try Shell.sql(file.url, "SELECT COUNT(ZVALUE) FROM ZTHING") == ["0"])
  }

  /// A column of numbers has no more digits than a double, in Apple's files as in these.
  @Test func aDecimalOfMoreDigitsIsRoundedToTheNearestDouble() throws {
    let file = try StoreFile(
      .sqlite,
      model(TypedValue(type: .decimalAttributeType, value: NSDecimalNumber(value: 0), column: "")))
    let exact = Decimal(string: "3.14159265358979323846264338327950288419")!
    try file.opened { context in
      _ = context.make("Thing", ["value": exact])
      try context.save()
    }
    try file.opened { context in
      let thing = try #require(try context.all("Thing").first)
      #expect((thing.value(forKey: "value") as? NSDecimalNumber)?.decimalValue == Decimal(string: "3.141592653589793"))
    }
  }

  @Test func anAttributeWithoutATypeIsKeptByTheObjectAndIsNotSavedUnnoticed() throws {
    let model = NSManagedObjectModel()
    let scratch = TestModel.attribute("scratch", .undefinedAttributeType)
    scratch.isTransient = true
    model.entities = [
      TestModel.entity(
        "Thing",
        [
          TestModel.attribute("name", .stringAttributeType), TestModel.attribute("loose", .undefinedAttributeType),
          TestModel.attribute("reference", .objectIDAttributeType), scratch,
        ])
    ]
    let file = try StoreFile(.sqlite, model)
    try file.opened { context in
      let thing = context.make("Thing", ["name": "A", "scratch": Colour(1, 2, 3), "loose": [1, 2]])
      thing.setValue(thing.objectID, forKey: "reference")
      #expect(thing.value(forKey: "loose") as? [Int] == [1, 2] && !thing.description.isEmpty)
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectValidationError)
      #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "loose")
      thing.setValue(nil, forKey: "loose")
      #expect(throws: NSError.self) { try context.save() }
      thing.setValue(nil, forKey: "reference")
      try context.save()
      #expect(thing.value(forKey: "scratch") as? Colour == Colour(1, 2, 3))
    }
    #expect(try Shell.sql(file.url, "SELECT * FROM ZTHING") == ["1|1|1|A"])
  }
}

extension NSAttributeType {
  fileprivate var isNumber: Bool { rawValue <= 600 || self == .booleanAttributeType }
}
