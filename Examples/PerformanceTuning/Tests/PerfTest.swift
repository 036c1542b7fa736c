import CoreData

/// One thing to measure, written as an application would write it.
public protocol PerfTest {
  /// What to call it, as in "SingleFault".
  var name: String { get }

  /// Does the work, checks it, and says in words what came out of it; a text that starts with "Failed" if it went wrong.
  func runTest(with context: NSManagedObjectContext) -> String
}

extension PerfTest {
  /// Whether a result says that the test went wrong.
  public static func isFailure(_ result: String) -> Bool { result.hasPrefix(failurePrefix) }

  /// Turns what a test throws into its result.
  func report(_ work: () throws -> String) -> String {
    do { return try work() } catch { return "\(Self.failurePrefix): \(error)" }
  }

  private static var failurePrefix: String { "Failed" }
}
