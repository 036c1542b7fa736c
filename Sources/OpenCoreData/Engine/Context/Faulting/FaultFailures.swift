import Foundation

/// Collects errors that occur while faults fire, which cannot throw: for work of the framework itself, which can throw
/// once the step is done. Elsewhere a fault that cannot be read stops the program. Belongs to the context's queue.
final class FaultFailures {
  private var first: (any Error)?

  func note(_ error: any Error) { if first == nil { first = error } }

  /// - Throws: the first failure, once.
  func check() throws {
    defer { first = nil }
    if let first { throw first }
  }
}
