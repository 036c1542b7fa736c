import Synchronization

/// Counts the blocks of asynchronous `perform`s that run on the threads of their callers. They never hold all cooperative
/// threads of the process, so that other tasks go on however long the blocks compute or wait.
///
/// A block that would take the last thread is not kept waiting for another one to end, because that one may be waiting
/// for it in turn: the block goes to its context's queue, which has a thread of its own.
enum InlineBlocks {
  private static let count = Atomic<Int>(0)
  /// How many blocks may run on their callers' threads at the same time; 0 with a single processor. Set by tests alone.
  static let limit = Atomic<Int>(CooperativeThreads.count - 1)

  /// Counts one more block, which ends with `end()`; false, with nothing counted, if it would take the last thread.
  @inline(__always)
  static func begin() -> Bool {
    let limit = limit.load(ordering: .relaxed)
    if count.load(ordering: .relaxed) >= limit { return false }
    if count.wrappingAdd(1, ordering: .relaxed).newValue <= limit { return true }
    end()
    return false
  }

  @inline(__always)
  static func end() { count.wrappingSubtract(1, ordering: .relaxed) }
}
