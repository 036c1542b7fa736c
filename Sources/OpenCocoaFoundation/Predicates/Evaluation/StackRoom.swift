import CRuntime

/// Keeps recursions over predicates and expressions within the stack of their thread, which may have 512 kB or 8 MB.
package enum StackRoom {
  /// Whether the stack has room for another step.
  @inline(__always)
  package static var isLeft: Bool { runtime_has_stack() != 0 }

  /// - Throws: `OCDEvaluationError` where the stack has no room for another step.
  @inline(__always)
  package static func check() throws {
    if !isLeft { throw OCDEvaluationError.nestedTooDeeply }
  }
}
