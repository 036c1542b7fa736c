import CoreData
import Foundation
import Testing

/// The stack as an application sets it up, with the names and signatures that published code uses.
@Suite struct StackSourceTests {
  private static func model() -> NSManagedObjectModel {
    let name = NSAttributeDescription()
    name.name = "name"
    name.attributeType = .stringAttributeType
    name.isOptional = true
    let person = NSEntityDescription()
    person.name = "Person"
    person.managedObjectClassName = NSStringFromClass(NSManagedObject.self)
    person.properties = [name]
    let model = NSManagedObjectModel()
    model.entities = [person]
    return model
  }

  private static func container() -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "People", managedObjectModel: model())
    let description = NSPersistentStoreDescription()
    description.url = URL(fileURLWithPath: "/dev/null")
    description.shouldAddStoreAsynchronously = false
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { description, error in
      if let error = error as NSError? { fatalError("Unresolved error \(error), \(error.userInfo)") }
    }
    container.viewContext.name = "view"
    return container
  }

  /// Names of all people, fetched where the context's queue is.
  private static func names(_ context: NSManagedObjectContext) throws -> [String] {
    let request: NSFetchRequest<NSManagedObject> = NSFetchRequest(entityName: "Person")
    request.predicate = NSPredicate(format: "name != nil")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
  }

  @MainActor private final class Screen {
    let container = StackSourceTests.container()
    var title = ""

    init() {}

    func load(_ name: String) async throws {
      let context = container.newBackgroundContext()
      try await context.perform {
        let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
        person.setValue(name, forKey: "name")
        try context.save()
      }
      title = try await context.perform { try StackSourceTests.names(context).joined(separator: ", ") }
    }
  }

  private actor Importer {
    let container: NSPersistentContainer
    var done = 0
    init(_ container: NSPersistentContainer) { self.container = container }

    func add(_ names: [String]) async throws -> Int {
      done += try await container.performBackgroundTask { context in
        for name in names {
          NSEntityDescription.insertNewObject(forEntityName: "Person", into: context).setValue(name, forKey: "name")
        }
        try context.save()
        return names.count
      }
      return done
    }
  }

  @Test func performFromAMainActorMethod() async throws {
    let screen = await Screen()
    try await screen.load("Ann")
    #expect(await screen.title == "Ann")
  }

  @Test func performFromAnActor() async throws {
    let container = Self.container()
    let importer = Importer(container)
    #expect(try await importer.add(["a", "b"]) == 2)
    #expect(try await importer.add(["c"]) == 3)
    let context = container.newBackgroundContext()
    #expect(try await context.perform { try Self.names(context) } == ["a", "b", "c"])
  }

  @Test func performFromADetachedTask() async throws {
    let container = Self.container()
    let names = try await Task.detached {
      let context = container.newBackgroundContext()
      return try await context.perform(schedule: .enqueued) {
        let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
        person.setValue("Ann", forKey: "name")
        try context.save()
        return try Self.names(context)
      }
    }.value
    #expect(names == ["Ann"])
  }

  @Test func errorsComeOutOfPerform() async throws {
    struct Failure: Error {}
    let context = Self.container().newBackgroundContext()
    await #expect(throws: Failure.self) { try await context.perform { throw Failure() } }
    #expect(throws: Failure.self) { try context.performAndWait { throw Failure() } }
    let count = await context.perform { context.registeredObjects.count }
    #expect(count == 0)
  }

  @Test func callbacks() async throws {
    let container = Self.container()
    await withCheckedContinuation { continuation in
      container.performBackgroundTask { context in
        let person = NSManagedObject(
          entity: container.managedObjectModel.entitiesByName["Person"]!, insertInto: context)
        person.setValue("Ann", forKey: "name")
        do { try context.save() } catch { Issue.record(error) }
        continuation.resume()
      }
    }
    let context = container.newBackgroundContext()
    await withCheckedContinuation { continuation in
      context.perform {
        #expect((try? Self.names(context)) == ["Ann"])
        continuation.resume()
      }
    }
  }
}
