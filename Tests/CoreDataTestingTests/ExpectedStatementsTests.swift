import CoreData
import CoreDataTesting
import Testing

/// Budgets of statements: what counts, and what a failure says.
@Suite struct ExpectedStatementsTests {
  private static func model() -> NSManagedObjectModel {
    let name = NSAttributeDescription()
    name.name = "name"
    name.attributeType = .stringAttributeType
    let author = NSEntityDescription()
    author.name = "Author"
    author.properties = [name]
    let model = NSManagedObjectModel()
    model.entities = [author]
    return model
  }

  /// A container with so many authors, none of whom is in memory.
  private static func container(_ count: Int = 3) throws -> TestContainer {
    let container = try TestContainer.inMemory(model())
    let context = container.newBackgroundContext()
    try context.performAndWait {
      for number in 0..<count {
        NSEntityDescription.insertNewObject(forEntityName: "Author", into: context).setValue(
          "\(number)", forKey: "name")
      }
      try context.save()
    }
    return container
  }

  private static func fetch(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try context.performAndWait { try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")) }
  }

  @Test func withinTheBudget() throws {
    let context = try Self.container().newBackgroundContext()
    let authors = try expectStatements(atMost: 1) { try Self.fetch(context) }
    #expect(authors.count == 3)
    try expectStatements(exactly: 2, counting: .reading) { for _ in 0..<2 { _ = try Self.fetch(context) } }
    expectNoStatements { context.performAndWait { for author in authors { _ = author.value(forKey: "name") } } }
    try expectStatements(exactly: 0, counting: .writing) { _ = try Self.fetch(context) }
  }

  @Test func savesAreWritten() throws {
    let context = try Self.container().newBackgroundContext()
    try context.performAndWait {
      let author = try Self.fetch(context)[0]
      author.setValue("Ada", forKey: "name")
      try expectStatements(exactly: 1, counting: .writing) { try context.save() }
      expectNoStatements { context.delete(author) }
      let (_, statements) = try collectStatements(counting: .writing) { try context.save() }
      #expect(statements.count == 1 && statements[0].hasPrefix("DELETE FROM ZAUTHOR"))
    }
  }

  @Test func aFailureListsTheStatements() throws {
    let context = try Self.container().newBackgroundContext()
    try withKnownIssue { () throws -> Void in
      try expectStatements(atMost: 1, "too many") { for _ in 0..<2 { _ = try Self.fetch(context) } }
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      return text.contains("too many: 2 statements ran, where at most 1 were expected:")
        && text.contains("  1. SELECT") && text.contains("  2. SELECT") && text.contains("FROM ZAUTHOR")
        && issue.sourceLocation?.fileName == "ExpectedStatementsTests.swift"
    }
    Self.expectFailure { try expectStatements(exactly: 2) { try Self.fetch(context) } }
    Self.expectFailure { try expectNoStatements { try Self.fetch(context) } }
  }

  /// There are two of `withKnownIssue`, and of `expectStatements`.
  private static func expectFailure<Result>(_ body: () throws -> Result) {
    withKnownIssue { () throws -> Void in _ = try body() }
  }

  @Test func asynchronousWork() async throws {
    let context = try Self.container().newBackgroundContext()
    let count = try await expectStatements(exactly: 1) {
      try await context.perform { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author")) }
    }
    #expect(count == 3)
    await withKnownIssue {
      try await expectStatements(atMost: 0) {
        _ = try await context.perform { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author")) }
      }
    }
  }

  @MainActor @Test func onTheMainActor() async throws {
    let container = try Self.container()
    var names: [String] = []
    try await expectStatements(atMost: 1) {
      names = try Self.fetch(container.viewContext).compactMap { $0.value(forKey: "name") as? String }
      await Task.yield()
    }
    #expect(names.sorted() == ["0", "1", "2"])
  }

  @Test func otherTestsDoNotCount() async throws {
    let container = try Self.container().container
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let context = container.newBackgroundContext()
          for _ in 0..<20 { try expectStatements(exactly: 1) { _ = try Self.fetch(context) } }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func whatTheBodyThrows() throws {
    #expect(throws: CancellationError.self) { try expectStatements(atMost: 1) { throw CancellationError() } }
  }

  @Test func containersInFilesGoWithTheirFolder() throws {
    var container: TestContainer? = try TestContainer.temporaryFile(Self.model(), name: "Shelf") {
      $0.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    }
    let folder = try #require(container?.folder), url = try #require(container?.url)
    #expect(url.lastPathComponent == "Shelf.sqlite" && FileManager.default.fileExists(atPath: url.path))
    let description = try #require(container?.container.persistentStoreDescriptions.first)
    #expect(description.options[NSPersistentHistoryTrackingKey] as? Bool == true)
    container = nil
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    #expect(try TestContainer.inMemory(Self.model()).folder == nil)
  }
}
