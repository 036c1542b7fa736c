import CRuntime
import Synchronization

/// The threads that wait for a context while they are inside other contexts. The graph prevents deadlocks: thread 1 in
/// context A waits for B, and thread 2 in B is about to wait for A. Thread 2 finds that thread 1 cannot go on before
/// thread 2 itself has finished. Context A therefore stands still, and thread 2 runs its block in A at once, as if it
/// were thread 1. Each cycle is closed by a thread that begins to wait, and threads begin to wait one at a time. A
/// thread without a context is not in the graph. The graph's lock is taken before that of a `ContextQueue`; no block
/// runs while it is held.
enum WaitGraph {
  private struct Wait {
    /// The context that the thread waits for; nil for the main queue.
    let wanted: ContextQueue?
    /// Whether the thread has the main queue, and with it every main-queue context.
    let hasMain: Bool
    /// The thread that runs this one's block on the main queue.
    var runner: UInt64 = 0
  }

  /// The waiting threads, by their numbers.
  private static let waits = Mutex<[UInt64: Wait]>([:])

  /// Notes that `thread` waits.
  /// - Parameters:
  ///   - wanted: the context that it waits for; nil for the main queue.
  ///   - hasMain: whether the thread has the main queue.
  ///   - begin: puts the thread into the line.
  /// - Returns: false if the thread would wait for itself; then nothing has happened.
  static func add(
    _ thread: UInt64, for wanted: ContextQueue?, hasMain: Bool, _ begin: () -> Void = {}
  ) -> Bool {
    nonisolated(unsafe) let begin = begin  // it is run here
    return waits.withLock { waits in
      if leadsTo(thread, hasMain: hasMain, from: wanted, waits) { return false }
      waits[thread] = Wait(wanted: wanted, hasMain: hasMain)
      begin()
      return true
    }
  }

  /// Notes that the thread does not wait any more, or that its block on the main queue has ended.
  static func remove(_ thread: UInt64) {
    _ = waits.withLock { $0.removeValue(forKey: thread) }
  }

  /// Notes that `thread` still waits, now for `runner`, the thread that runs its block on the main queue.
  static func setRunner(_ runner: UInt64, of thread: UInt64) {
    waits.withLock { $0[thread]?.runner = runner }
  }

  /// The threads that wait, with the queues that they wait for; nil for the main queue.
  static var all: [(thread: UInt64, wanted: ObjectIdentifier?)] {
    waits.withLock { waits in waits.map { ($0.key, $0.value.wanted.map(ObjectIdentifier.init)) } }
  }

  /// Whether the thread that has the main queue waits for a context.
  static var mainThreadWaits: Bool { waits.withLock { $0.values.contains { $0.hasMain } } }

  /// Whether the context or queue that is wanted cannot be had before `thread` has finished.
  private static func leadsTo(
    _ thread: UInt64, hasMain: Bool, from wanted: ContextQueue?, _ waits: [UInt64: Wait]
  ) -> Bool {
    var wanted = wanted
    // There is no cycle among the waiting threads, so their number bounds the walk.
    for _ in 0...waits.count {
      let holder: UInt64
      if let wanted {
        holder = wanted.holder
      } else {
        if hasMain { return true }
        holder = waits.first { $0.value.hasMain }?.key ?? 0
      }
      guard let next = next(after: holder, thread, waits) else { return false }
      if next.isThread { return true }
      wanted = next.wanted
    }
    return false
  }

  /// The context that the thread which holds a context is waiting for; nil if that thread is running.
  private static func next(
    after holder: UInt64, _ thread: UInt64, _ waits: [UInt64: Wait]
  ) -> (isThread: Bool, wanted: ContextQueue?)? {
    var holder = holder
    for _ in 0...waits.count {
      if holder == thread { return (true, nil) }
      guard let wait = waits[holder] else { return nil }
      if wait.runner == 0 {
        // The waiting thread has been given its turn already, and has not woken up yet.
        if let wanted = wait.wanted, wanted.holder == holder { return nil }
        return (false, wait.wanted)
      }
      holder = wait.runner
    }
    return nil
  }
}
