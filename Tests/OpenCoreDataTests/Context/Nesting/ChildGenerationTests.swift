import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Children read the query generation of the context at the top.
@Suite struct ChildGenerationTests {
  private let coordinator: NSPersistentStoreCoordinator
  private let root: NSManagedObjectContext
  private let child: NSManagedObjectContext
  private let writer: NSManagedObjectContext

  init() throws {
    coordinator = try TestModel.coordinator(TestModel.library(), url: try TestModel.temporaryFile())
    root = TestModel.context(coordinator)
    writer = TestModel.context(coordinator)
    let middle = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    middle.parent = root
    child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = middle
    let writer = writer
    try writer.performAndWait { () throws in
      for name in ["A", "B"] { _ = writer.make("Author", ["name": name, "age": 30]) }
      try writer.save()
    }
  }

  private func setAge(_ age: Int) throws {
    let writer = writer
    try writer.performAndWait { () throws in
      for author in try writer.all("Author") { author.setValue(age, forKey: "age") }
      _ = writer.make("Author", ["name": "\(age)", "age": age])
      try writer.save()
    }
  }

  private func ages(_ context: NSManagedObjectContext) throws -> [Int] {
    try context.performAndWait { () throws in
      context.refreshAllObjects()
      return try context.all("Author", sortedBy: "name").map { $0.number("age") ?? -1 }
    }
  }

  @Test func aChildReadsWhatTheContextAtTheTopSees() throws {
    try root.performAndWait { try root.setQueryGenerationFrom(.current) }
    #expect(try ages(child) == [30, 30])
    child.performAndWait { #expect(child.queryGenerationToken == nil) }
    let token = try #require(root.performAndWait { root.queryGenerationToken })
    #expect(token != .current, "the child's read has pinned it")
    try setAge(40)
    coordinator.emptyRowCache()
    #expect(try ages(child) == [30, 30])
    #expect(try ages(root) == [30, 30])
    try root.performAndWait { try root.setQueryGenerationFrom(.current) }
    #expect(try ages(child).suffix(2) == [40, 40])
    try setAge(50)
    #expect(try ages(child).suffix(2) == [40, 40])
    try root.performAndWait { try root.setQueryGenerationFrom(nil) }
    #expect(try ages(child).suffix(2) == [50, 50])
  }

  /// Faults of one fetch, fired in a later block, too.
  @Test func faultsOfAChildAreOfThatState() throws {
    try root.performAndWait { try root.setQueryGenerationFrom(.current) }
    let authors = try child.performAndWait { () throws in try child.all("Author") }
    try setAge(40)
    coordinator.emptyRowCache()
    child.performAndWait {
      #expect(authors.map { $0.number("age") } == [30, 30])
    }
  }

  @Test func aChildThatStandsStillHoldsNoGeneration() throws {
    let store = try #require(coordinator.sqlStores.first)
    try root.performAndWait { try root.setQueryGenerationFrom(.current) }
    #expect(try ages(child) == [30, 30])
    try root.performAndWait { try root.setQueryGenerationFrom(nil) }
    try setAge(40)
    store.readers.takeBackIdle()
    #expect(store.readers.oldestCommit() == .max)
  }

  @Test func settingItOnAChildIsAProgrammingError() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let tests = try ChildGenerationTests()
      try tests.child.performAndWait { try tests.child.setQueryGenerationFrom(.current) }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("A context with a parent reads the query generation of the context at the top"))
  }
}
