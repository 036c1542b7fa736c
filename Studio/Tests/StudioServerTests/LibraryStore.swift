import CoreData
import Foundation

/// A store of books with every kind of attribute, their authors, tags and loans, in a folder of its own, for tests that write.
final class LibraryStore: @unchecked Sendable {  // used by one test, in turns
  let folder: URL
  let url: URL
  private let model = LibraryStore.model()

  /// Two authors with two books each; the first book is lent out.
  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("studio-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appendingPathComponent("Library.sqlite")
    try write { context in
      for number in 1...2 {
        let author = Self.make("Author", ["name": "Author \(number)"], context)
        for place in 1...2 {
          let book = Self.make(
            "Book",
            [
              "title": "Book \(number).\(place)", "pages": 100 * place, "password": "secret of \(number).\(place)",
              "published": Date(timeIntervalSinceReferenceDate: 0.123456), "author": author, "kind": "novel",
            ], context)
          if number == 1, place == 1 { _ = Self.make("Loan", ["reader": "Ann", "book": book], context) }
        }
      }
      _ = Self.make("Tag", ["name": "old"], context)
      _ = Self.make("Tag", ["name": "new"], context)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Changes the store as another program does.
  func write(_ body: (NSManagedObjectContext) throws -> Void) throws {
    try with { context in
      try body(context)
      try context.save()
    }
  }

  /// Looks at what is in the store.
  func with<Value>(_ body: (NSManagedObjectContext) throws -> Value) throws -> Value {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: [NSPersistentHistoryTrackingKey: true as NSNumber])
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    defer { try? coordinator.remove(store) }
    return try context.performAndWait { try body(context) }
  }

  /// A book by its title, and a value of it.
  func value(_ key: String, of title: String) throws -> Any? {
    try with { try Self.book(title, $0)?.value(forKey: key) }
  }

  /// The name of a book as addresses have it.
  func path(of title: String) throws -> String {
    try with { context in
      let uri = try Self.book(title, context)?.objectID.uriRepresentation()
      return uri.map { String($0.path.dropFirst()) } ?? ""
    }
  }

  static func book(_ title: String, _ context: NSManagedObjectContext) throws -> NSManagedObject? {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.predicate = NSPredicate(format: "title == %@", title)
    return try context.fetch(request).first
  }

  func count(_ entity: String) throws -> Int {
    try with { try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: entity)) }
  }

  static func make(_ entity: String, _ values: [String: Any], _ context: NSManagedObjectContext) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  // MARK: The model

  private static func attribute(_ name: String, _ type: NSAttributeType, optional: Bool = true)
    -> NSAttributeDescription
  {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, optional)
    return attribute
  }

  private static func relationship(
    _ name: String, _ entity: NSEntityDescription, isMany: Bool, optional: Bool = true, _ rule: NSDeleteRule
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.destinationEntity, relationship.isOptional) = (name, entity, optional)
    (relationship.maxCount, relationship.deleteRule) = (isMany ? 0 : 1, rule)
    return relationship
  }

  static func model() -> NSManagedObjectModel {
    let book = NSEntityDescription(), author = NSEntityDescription(), tag = NSEntityDescription()
    let loan = NSEntityDescription()
    (book.name, author.name, tag.name, loan.name) = ("Book", "Author", "Tag", "Loan")
    let pages = attribute("pages", .integer16AttributeType)
    pages.setValidationPredicates(
      [NSPredicate(format: "SELF >= 1"), NSPredicate(format: "SELF <= 5000")],
      withValidationWarnings: ["pages is too small.", "pages is too large."])
    pages.defaultValue = 1
    let kind = attribute("kind", .stringAttributeType)
    kind.setValidationPredicates([NSPredicate(format: "SELF IN {'novel', 'poems'}")], withValidationWarnings: ["kind"])
    let password = attribute("password", .stringAttributeType)
    password.userInfo = [OCDSecretAttributeKey: "YES"]
    let notes = attribute("notes", .transformableAttributeType)
    notes.valueTransformerName = "NSSecureUnarchiveFromData"
    let written = relationship("author", author, isMany: false, optional: false, .nullifyDeleteRule)
    let books = relationship("books", book, isMany: true, .cascadeDeleteRule)
    books.isOrdered = true
    (written.inverseRelationship, books.inverseRelationship) = (books, written)
    let tags = relationship("tags", tag, isMany: true, .nullifyDeleteRule)
    let tagged = relationship("books", book, isMany: true, .nullifyDeleteRule)
    (tags.inverseRelationship, tagged.inverseRelationship) = (tagged, tags)
    let loans = relationship("loans", loan, isMany: true, .denyDeleteRule)
    let lent = relationship("book", book, isMany: false, .nullifyDeleteRule)
    (loans.inverseRelationship, lent.inverseRelationship) = (lent, loans)
    let size = NSCompositeAttributeDescription()
    (size.name, size.isOptional) = ("size", true)
    size.elements = [attribute("height", .doubleAttributeType), attribute("width", .doubleAttributeType)]
    book.properties = [
      attribute("title", .stringAttributeType, optional: false), attribute("summary", .stringAttributeType), pages,
      kind,
      attribute("price", .decimalAttributeType), attribute("weight", .doubleAttributeType),
      attribute("isRead", .booleanAttributeType), attribute("published", .dateAttributeType),
      attribute("code", .UUIDAttributeType), attribute("site", .URIAttributeType),
      attribute("cover", .binaryDataAttributeType), password, notes, size, written, tags, loans,
    ]
    author.properties = [attribute("name", .stringAttributeType), books]
    tag.properties = [attribute("name", .stringAttributeType), tagged]
    tag.uniquenessConstraints = [["name"]]
    loan.properties = [attribute("reader", .stringAttributeType), lent]
    let model = NSManagedObjectModel()
    model.entities = [book, author, tag, loan]
    return model
  }
}
