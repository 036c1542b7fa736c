import CRuntime
import Foundation

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

  /// Runs `body` here where the stack has room for it, else on a thread of its own, which is waited for. Locks of this
  /// thread and task-local values are not that thread's.
  package static func extended<Result>(_ body: () throws -> Result) rethrows -> Result {
    if isLeft { return try body() }
    func onThread(_ body: () throws -> Result, _ rethrow: (any Error) throws -> Result) rethrows -> Result {
      var result: Swift.Result<Result, any Error>?
      withoutActuallyEscaping({ result = Swift.Result(catching: body) }) { run in
        let work = Work(run)
        let thread = Thread { work.run() }
        thread.stackSize = 64 << 20
        thread.start()
        work.done.wait()
      }
      switch result {
      case .success(let value): return value
      case .failure(let error): return try rethrow(error)
      case nil: preconditionFailure("The thread has ended without a result.")
      }
    }
    return try onThread(body) { throw $0 }
  }

  /// What a thread does once. The thread that waits touches it only before and after.
  private final class Work: @unchecked Sendable {  // handed over by `Thread.start` and `done`
    let done = DispatchSemaphore(value: 0)
    private var body: (() -> Void)?

    init(_ body: @escaping () -> Void) { self.body = body }

    /// Lets go of the closure, too, since the thread may go on for a moment.
    func run() {
      body?()
      body = nil
      done.signal()
    }
  }
}
