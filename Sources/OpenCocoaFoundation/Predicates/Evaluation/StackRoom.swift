import CRuntime
import Foundation

/// Keeps recursions over predicates, expressions and archives within the stack of their thread, which may have only 512 kB or as
/// much as 8 MB.
package enum StackRoom {
  /// Whether the stack has room for another step.
  @inline(__always)
  package static var isLeft: Bool { runtime_has_stack() != 0 }

  /// - Throws: `OCDEvaluationError` if the stack has no room for another step.
  @inline(__always)
  package static func check() throws {
    if !isLeft { throw OCDEvaluationError.nestedTooDeeply }
  }

  /// Runs `body` on this thread if the stack has room for it. Otherwise runs it on a new thread and waits for the thread; there
  /// `body` has neither the locks nor the task-local values of this thread.
  package static func extended<Result>(_ body: () throws -> Result) rethrows -> Result {
    if isLeft { return try body() }
    var result: Swift.Result<Result, any Error>?
    let hasRun = withoutActuallyEscaping({ result = Swift.Result(catching: body) }) { Work($0).runOnThread() }
    // If no thread can be made, `body` runs on the rest of this thread's stack.
    guard hasRun, let result else { return try body() }
    func rethrow(_ body: () throws -> Result, _ value: () throws -> Result) rethrows -> Result { try value() }
    return try rethrow(body) { try result.get() }
  }

  /// The work of a thread, which runs once.
  private final class Work {
    private var body: (() -> Void)?
    private static let stackSize = 64 << 20

    init(_ body: @escaping () -> Void) { self.body = body }

    /// - Returns: false if no thread can be made.
    func runOnThread() -> Bool {
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      defer { pthread_attr_destroy(&attributes) }
      pthread_attr_setstacksize(&attributes, Self.stackSize)
      var thread = pthread_t()
      // This call keeps the work alive until the thread has ended.
      let code = pthread_create(
        &thread, &attributes,
        { work in
          if let work { Unmanaged<Work>.fromOpaque(work).takeUnretainedValue().run() }
          return nil
        }, Unmanaged.passUnretained(self).toOpaque())
      if code == 0 { pthread_join(thread, nil) }
      body = nil
      return code == 0
    }

    private func run() { body?() }
  }
}
