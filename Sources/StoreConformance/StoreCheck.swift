import CoreData
import Foundation

/// A check of one behavior that Core Data requires of every store.
public struct StoreCheck: Sendable, CustomStringConvertible {
  /// What the check requires, as a sentence.
  public let name: String
  /// The abilities that a store must have for the check.
  public let needs: [StoreAbility]
  private let body: @Sendable (StoreSubject) throws -> Void

  /// The outcome of a check.
  public enum Outcome: Equatable, Sendable {
    /// The store behaves as required.
    case passed
    /// The store lacks an ability that the check needs, for the reason given.
    case skipped(String)
  }

  init(_ name: String, needs: [StoreAbility] = [], _ body: @escaping @Sendable (StoreSubject) throws -> Void) {
    self.name = name
    self.needs = needs
    self.body = body
  }

  /// Runs the check on a new store.
  /// - Throws: a `StoreConformanceFailure` that says what was expected and what was found, or the store's own error.
  @discardableResult
  public func run(on subject: StoreSubject) throws -> Outcome {
    for ability in needs {
      if let reason = try subject.reason(against: ability) { return .skipped("\(ability): \(reason)") }
    }
    try body(subject)
    return .passed
  }

  /// The name, for the lists of test runs.
  public var description: String { name }
}

/// The error of a store that does not behave as required.
public struct StoreConformanceFailure: Error, CustomStringConvertible, Sendable {
  /// What was expected and what was found, and where.
  public let description: String
}

// MARK: Expectations

func expect(
  _ condition: Bool, _ message: @autoclosure () -> String, file: String = #fileID, line: Int = #line
) throws {
  if !condition { throw StoreConformanceFailure(description: "\(message()) (\(file):\(line))") }
}

func expectEqual<Value: Equatable>(
  _ found: Value, _ expected: Value, _ what: @autoclosure () -> String, file: String = #fileID, line: Int = #line
) throws {
  try expect(
    found == expected, "\(what()): expected \(expected), found \(found)", file: file, line: line)
}

func expectError(
  _ code: Int, _ what: String, file: String = #fileID, line: Int = #line, _ body: () throws -> Void
) throws {
  do {
    try body()
  } catch let error as NSError {
    return try expect(
      error.domain == NSCocoaErrorDomain && error.code == code,
      "\(what): expected the error \(code), found \(error.domain) \(error.code)", file: file, line: line)
  }
  throw StoreConformanceFailure(description: "\(what): expected the error \(code), found none (\(file):\(line))")
}

func unwrap<Value>(_ value: Value?, _ what: String, file: String = #fileID, line: Int = #line) throws -> Value {
  if let value { return value }
  throw StoreConformanceFailure(description: "\(what) is nil (\(file):\(line))")
}
