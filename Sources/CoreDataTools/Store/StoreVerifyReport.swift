import CommandSupport
import Foundation
import OpenCoreData

/// The problems of a store, in the shape of the JSON.
public struct StoreVerifyReport: Encodable, Sendable {
  /// A problem of the store.
  public struct Problem: Encodable, Sendable {
    /// The kind of problem, as a word for programs.
    public var kind: String
    /// error or warning.
    public var severity: String
    /// The place of the problem: a table, column, entity or property.
    public var place: String
    /// The description of the problem.
    public var text: String
    /// The number of rows with the problem.
    public var count: Int
    /// Some of the objects or files that have the problem.
    public var examples: [String]
  }

  /// The store's path, or its URL without a password.
  public var file: String
  /// The number of errors. A problem counts once, however many rows have it.
  public var errors: Int
  /// The number of warnings.
  public var warnings: Int
  /// The problems, errors first.
  public var problems: [Problem]

  package init(_ url: URL, _ problems: [StoreProblem]) {
    file = url.shown
    // Errors first, otherwise in the order in which they were found.
    let sorted = StoreProblem.Severity.allCases.flatMap { severity in problems.filter { $0.severity == severity } }
    self.problems = sorted.map {
      Problem(
        kind: $0.kind.rawValue, severity: $0.severity.rawValue, place: $0.place, text: $0.text, count: $0.count,
        examples: $0.examples)
    }
    errors = problems.count { $0.severity == .error }
    warnings = problems.count - errors
  }
}
