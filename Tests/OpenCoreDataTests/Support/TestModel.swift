import CoreData

/// Models and containers for tests, made in code.
enum TestModel {
  static func attribute(_ name: String, _ type: NSAttributeType, optional: Bool = true, _ value: Any? = nil)
    -> NSAttributeDescription
  {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = optional
    attribute.defaultValue = value
    return attribute
  }

  static func entity(_ name: String, _ properties: [NSPropertyDescription], parent: NSEntityDescription? = nil)
    -> NSEntityDescription
  {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = properties
    if let parent { parent.subentities.append(entity) }
    return entity
  }

  /// Relates two entities; a count of 0 is a to-many relationship.
  static func relate(
    _ first: NSEntityDescription, _ firstName: String, max firstMax: Int, _ second: NSEntityDescription,
    _ secondName: String, max secondMax: Int, rule: NSDeleteRule = .nullifyDeleteRule,
    inverseRule: NSDeleteRule = .nullifyDeleteRule
  ) {
    let there = NSRelationshipDescription(), back = NSRelationshipDescription()
    (there.name, there.destinationEntity, there.maxCount, there.deleteRule) = (firstName, second, firstMax, rule)
    (back.name, back.destinationEntity, back.maxCount, back.deleteRule) = (secondName, first, secondMax, inverseRule)
    there.isOptional = true
    back.isOptional = true
    there.inverseRelationship = back
    back.inverseRelationship = there
    first.properties.append(there)
    second.properties.append(back)
  }

  /// Authors write books (one to many, cascade), books carry tags (many to many), novels are books.
  static func library() -> NSManagedObjectModel {
    let author = entity("Author", [attribute("name", .stringAttributeType), attribute("age", .integer16AttributeType)])
    let book = entity(
      "Book",
      [
        attribute("title", .stringAttributeType, optional: false, ""), attribute("pages", .integer32AttributeType),
        attribute("price", .decimalAttributeType), attribute("published", .dateAttributeType),
        attribute("isbn", .UUIDAttributeType), attribute("cover", .binaryDataAttributeType),
        attribute("weight", .doubleAttributeType), attribute("inPrint", .booleanAttributeType),
        attribute("link", .URIAttributeType),
      ])
    let novel = entity("Novel", [attribute("genre", .stringAttributeType)], parent: book)
    let tag = entity("Tag", [attribute("name", .stringAttributeType)])
    relate(author, "books", max: 0, book, "author", max: 1, rule: .cascadeDeleteRule)
    relate(book, "tags", max: 0, tag, "books", max: 0)
    let model = NSManagedObjectModel()
    model.entities = [author, book, novel, tag]
    return model
  }

  /// A coordinator with one store of `model`: private, or at `url`.
  static func coordinator(_ model: NSManagedObjectModel, url: URL? = nil) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url ?? URL(fileURLWithPath: "/dev/null"))
    return coordinator
  }

  static func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  static func temporaryFile(_ name: String = "Store.sqlite") throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ocd-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appendingPathComponent(name)
  }
}

extension NSManagedObject {
  /// Sets a property; the members of a to-many relationship may come as an array.
  func set(_ value: Any?, forKey key: String) {
    guard let members = value as? [NSManagedObject] else { return setValue(value, forKey: key) }
    let isOrdered = entity.relationshipsByName[key]?.isOrdered == true
    setValue(isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: key)
  }
}

extension NSManagedObjectContext {
  /// A new object of the entity of that name.
  func make(_ name: String, _ values: [String: Any] = [:]) -> NSManagedObject {
    let entity = persistentStoreCoordinator!.managedObjectModel.entitiesByName[name]!
    let object = NSManagedObject(entity: entity, insertInto: self)
    for (key, value) in values { object.set(value, forKey: key) }
    return object
  }

  /// A new object of the entity's class.
  @discardableResult
  func insert(_ name: String, _ values: [String: Any] = [:]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: name, into: self)
    for (key, value) in values { object.set(value, forKey: key) }
    return object
  }

  func all(_ name: String, sortedBy key: String? = nil) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: name)
    request.sortDescriptors = key.map { [NSSortDescriptor(key: $0, ascending: true)] }
    return try fetch(request)
  }
}
