import CoreData
import Foundation

/// The model for the checks: it has every kind of attribute, relationship and delete rule.
enum ConformanceModel {
  static let attributeTypes: [(name: String, type: NSAttributeType)] = [
    ("int16", .integer16AttributeType), ("int32", .integer32AttributeType), ("int64", .integer64AttributeType),
    ("flag", .booleanAttributeType), ("double", .doubleAttributeType), ("float", .floatAttributeType),
    ("decimal", .decimalAttributeType), ("text", .stringAttributeType), ("date", .dateAttributeType),
    ("data", .binaryDataAttributeType), ("uuid", .UUIDAttributeType), ("uri", .URIAttributeType),
  ]

  /// - Parameter derives: whether clubs count their members in a derived attribute.
  static func make(derives: Bool = false) -> NSManagedObjectModel {
    let thing = entity("Thing", attributeTypes.map { attribute($0.name, $0.type) })
    let person = entity(
      "Person",
      [
        attribute("name", .stringAttributeType), attribute("age", .integer16AttributeType),
        attribute("born", .dateAttributeType), attribute("code", .stringAttributeType),
      ])
    let employee = entity("Employee", [attribute("salary", .doubleAttributeType)])
    let manager = entity("Manager", [attribute("level", .integer32AttributeType)])
    employee.subentities = [manager]
    person.subentities = [employee]
    let club = entity("Club", [attribute("title", .stringAttributeType)])
    let account = entity("Account", [attribute("login", .stringAttributeType)])
    account.uniquenessConstraints = [["login"]]
    let palette = NSAttributeDescription()
    (palette.name, palette.attributeType, palette.isOptional) = ("palette", .transformableAttributeType, true)
    let place = NSCompositeAttributeDescription()
    (place.name, place.isOptional) = ("place", true)
    place.elements = [attribute("street", .stringAttributeType), attribute("number", .integer32AttributeType)]
    let drawing = entity("Drawing", [attribute("title", .stringAttributeType), palette, place])
    let layer = entity("Layer", [attribute("title", .stringAttributeType)])
    relate(drawing, "layers", 0, layer, "drawing", 1, .cascadeDeleteRule)
    drawing.relationshipsByName["layers"]?.isOrdered = true
    let passport = entity("Passport", [attribute("number", .integer64AttributeType)])
    let visa = entity("Visa", [attribute("country", .stringAttributeType)])
    relate(person, "boss", 1, person, "reports", 0)
    relate(person, "clubs", 0, club, "members", 0)
    relate(person, "passport", 1, passport, "holder", 1, .cascadeDeleteRule)
    relate(passport, "visas", 0, visa, "passport", 1, .denyDeleteRule)
    if derives { club.properties.append(derived("size", "members.@count", .integer64AttributeType)) }
    let model = NSManagedObjectModel()
    model.entities = [thing, person, employee, manager, club, account, drawing, layer, passport, visa]
    return model
  }

  private static func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = properties
    return entity
  }

  private static func derived(_ name: String, _ format: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSDerivedAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
    attribute.derivationExpression = NSExpression(format: format)
    return attribute
  }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
    return attribute
  }

  /// Relates two entities; a count of 0 is a to-many relationship.
  private static func relate(
    _ first: NSEntityDescription, _ name: String, _ count: Int, _ second: NSEntityDescription, _ backName: String,
    _ backCount: Int, _ rule: NSDeleteRule = .nullifyDeleteRule
  ) {
    let there = NSRelationshipDescription(), back = NSRelationshipDescription()
    (there.name, there.destinationEntity, there.maxCount, there.deleteRule) = (name, second, count, rule)
    (back.name, back.destinationEntity, back.maxCount, back.deleteRule) = (
      backName, first, backCount, .nullifyDeleteRule
    )
    (there.isOptional, back.isOptional) = (true, true)
    (there.inverseRelationship, back.inverseRelationship) = (back, there)
    first.properties.append(there)
    second.properties.append(back)
  }
}

extension NSManagedObjectContext {
  /// Inserts a new object with values.
  @discardableResult
  func make(_ name: String, _ values: [String: Any] = [:]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: name, into: self)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  /// Returns the objects that match a format, sorted.
  func find(_ name: String, _ format: String? = nil, _ arguments: [Any?] = [], by keys: [String] = []) throws
    -> [NSManagedObject]
  {
    let request = NSFetchRequest<NSManagedObject>(entityName: name)
    request.predicate = format.map { NSPredicate(format: $0, argumentArray: arguments.map { $0 ?? NSNull() }) }
    request.sortDescriptors = keys.map { key in
      let isDescending = key.hasPrefix("-")
      return NSSortDescriptor(key: isDescending ? String(key.dropFirst()) : key, ascending: !isDescending)
    }
    return try fetch(request)
  }

  /// Returns the one object that matches a format.
  func one(_ name: String, _ format: String? = nil, _ arguments: Any?...) throws -> NSManagedObject {
    let found = try find(name, format, arguments)
    try expect(found.count == 1, "\(name) \(format ?? ""): expected one object, found \(found.count)")
    return found[0]
  }
}

extension NSManagedObject {
  func names(_ relationship: String) -> [String] {
    let members = value(forKey: relationship) as? NSSet
    return (members?.allObjects ?? []).compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
      .sorted()
  }
}
