import CoreData
import Foundation
import Testing

/// The ways in which published code hands work to a context: from the main actor, from an actor, from a detached task.
@Suite struct PerformSourceTests {
  private static func container() -> NSPersistentContainer {
    let name = NSAttributeDescription()
    (name.name, name.attributeType, name.isOptional) = ("name", .stringAttributeType, true)
    let person = NSEntityDescription()
    (person.name, person.properties) = ("Person", [name])
    let model = NSManagedObjectModel()
    model.entities = [person]
    let container = NSPersistentContainer(name: "People", managedObjectModel: model)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))]
    container.loadPersistentStores { _, error in
      if let error { fatalError("\(error)") }
    }
    return container
  }

  private static func insert(_ name: String, _ context: NSManagedObjectContext) -> NSManagedObject {
    let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
    person.setValue(name, forKey: "name")
    return person
  }

  private static func count(_ context: NSManagedObjectContext) throws -> Int {
    try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person"))
  }

  /// Not Sendable: what a block makes crosses to the caller once.
  private final class Report {
    var lines: [String] = []
  }

  private enum Failure: Error { case empty }

  @MainActor private final class ViewModel {
    let container = PerformSourceTests.container()
    var names: [String] = []
    var isLoading = false

    init() {}

    func load() async throws {
      isLoading = true
      defer { isLoading = false }
      let context = container.viewContext
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      names = try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
      names += await context.perform { ["view"] }
      let id = try await container.performBackgroundTask { context in
        let person = PerformSourceTests.insert("Ann", context)
        try context.save()
        return person.objectID
      }
      let person = try context.existingObject(with: id)
      names.append(person.value(forKey: "name") as? String ?? "")
      let report = try await context.perform(schedule: .enqueued) { () -> Report in
        let report = Report()
        report.lines = ["\(try PerformSourceTests.count(context))"]
        return report
      }
      report.lines.append("more")
      names += report.lines
      names.append(context.performAndWait { "waited" })
    }

    func callBack() async -> Int {
      let context = container.newBackgroundContext()
      return await withCheckedContinuation { continuation in
        context.perform {
          _ = PerformSourceTests.insert("Bob", context)
          continuation.resume(returning: context.insertedObjects.count)
        }
      }
    }
  }

  private actor Importer {
    private let context: NSManagedObjectContext
    private(set) var total = 0

    init(_ container: NSPersistentContainer) { context = container.newBackgroundContext() }

    func run(_ names: [String]) async throws -> Int {
      let context = context
      let added = try await context.perform {
        for name in names { _ = PerformSourceTests.insert(name, context) }
        try context.save()
        return names.count
      }
      total += added
      try context.performAndWait { total += try PerformSourceTests.count(context) }
      return await context.perform { context.registeredObjects.count } + added
    }

    func fail() async throws {
      try await context.perform { () throws(Failure) in throw .empty }
    }
  }

  @Test func mainActorMethods() async throws {
    let model = await ViewModel()
    try await model.load()
    #expect(await model.names == ["view", "Ann", "1", "more", "waited"])
    #expect(await model.callBack() == 1)
  }

  @Test func actors() async throws {
    let importer = Importer(Self.container())
    #expect(try await importer.run(["a", "b"]) >= 2)
    #expect(await importer.total == 4)
    await #expect(throws: Failure.self) { try await importer.fail() }
  }

  @Test func detachedTasks() async throws {
    let container = Self.container()
    let total = try await Task.detached(priority: .background) {
      let context = container.newBackgroundContext()
      let report = try await context.perform {
        let report = Report()
        _ = PerformSourceTests.insert("a", context)
        try context.save()
        report.lines.append("\(try PerformSourceTests.count(context))")
        return report
      }
      await container.performBackgroundTask { context in context.name = "task" }
      return report.lines
    }.value
    #expect(total == ["1"])
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          await container.viewContext.perform { _ = PerformSourceTests.insert("\(number)", container.viewContext) }
        }
      }
    }
    #expect(await container.viewContext.perform { container.viewContext.insertedObjects.count } == 4)
  }

  /// A block of `perform` that throws one type of error needs no `catch` for others. `performAndWait` rethrows, as
  /// Apple's does.
  @Test func typedErrors() async {
    let context = Self.container().newBackgroundContext()
    do throws(Failure) {
      try await context.perform { () throws(Failure) in throw .empty }
    } catch {
      switch error {
      case .empty: break
      }
    }
    #expect(throws: Failure.empty) { try context.performAndWait { throw Failure.empty } }
  }

  @Test func cancellation() async {
    let context = Self.container().newBackgroundContext()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await context.perform { try PerformSourceTests.count(context) }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
