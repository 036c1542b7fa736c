import CoreData

/// A test to measure, written as an application would write the same work.
public protocol PerfTest {
  /// The name of the test, such as "SingleFault".
  var name: String { get }

  /// Does the work, checks it, and returns the result in words; the text starts with "Failed" if the result is wrong.
  func runTest(with context: NSManagedObjectContext) -> String
}

extension PerfTest {
  /// Returns whether a result says that the test went wrong.
  public static func isFailure(_ result: String) -> Bool { result.hasPrefix(failurePrefix) }

  /// Runs a test, and turns an error that the test throws into a result.
  func report(_ work: () throws -> String) -> String {
    do { return try work() } catch { return "\(Self.failurePrefix): \(error)" }
  }

  private static var failurePrefix: String { "Failed" }
}
