import CSQLite
import CoreData
import Foundation

/// A store of persons and their things in a folder of its own, removed with this object.
final class Shop {
  let folder: URL
  let store: URL
  private(set) var coordinator: NSPersistentStoreCoordinator?
  private let type: String
  private let model: NSManagedObjectModel

  /// Persons `P0`... of whom each has as many things, a friend and the ages 0, 1, ...
  /// - Parameter stays: Whether the program that has made it has it still open.
  init(
    persons: Int = 3, things: Int = 2, type: String = NSSQLiteStoreType, hasHistory: Bool = false, stays: Bool = false,
    model: NSManagedObjectModel = Shop.model(), at place: URL? = nil
  ) throws {
    (self.type, self.model) = (type, model)
    folder = FileManager.default.temporaryDirectory.appending(path: "CoreDataToolsTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    store = place ?? folder.appending(path: "Shop.sqlite")
    try open(hasHistory: hasHistory)
    try write { context in
      var people: [NSManagedObject] = []
      for number in 0..<persons {
        let person = Self.make("Person", in: context, ["name": "P\(number)", "age": number, "isNew": number % 2 == 0])
        let own = (0..<things).map { Self.make($0 % 2 == 0 ? "Thing" : "Toy", in: context, ["title": "T\($0)"]) }
        // Not in the order of their keys.
        person.setValue(NSOrderedSet(array: own.reversed()), forKey: "things")
        people.append(person)
      }
      for (number, person) in people.enumerated() where people.count > 1 {
        person.setValue(NSSet(object: people[(number + 1) % people.count]), forKey: "friends")
      }
    }
    if !stays { try close() }
  }

  deinit {
    try? close()
    try? FileManager.default.removeItem(at: folder)
  }

  func open(hasHistory: Bool = false) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: store,
      options: hasHistory ? [NSPersistentHistoryTrackingKey: NSNumber(value: true)] : nil)
    self.coordinator = coordinator
  }

  func close() throws {
    for store in coordinator?.persistentStores ?? [] { try coordinator?.remove(store) }
    coordinator = nil
  }

  /// Saves what `body` changes, as another program would.
  func write(author: String? = nil, _ body: (NSManagedObjectContext) throws -> Void) throws {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      context.transactionAuthor = author
      try body(context)
      try context.save()
    }
  }

  @discardableResult static func make(
    _ entity: String, in context: NSManagedObjectContext, _ values: [String: Any]
  ) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  static func person(_ name: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.predicate = NSPredicate(format: "name == %@", name)
    return try context.fetch(request)[0]
  }

  /// Every file in the folder, with its bytes.
  func contents() throws -> [String: Data] {
    var result: [String: Data] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
      result[name] = FileManager.default.contents(atPath: folder.appending(path: name).path) ?? Data()
    }
    return result
  }

  /// Runs a statement that gives a number.
  func number(_ sql: String) throws -> Int64 {
    var database: OpaquePointer?, statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(database)
    }
    guard sqlite3_open(store.path, &database) == SQLITE_OK,
      sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW
    else { throw CocoaError(.fileReadUnknown, userInfo: ["reason": String(cString: sqlite3_errmsg(database))]) }
    return sqlite3_column_int64(statement, 0)
  }

  // MARK: The model

  /// - Parameter adding: The names of further attributes of Person.
  static func model(adding: String...) -> NSManagedObjectModel { model(adding: adding) }

  static func model(adding: [String]) -> NSManagedObjectModel {
    func attribute(_ name: String, _ type: NSAttributeType, _ optional: Bool = true) -> NSAttributeDescription {
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, optional)
      return attribute
    }
    func relationship(_ name: String, _ entity: NSEntityDescription, isMany: Bool) -> NSRelationshipDescription {
      let relationship = NSRelationshipDescription()
      (relationship.name, relationship.destinationEntity, relationship.isOptional) = (name, entity, true)
      relationship.maxCount = isMany ? 0 : 1
      return relationship
    }
    let person = NSEntityDescription(), thing = NSEntityDescription(), toy = NSEntityDescription()
    let note = NSEntityDescription()
    (person.name, thing.name, toy.name, note.name) = ("Person", "Thing", "Toy", "Note")
    let things = relationship("things", thing, isMany: true), owner = relationship("owner", person, isMany: false)
    things.isOrdered = true
    (things.inverseRelationship, owner.inverseRelationship) = (owner, things)
    let kind = attribute("kind", .stringAttributeType)
    kind.setValidationPredicates([NSPredicate(format: "SELF IN {'adult', 'child'}")], withValidationWarnings: ["kind"])
    let color = attribute("color", .stringAttributeType)
    color.userInfo = ["values": "red, green"]
    person.properties =
      [
        attribute("name", .stringAttributeType, false), attribute("age", .integer32AttributeType),
        attribute("isNew", .booleanAttributeType), attribute("born", .dateAttributeType), kind, color, things,
        relationship("friends", person, isMany: true),
      ] + adding.map { attribute($0, .stringAttributeType) }
    thing.properties = [attribute("title", .stringAttributeType), owner]
    thing.subentities = [toy]
    note.properties = [attribute("text", .stringAttributeType), relationship("about", thing, isMany: false)]
    let model = NSManagedObjectModel()
    model.entities = [person, thing, toy, note]
    return model
  }
}
