import CoreData
import Dispatch
import Foundation
import Synchronization
import Testing
import ToolProcess

/// Several processes migrate one store at the same time.
@Suite struct MigrationRaceTests {
  /// How many rounds: `SOAK=20` does twenty times as many.
  private static let factor = max(1, Int(ProcessInfo.processInfo.environment["SOAK"] ?? "") ?? 1)

  /// The store needs two steps, so that a process may find it at a version between.
  @Test(arguments: [[], ["--no-backup"], ["--verify"]]) func allOfThemEndWell(_ options: [String]) throws {
    for _ in 0..<2 * Self.factor {
      let (folder, store) = try Library.full(), model = folder.model, failures = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 3) { _ in
        let failure: String?
        do {
          let tool = try Tool(["migrate", store, "--to", model] + options)
          failure = tool.status == 0 ? nil : tool.output + tool.errors
        } catch {
          failure = "\(error)"
        }
        if let failure { failures.withLock { $0.append(failure) } }
      }
      #expect(failures.withLock { $0 } == [])
      let titles = try folder.work("Library 10") { context in
        try context.all("Book", by: "year").map { $0.value(forKey: "heading") as? String }
      }
      #expect(titles == ["Book 1", "Book 2", "Book 3"])
      #expect(try Tool("store", "verify", store).status == 0)
    }
  }
}
