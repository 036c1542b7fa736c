import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// A context with every kind of change, a save that something is in the way of, and the same save once that is gone.
struct Obstacle {
  let context: NSManagedObjectContext
  private let new: NSManagedObject
  private let changed: NSManagedObject
  private let deleted: NSManagedObject

  /// A store of the library with two authors and their books, and changes to them that are not saved.
  static func store(_ url: URL, pragmas: [String: String] = [:]) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [NSSQLitePragmasOption: pragmas])
    try coordinator.inContext { context in
      for name in ["Ann", "Ben"] {
        let author = context.make("Author", ["name": name, "age": 1])
        for number in 0..<3 { _ = context.make("Book", ["title": "\(name) \(number)", "author": author]) }
      }
      try context.save()
    }
    return coordinator
  }

  /// Changes objects of `store` without saving.
  /// - Parameter bytes: how large the new book is.
  init(_ coordinator: NSPersistentStoreCoordinator, bytes: Int = 10) throws {
    context = TestModel.context(coordinator)
    let context = context
    (new, changed, deleted) = try context.performAndWait {
      let ann = try context.named("Ann", "Author"), ben = try context.named("Ben", "Author")
      let book = context.make(
        "Novel", ["title": "new", "author": ann, "cover": Data(repeating: 7, count: bytes)])
      book.setValue(Set([context.make("Tag", ["name": "red"])]), forKey: "tags")
      ann.setValue(50, forKey: "age")
      context.delete(ben)
      return (book, ann, ben)
    }
  }

  /// Saves, which must fail; then everything is as it was before, in the context and in what others read.
  /// - Parameter reads: whether the store can still be read.
  func fails(
    _ codes: Int..., path: String, reads: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try context.performAndWait {
      let error = #expect(throws: NSError.self, sourceLocation: sourceLocation) { try context.save() }
      #expect(error?.domain == NSCocoaErrorDomain, sourceLocation: sourceLocation)
      #expect(codes.contains(error?.code ?? 0), "\(String(describing: error))", sourceLocation: sourceLocation)
      #expect(error?.userInfo[NSFilePathErrorKey] as? String == path, sourceLocation: sourceLocation)
      #expect(error?.localizedDescription.contains(path) == true, sourceLocation: sourceLocation)
      #expect((error?.userInfo["reason"] as? String)?.isEmpty == false, sourceLocation: sourceLocation)
      #expect(context.insertedObjects.count == 2 && new.objectID.isTemporaryID, sourceLocation: sourceLocation)
      #expect(changed.number("age") == 50 && changed.hasChanges, sourceLocation: sourceLocation)
      #expect(deleted.isDeleted && context.deletedObjects.count == 4, sourceLocation: sourceLocation)
      #expect(new.one("author") === changed && changed.many("books").count == 4, sourceLocation: sourceLocation)
      if reads {
        let names = try context.names("Author", pending: false)
        #expect(names == ["Ann", "Ben"], sourceLocation: sourceLocation)
        #expect(try context.names("Author") == ["Ann"], sourceLocation: sourceLocation)
      }
    }
  }

  /// The same save succeeds, and the file has what was changed.
  func isGone(_ file: URL, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try context.performAndWait {
      try context.save()
      #expect(!context.hasChanges && !new.objectID.isTemporaryID, sourceLocation: sourceLocation)
    }
    #expect(try StoreCheck.errors(file) == [], sourceLocation: sourceLocation)
    let database = try PlainDatabase(file)
    #expect(try database.integrity() == ["ok"], sourceLocation: sourceLocation)
    #expect(try database.strings("SELECT ZNAME FROM ZAUTHOR") == ["Ann"], sourceLocation: sourceLocation)
    #expect(try database.rows("SELECT ZAGE, Z_OPT FROM ZAUTHOR") == [[.integer(50), .integer(2)]])
    #expect(try database.strings("SELECT ZTITLE FROM ZBOOK ORDER BY 1").count == 4, sourceLocation: sourceLocation)
    #expect(
      try database.rows("SELECT Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT").map(\.[0])
        == [.integer(2), .integer(7), .integer(0), .integer(1)], sourceLocation: sourceLocation)
  }
}
