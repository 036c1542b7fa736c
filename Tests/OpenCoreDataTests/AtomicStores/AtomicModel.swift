import CoreData
import Foundation

/// A model with every type of attribute and every kind of relationship, and graphs of random objects of it.
enum AtomicModel {
  static func make() -> NSManagedObjectModel {
    let types: [(String, NSAttributeType)] = [
      ("int16", .integer16AttributeType), ("int32", .integer32AttributeType), ("int64", .integer64AttributeType),
      ("flag", .booleanAttributeType), ("double", .doubleAttributeType), ("float", .floatAttributeType),
      ("decimal", .decimalAttributeType), ("text", .stringAttributeType), ("date", .dateAttributeType),
      ("data", .binaryDataAttributeType), ("uuid", .UUIDAttributeType), ("uri", .URIAttributeType),
      ("serial", .integer64AttributeType),
    ]
    let place = ValuesModel.composite(
      "place",
      [TestModel.attribute("latitude", .doubleAttributeType), TestModel.attribute("note", .stringAttributeType)])
    let address = ValuesModel.composite("address", [TestModel.attribute("street", .stringAttributeType), place])
    let item = TestModel.entity(
      "Item",
      types.map { TestModel.attribute($0.0, $0.1) } + [
        ValuesModel.transformable("tags", "NSSecureUnarchiveFromData"), address,
      ])
    let special = TestModel.entity("SpecialItem", [TestModel.attribute("extra", .stringAttributeType)], parent: item)
    let step = TestModel.entity(
      "Step",
      [TestModel.attribute("serial", .integer64AttributeType), TestModel.attribute("text", .stringAttributeType)])
    TestModel.relate(item, "parent", max: 1, item, "children", max: 0)
    TestModel.relate(item, "next", max: 1, item, "previous", max: 1)
    TestModel.relate(item, "likes", max: 0, item, "likedBy", max: 0)
    TestModel.relate(item, "steps", max: 0, step, "item", max: 1, rule: .cascadeDeleteRule)
    item.relationshipsByName["steps"]?.isOrdered = true
    let model = NSManagedObjectModel()
    model.entities = [item, special, step]
    return model
  }

  static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("atomic-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  static func coordinator(
    _ type: String, _ url: URL?, _ model: NSManagedObjectModel = make(), options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
    return coordinator
  }

  // MARK: Random objects

  /// Changes objects at random, the same ones for the same numbers; `serial` tells them apart.
  static func change(_ context: NSManagedObjectContext, _ generator: inout SeededGenerator, serial: inout Int64) throws
  {
    var items = try objects("Item", context)
    for _ in 0..<Int.random(in: 1...12, using: &generator) {
      let some = items.randomElement(using: &generator)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0...3:
        serial += 1
        let item = NSEntityDescription.insertNewObject(
          forEntityName: Bool.random(using: &generator) ? "Item" : "SpecialItem", into: context)
        item.setValue(serial, forKey: "serial")
        for name in names { item.setValue(value(name, &generator), forKey: name) }
        items.append(item)
      case 4, 5:
        let name = names.randomElement(using: &generator) ?? ""
        some?.setValue(value(name, &generator), forKey: name)
      case 6:
        let key = ["parent", "next"].randomElement(using: &generator) ?? ""
        some?.setValue(
          Int.random(in: 0..<4, using: &generator) == 0 ? nil : items.randomElement(using: &generator), forKey: key)
      case 7:
        let likes = (0..<Int.random(in: 0..<4, using: &generator)).compactMap { _ in
          items.randomElement(using: &generator)
        }
        some?.setValue(NSSet(array: likes), forKey: "likes")
      case 8:
        guard let some else { break }
        var steps = (some.value(forKey: "steps") as? NSOrderedSet)?.array ?? []
        serial += 1
        let step = NSEntityDescription.insertNewObject(forEntityName: "Step", into: context)
        step.setValue(serial, forKey: "serial")
        steps.insert(step, at: Int.random(in: 0...steps.count, using: &generator))
        if Bool.random(using: &generator) { steps.reverse() }
        some.setValue(NSOrderedSet(array: steps), forKey: "steps")
      default:
        guard let some else { break }
        context.delete(some)
        context.processPendingChanges()
        items.removeAll { $0 === some }
      }
    }
  }

  static let names = [
    "int16", "int32", "int64", "flag", "double", "float", "decimal", "text", "date", "data", "uuid", "uri", "tags",
    "address",
  ]

  private static func value(_ name: String, _ generator: inout SeededGenerator) -> Any? {
    if Int.random(in: 0..<6, using: &generator) == 0 { return nil }
    let bits = generator.next()
    switch name {
    case "int16": return Int(Int16(truncatingIfNeeded: bits))
    case "int32": return Int(Int32(truncatingIfNeeded: bits))
    case "int64": return Int64(truncatingIfNeeded: bits)
    case "flag": return bits & 1 == 0
    // Not a number is nil in SQLite, and -0 is 0.
    case "double":
      let value = Double(bitPattern: bits)
      return value.isNaN || value == 0 ? 0.1 : value
    case "float":
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
      return value.isNaN || value == 0 ? 0.1 : value
    case "decimal": return NSDecimalNumber(decimal: Decimal(Int(bits % 1_000_000)) / 64)
    case "text": return text(&generator)
    case "date": return Date(timeIntervalSinceReferenceDate: Double(Int64(truncatingIfNeeded: bits) >> 20) / 1024)
    case "data": return Data((0..<Int(bits % 40)).map { UInt8(truncatingIfNeeded: bits >> ($0 % 8)) })
    case "uuid":
      let other = generator.next()
      return UUID(uuid: unsafeBitCast((bits, other), to: uuid_t.self))
    case "uri": return URL(string: "https://example.org/\(bits % 1000)?q=a%20b&c=%22#\(bits % 7)")
    case "tags": return NSArray(array: (0..<Int(bits % 4)).map { _ in text(&generator) })
    default:
      var address: [String: Any] = [:]
      if bits & 1 == 0 { address["street"] = text(&generator) }
      if bits & 6 != 0 { address["place"] = ["latitude": Double(bits % 180) / 3, "note": text(&generator)] }
      return address.isEmpty ? nil : address
    }
  }

  /// SQLite's strings end at a NUL as far as its functions are concerned, so there is none.
  private static func text(_ generator: inout SeededGenerator) -> String {
    let parts = [
      "\\u003c", "\r\n", "\n", " ", "\u{1}", "<&>\"'", "e\u{301}", "é", "漢😀", "a", "B", "]]>", "\u{FFFE}", "\t",
    ]
    return (0..<Int.random(in: 0...5, using: &generator)).map { _ in parts.randomElement(using: &generator) ?? "" }
      .joined()
  }

  // MARK: What there is

  static func objects(_ entity: String, _ context: NSManagedObjectContext, _ format: String? = nil) throws
    -> [NSManagedObject]
  {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = format.map { NSPredicate(format: $0) }
    request.sortDescriptors = [NSSortDescriptor(key: "serial", ascending: true)]
    return try context.fetch(request)
  }

  /// Every object with every value, as text that tells apart whatever is not the same.
  static func dump(_ context: NSManagedObjectContext) throws -> [String] {
    try ["Item", "Step"].flatMap { try objects($0, context) }.map { object in
      let entity = object.entity
      let attributes = entity.attributesByName.keys.sorted().map { "\($0)=\(describe(object.value(forKey: $0)))" }
      let relationships = entity.relationshipsByName.keys.sorted().map { name in
        switch object.value(forKey: name) {
        case let members as NSOrderedSet: return "\(name)=\(members.array.map(serial))"
        case let members as NSSet: return "\(name)=\(members.allObjects.map(serial).sorted())"
        case let member: return "\(name)=\(member.map(serial) ?? -1)"
        }
      }
      return "\(entity.name ?? "") " + (attributes + relationships).joined(separator: "; ")
    }
  }

  static func serial(_ object: Any) -> Int64 {
    ((object as? NSManagedObject)?.value(forKey: "serial") as? NSNumber)?.int64Value ?? 0
  }

  private static func describe(_ value: Any?) -> String {
    switch value {
    case nil: "nil"
    case let text as String: "\(text.unicodeScalars.map { String($0.value, radix: 16) })"
    case let data as Data: data.base64EncodedString()
    case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
    case let array as NSArray: "\(array.map { describe($0) })"
    case let values as [String: Any]: "\(values.keys.sorted().map { "\($0):\(describe(values[$0]))" })"
    case let value?: "\(value)"
    }
  }
}
