import CoreData

/// A model with every kind of relationship, and helpers for tests that work in it.
enum Society {
  /// People (employees and managers among them) with a boss, a partner, friends, a passport, clubs and a home.
  static func model() -> NSManagedObjectModel {
    let alias = TestModel.attribute("alias", .stringAttributeType, "none")
    alias.isTransient = true
    let count = TestModel.attribute("visits", .integer64AttributeType, 3)
    count.isTransient = true
    let person = TestModel.entity(
      "Person",
      [
        TestModel.attribute("name", .stringAttributeType), TestModel.attribute("age", .integer16AttributeType, 7),
        TestModel.attribute("number", .integer64AttributeType), alias, count,
      ])
    let employee = TestModel.entity(
      "Employee", [TestModel.attribute("salary", .decimalAttributeType)], parent: person)
    let manager = TestModel.entity("Manager", [TestModel.attribute("level", .integer32AttributeType)], parent: employee)
    let passport = TestModel.entity(
      "Passport",
      [TestModel.attribute("number", .integer64AttributeType), TestModel.attribute("tag", .integer64AttributeType)])
    let club = TestModel.entity(
      "Club",
      [
        TestModel.attribute("name", .stringAttributeType), TestModel.attribute("number", .integer64AttributeType),
        TestModel.attribute("tag", .integer64AttributeType),
      ])
    let house = TestModel.entity("House", [TestModel.attribute("street", .stringAttributeType)])
    TestModel.relate(person, "boss", max: 1, person, "reports", max: 0)
    TestModel.relate(person, "passport", max: 1, passport, "holder", max: 1, rule: .cascadeDeleteRule)
    TestModel.relate(person, "clubs", max: 0, club, "members", max: 0)
    relateToItself(person, "friends", max: 0)
    relateToItself(person, "partner", max: 1)
    let home = NSRelationshipDescription()
    (home.name, home.destinationEntity, home.maxCount, home.isOptional) = ("home", house, 1, true)
    person.properties.append(home)
    let model = NSManagedObjectModel()
    model.entities = [person, employee, manager, passport, club, house]
    return model
  }

  private static func relateToItself(_ entity: NSEntityDescription, _ name: String, max: Int) {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.destinationEntity, relationship.maxCount) = (name, entity, max)
    relationship.isOptional = true
    relationship.inverseRelationship = relationship
    entity.properties.append(relationship)
  }

  /// A parent with children under one delete rule.
  static func family(_ rule: NSDeleteRule, childRule: NSDeleteRule = .nullifyDeleteRule) -> NSManagedObjectModel {
    let parent = TestModel.entity("Parent", [TestModel.attribute("name", .stringAttributeType)])
    let child = TestModel.entity("Child", [TestModel.attribute("name", .stringAttributeType)])
    TestModel.relate(parent, "children", max: 0, child, "parent", max: 1, rule: rule, inverseRule: childRule)
    let model = NSManagedObjectModel()
    model.entities = [parent, child]
    return model
  }

  static func coordinator(_ store: TestStore = .sqlite, url: URL? = nil) throws -> NSPersistentStoreCoordinator {
    try store.coordinator(model(), url: url)
  }
}

extension NSPersistentStoreCoordinator {
  /// Runs `body` in a new context of this coordinator.
  func inContext<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let context = TestModel.context(self)
    return try context.performAndWait { try body(context) }
  }
}

extension NSManagedObject {
  func one(_ key: String) -> NSManagedObject? { value(forKey: key) as? NSManagedObject }

  func many(_ key: String) -> Set<NSManagedObject> {
    Set((value(forKey: key) as? NSSet)?.allObjects.compactMap { $0 as? NSManagedObject } ?? [])
  }

  func text(_ key: String) -> String? { value(forKey: key) as? String }

  func number(_ key: String) -> Int? { (value(forKey: key) as? NSNumber)?.intValue }
}

extension NSManagedObjectContext {
  /// The one object of that entity with that name.
  func named(_ name: String, _ entity: String = "Person") throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "name == %@", name)
    guard let object = try fetch(request).first else { throw CocoaError(.fileReadNoSuchFile) }
    return object
  }

  func names(_ entity: String, where format: String? = nil, pending: Bool = true, subentities: Bool = true) throws
    -> [String]
  {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = format.map { NSPredicate(format: $0) }
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    request.includesPendingChanges = pending
    request.includesSubentities = subentities
    return try fetch(request).map { $0.text("name") ?? "nil" }
  }
}
