import CoreData
import Foundation
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// A regular expression that takes for ever ends where there is a limit, and when its fetch is cancelled.
@Suite(.timeLimit(.minutes(60))) struct PatternLimitTests {
  private static let endless = "(a+)+b"

  private static func context(_ store: TestStore, isSaved: Bool = true) throws -> NSManagedObjectContext {
    let context = TestModel.context(try store.coordinator(AtomicModel.make()))
    try context.performAndWait {
      _ = context.make("Item", ["text": String(repeating: "a", count: 60)])
      if isSaved { try context.save() }
    }
    return context
  }

  private static func request() throws -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.predicate = try NSPredicate(parsing: "text MATCHES %@", arguments: [endless])
    return request
  }

  @Test func aLimitEndsThePattern() throws {
    let limit = EvaluationLimit(patternSteps: 100_000)
    let predicate = try NSPredicate(parsing: "SELF MATCHES[c] %@", arguments: [Self.endless])
    EvaluationLimit.run(limit) {
      let text = String(repeating: "a", count: 60)
      let error = #expect(throws: OCDEvaluationError.self) { try predicate.evaluateChecked(with: text) }
      #expect(error?.reason.contains("\"(a+)+b\"") == true && error?.reason.contains("100000 steps") == true)
      #expect((error as NSError?)?.code == 134060)
    }
    for (text, matches) in [("aaab", true), ("aaac", false)] {
      let found = try EvaluationLimit.run(limit) { try predicate.evaluateChecked(with: text) }
      #expect(found == matches)
    }
  }

  @Test(arguments: TestStore.all)
  func aLimitEndsAFetch(_ store: TestStore) throws {
    for isSaved in [true, false] {
      let context = try Self.context(store, isSaved: isSaved)
      try context.performAndWait { () throws in
        let request = try Self.request()
        let error = #expect(throws: NSError.self) {
          try EvaluationLimit.run(EvaluationLimit(patternSteps: 100_000)) { try context.fetch(request) }
        }
        #expect(error?.code == 134060 && error?.localizedDescription.contains(Self.endless) == true)
        request.predicate = nil
        #expect(try context.fetch(request).count == 1)
      }
    }
  }

  /// The fetch would go on for years.
  @Test(arguments: TestStore.all)
  func aCancelledFetchEnds(_ store: TestStore) throws {
    for isSaved in [true, false] {
      let context = try Self.context(store, isSaved: isSaved)
      let done = DispatchSemaphore(value: 0)
      nonisolated(unsafe) var failure: (any Error)?
      let running = try context.performAndWait {
        try context.execute(
          NSAsynchronousFetchRequest(fetchRequest: try Self.request()) { result in
            failure = result.operationError
            done.signal()
          }) as? NSPersistentStoreAsynchronousResult
      }
      Thread.sleep(forTimeInterval: 0.05)
      running?.cancel()
      #expect(done.wait(timeout: Patience.limit) == .success)
      #expect((failure as? CocoaError)?.code == .userCancelled, "\(failure as Any)")
    }
  }

  /// What a function throws that SQLite calls comes out as it is.
  @Test func patternsOfTheStoreAreChecked() throws {
    let context = try Self.context(.sqlite)
    try context.performAndWait { () throws in
      _ = context.make("Item", ["text": "(a"])
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.predicate = NSPredicate(format: "'x' MATCHES text")
      let error = #expect(throws: NSError.self) { try context.fetch(request) }
      #expect(error?.code == 134060 && error?.localizedDescription.contains("(pattern (a)") == true, "\(error as Any)")
      request.predicate = NSPredicate(format: "'x' MATCHES text AND text == 'a'")
      #expect((try? context.fetch(request))?.isEmpty ?? true, "the next statement is not ended by that error")
    }
  }
}
