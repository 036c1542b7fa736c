#if PostgreSQL
  import Foundation
  import Synchronization

  /// Tells a forked process from its parent without a system call, since each flight needs to know several times.
  enum ForkedProcess {
    private static let forks = Atomic<Int>(0)

    private static let areCounted: Bool = pthread_atfork(nil, nil, { ForkedProcess.count() }) == 0

    /// Called in the child of each `fork`.
    private static func count() { forks.add(1, ordering: .relaxed) }

    /// A number by which a process is distinguished from the children that it has forked.
    static var number: Int { areCounted ? forks.load(ordering: .relaxed) : Int(getpid()) }
  }
#endif
