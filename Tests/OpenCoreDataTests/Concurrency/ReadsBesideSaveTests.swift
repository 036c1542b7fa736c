import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// Reads while another context is in the middle of its save.
@Suite struct ReadsBesideSaveTests {
  /// Calls back in the middle of a save's transaction, when rows have been written and nothing is committed.
  private func duringSave(
    _ store: SQLiteStore, _ save: () throws -> Void, _ body: @escaping @Sendable () throws -> Void
  ) throws {
    let calls = Atomic(0)
    store.writer.willCommit = {
      calls.wrappingAdd(1, ordering: .relaxed)
      do { try body() } catch { Issue.record(error) }
    }
    defer { store.writer.willCommit = nil }
    try save()
    #expect(calls.load(ordering: .relaxed) == 1)
  }

  @Test func aFetchCompletesAndSeesTheOldState() throws {
    let coordinator = try TestModel.coordinator(TestModel.library(), url: try TestModel.temporaryFile())
    let store = try #require(coordinator.sqlStores.first)
    let writer = TestModel.context(coordinator), reader = TestModel.context(coordinator)
    try writer.performAndWait { () throws in
      for number in 0..<100 { _ = writer.make("Author", ["name": "A\(number)", "age": 1]) }
      try writer.save()
    }
    try writer.performAndWait { () throws in
      for author in try writer.all("Author") { author.setValue(2, forKey: "age") }
      _ = writer.make("Author", ["name": "new", "age": 2])
      try duringSave(store, writer.save) {
        let isDone = DispatchSemaphore(value: 0)
        // On another thread: the writer's lock is its own thread's as often as it likes.
        Thread.detachNewThread {
          do {
            // A connection that is new, one that knows the store, and the cache.
            for context in [reader, TestModel.context(coordinator), reader] {
              try context.performAndWait { () throws in
                let authors = try context.all("Author")
                #expect(authors.count == 100)
                #expect(authors.allSatisfy { $0.number("age") == 1 })
              }
            }
          } catch {
            Issue.record(error)
          }
          isDone.signal()
        }
        #expect(isDone.wait(timeout: Patience.limit) == .success, "the fetch waits for the save")
      }
    }
    try reader.performAndWait { () throws in
      reader.refreshAllObjects()
      let authors = try reader.all("Author")
      #expect(authors.count == 101 && authors.allSatisfy { $0.number("age") == 2 })
    }
  }

  /// What is read beside a save is of a known moment, so that it is shared like any other row.
  @Test func rowsThatAreReadBesideASaveAreCached() throws {
    let coordinator = try TestModel.coordinator(TestModel.library(), url: try TestModel.temporaryFile())
    let store = try #require(coordinator.sqlStores.first)
    let writer = TestModel.context(coordinator)
    try writer.performAndWait { () throws in
      for number in 0..<100 { _ = writer.make("Tag", ["name": "\(number)"]) }
      try writer.save()
      coordinator.emptyRowCache()
      _ = writer.make("Author")
      try duringSave(store, writer.save) {
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          do {
            let first = TestModel.context(coordinator), second = TestModel.context(coordinator)
            try first.performAndWait { () throws in #expect(try first.all("Tag").count == 100) }
            let statements = try StatementLog.collect(thisThread: true) {
              try second.performAndWait { () throws in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
                request.includesPropertyValues = false
                for tag in try second.fetch(request) { #expect(tag.text("name") != nil) }
              }
            }.statements
            #expect(statements.filter { $0.hasPrefix("SELECT") }.count == 1, "the rows are in the cache")
          } catch {
            Issue.record(error)
          }
          isDone.signal()
        }
        #expect(isDone.wait(timeout: Patience.limit) == .success)
      }
    }
  }

  /// Another coordinator's commit is noticed by the save itself, for those who read beside it.
  @Test func aReaderBesideASaveSeesOthersCommits() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
    let other = TestModel.context(try TestModel.coordinator(TestModel.library(), url: url))
    let store = try #require(coordinator.sqlStores.first)
    let writer = TestModel.context(coordinator), reader = TestModel.context(coordinator)
    try writer.performAndWait { () throws in
      _ = writer.make("Author", ["name": "A", "age": 1])
      try writer.save()
    }
    try reader.performAndWait { () throws in #expect(try reader.all("Author").first?.number("age") == 1) }
    try other.performAndWait { () throws in
      try #require(try other.all("Author").first).setValue(2, forKey: "age")
      try other.save()
    }
    try writer.performAndWait { () throws in
      _ = writer.make("Tag")
      try duringSave(store, writer.save) {
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          do {
            try reader.performAndWait { () throws in
              reader.refreshAllObjects()
              #expect(try reader.all("Author").first?.number("age") == 2)
            }
            let second = TestModel.context(coordinator)
            try second.performAndWait { () throws in #expect(try second.all("Author").first?.number("age") == 2) }
          } catch {
            Issue.record(error)
          }
          isDone.signal()
        }
        #expect(isDone.wait(timeout: Patience.limit) == .success)
      }
    }
  }
}
