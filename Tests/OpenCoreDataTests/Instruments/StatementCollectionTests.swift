import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Whose statements are collected.
@Suite struct StatementCollectionTests {
  private static func context() throws -> NSManagedObjectContext {
    let context = TestModel.context(try TestModel.coordinator(TestModel.library()))
    try context.performAndWait {
      context.insert("Author", ["name": "Ada"])
      try context.save()
    }
    return context
  }

  private static func selects(_ statements: [String]) -> Int { statements.count { $0.hasPrefix("SELECT") } }

  @Test func notThoseOfOtherThreads() throws {
    let own = try Self.context()
    let other = try Self.context()
    let stop = DispatchSemaphore(value: 0), begun = DispatchSemaphore(value: 0), ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      begun.signal()
      while stop.wait(timeout: .now()) == .timedOut { other.performAndWait { _ = try? other.all("Author") } }
      ended.signal()
    }
    begun.wait()
    for _ in 0..<50 {
      let (_, statements) = try StatementLog.collect(thisThread: true) {
        try own.performAndWait { try own.all("Author") }
      }
      #expect(Self.selects(statements) == 1)
    }
    stop.signal()
    ended.wait()
  }

  @Test func thoseOfBlocksThatAreHandedToContexts() throws {
    let context = try Self.context()
    let done = DispatchSemaphore(value: 0)
    let (_, statements) = StatementLog.collect(thisThread: true) {
      context.perform {
        _ = try? context.all("Author")
        done.signal()
      }
      done.wait()
    }
    #expect(Self.selects(statements) == 1)
  }

  @Test func thoseOfATaskAndItsChildren() async throws {
    let context = try Self.context()
    let (counts, statements) = try await StatementLog.collect {
      async let first = context.perform { try context.all("Author").count }
      async let second = context.perform { try context.all("Book").count }
      return try await [first, second]
    }
    #expect(counts == [1, 0] && Self.selects(statements) == 2)
  }

  @Test func asynchronousFetches() throws {
    let context = try Self.context()
    let done = DispatchSemaphore(value: 0)
    let (_, statements) = try StatementLog.collect(thisThread: true) {
      try context.performAndWait {
        let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Author")) {
          _ in done.signal()
        }
        _ = try context.execute(request)
      }
      done.wait()
    }
    #expect(Self.selects(statements) >= 1)
  }

  @Test func nestedCollectionsBothGetThem() throws {
    let context = try Self.context()
    let (inner, outer) = try StatementLog.collect(thisThread: true) {
      try StatementLog.collect(thisThread: true) { try context.performAndWait { try context.all("Author") } }.statements
    }
    #expect(Self.selects(inner) == 1 && inner == outer)
  }
}
