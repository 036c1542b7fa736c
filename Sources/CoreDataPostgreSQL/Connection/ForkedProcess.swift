#if PostgreSQL
  import Foundation
  import Synchronization

  /// Tells a process from the one that it was forked from, without asking the kernel: each flight does so several times.
  enum ForkedProcess {
    private static let forks = Atomic<Int>(0)

    private static let areCounted: Bool = pthread_atfork(nil, nil, { ForkedProcess.count() }) == 0

    /// Called in the child of each `fork`.
    private static func count() { forks.add(1, ordering: .relaxed) }

    /// Another one in the child than in its parent.
    static var number: Int { areCounted ? forks.load(ordering: .relaxed) : Int(getpid()) }
  }
#endif
