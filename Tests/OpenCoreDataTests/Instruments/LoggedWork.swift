import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Work of which the log is known word for word. Runs in a process of its own.
enum LoggedWork {
  static func open(_ path: String) throws -> NSManagedObjectContext {
    let context = TestModel.context(try TestModel.coordinator(TestModel.library(), url: URL(fileURLWithPath: path)))
    context.faultBatchSize = 1
    return context
  }

  /// A store with two authors, the first of whom has two books.
  static func prepare(_ path: String) throws {
    let context = try open(path)
    try context.performAndWait {
      let ada = context.make("Author", ["name": "Ada", "age": 36])
      // Each by its own save, so that their keys are known.
      try context.save()
      context.insert("Author", ["name": "Bob", "age": 40])
      try context.save()
      for title in ["One", "Two"] {
        context.make("Book", ["title": title]).setValue(ada, forKey: "author")
        try context.save()
      }
    }
  }

  static func mark(_ text: String) { FileHandle.standardError.write(Data("== \(text)\n".utf8)) }

  /// A fetch, a count, faults of an object and a relationship, a prefetch, and a save.
  static func run(_ path: String) throws {
    let context = try open(path)
    try context.performAndWait {
      mark("fetch")
      let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
      request.predicate = NSPredicate(format: "age > 18")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      let authors = try context.fetch(request)
      mark("count")
      _ = try context.count(for: request)
      mark("to-many fault")
      let books = authors[0].value(forKey: "books") as! Set<NSManagedObject>
      mark("fault")
      _ = books.min { $0.objectID.uriRepresentation().path < $1.objectID.uriRepresentation().path }?
        .value(forKey: "title")
      mark("prefetch")
      context.reset()
      let all = NSFetchRequest<NSManagedObject>(entityName: "Author")
      all.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      all.relationshipKeyPathsForPrefetching = ["books"]
      let adas = try context.fetch(all)
      mark("save")
      adas[0].setValue(37, forKey: "age")
      try context.save()
      mark("end")
    }
  }

  /// Opens the store with a model in which authors have a nickname.
  static func migrate(_ path: String) throws {
    let model = TestModel.library()
    model.entitiesByName["Author"]!.properties.append(TestModel.attribute("nickname", .stringAttributeType))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
      options: [
        NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
      ])
  }

  /// What differs from run to run is made the same. When read transactions end and begin is a matter of time: the lines of
  /// these are left out.
  static func normalized(_ text: String) -> String {
    text.replacing(/CoreData: sql: (BEGIN|COMMIT)\n/, with: "")
      .replacing(/CoreData: sql: PRAGMA data_version\nCoreData: annotation: sql execution time: .*\n/, with: "")
      .replacing(/\d+\.\d{4}s/, with: "0.0000s").replacing(/0x[0-9a-f]+/, with: "0x0")
      .replacing(/[0-9A-F]{8}-[0-9A-F-]{27}/, with: "UUID").replacing(/\/[^" ]*\/Store/, with: "/Store")
      .replacing(/x'[0-9A-Fa-f]{64,}'/, with: "x'...'").replacing(/<\d+ bytes>/, with: "<bytes>")
  }
}
