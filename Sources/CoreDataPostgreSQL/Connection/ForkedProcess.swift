#if PostgreSQL
  import Foundation
  import Synchronization

  /// Distinguishes a child of `fork` from its parent without a system call: each flight checks this several times.
  enum ForkedProcess {
    private static let forks = Atomic<Int>(0)

    private static let areCounted: Bool = pthread_atfork(nil, nil, { ForkedProcess.count() }) == 0

    /// Called in the child of each `fork`.
    private static func count() { forks.add(1, ordering: .relaxed) }

    /// A number that differs between a child and its parent.
    static var number: Int { areCounted ? forks.load(ordering: .relaxed) : Int(getpid()) }
  }
#endif
