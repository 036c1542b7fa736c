import Foundation

/// One claim of the deviations, and a small program that finds out whether it holds.
struct Check {
  /// The line in `Deviations`, such as `D-CTX-07`.
  let number: String
  /// What the line claims, in a few words.
  let claim: String
  /// What this project's framework does.
  let expected: String
  /// Does it, and says what has come of it.
  let run: () throws -> String

  init(_ number: String, _ claim: String, expected: String, run: @escaping () throws -> String) {
    self.number = number
    self.claim = claim
    self.expected = expected
    self.run = run
  }
}
