import CRuntime
import Dispatch
import Foundation
import Synchronization

/// Decides whose turn it is in a private-queue context: blocks and threads get their turn in the order in which they ask.
///
/// A dispatch queue's `sync` would do, but does not tell which thread has it: `WaitGraph` needs to know this to see that
/// threads wait for each other. An idle queue costs two locks.
///
/// A task that prefers the queue as its executor takes its turn like a block.
final class ContextQueue: TaskExecutor {
  /// A thread that sleeps until it is its turn.
  private final class Sleeper: Sendable {
    let thread: UInt64
    private let semaphore = DispatchSemaphore(value: 0)
    // Makes the writes of the thread before visible, also to tools that cannot look into a semaphore.
    private let isAwake = Atomic<Bool>(false)

    init(_ thread: UInt64) { self.thread = thread }

    func wake() {
      isAwake.store(true, ordering: .releasing)
      semaphore.signal()
    }

    func sleep() {
      semaphore.wait()
      while !isAwake.load(ordering: .acquiring) {}
    }
  }

  private enum Turn {
    case block(() -> Void)
    case thread(Sleeper)
  }

  private struct State: @unchecked Sendable {  // blocks cross to the queue once and are run there alone
    var isTaken = false
    var line: ContiguousArray<Turn> = []
    var head = 0

    var next: Turn? { head < line.count ? line[head] : nil }

    mutating func removeNext() {
      head += 1
      if head == line.count {
        line.removeAll(keepingCapacity: head < 256)
        head = 0
      } else if head >= 64, head * 2 > line.count {
        // Finished blocks are released, so that the list holds only waiting blocks.
        line.removeSubrange(..<head)
        head = 0
      } else {
        line[head - 1] = .block({})
      }
    }
  }

  private let state = Mutex(State())
  private let current = Atomic<UInt64>(0)
  /// The dispatch queue whose thread runs the blocks.
  private let worker = DispatchQueue(label: "NSManagedObjectContext")

  /// The number of the thread that has the queue; 0 if none has. A thread that takes the lock of `WaitGraph` sees the
  /// value that the thread before it under that lock has written.
  var holder: UInt64 { current.load(ordering: .acquiring) }

  /// Who has the queue and who waits for it, for clients that look into the program.
  var looked: LookedContext.Queue {
    let holder = holder
    return state.withLock { state in
      var blocks = 0
      var threads: [UInt64] = []
      for turn in state.line[state.head...] {
        switch turn {
        case .block: blocks += 1
        case .thread(let sleeper): threads.append(sleeper.thread)
        }
      }
      return LookedContext.Queue(
        thread: holder == 0 ? nil : holder, waitingBlocks: blocks, waitingThreads: Array(threads.prefix(50)))
    }
  }

  // MARK: Later

  /// Runs `block` later, when the blocks before it are done.
  func async(_ block: @escaping () -> Void) {
    nonisolated(unsafe) let block = block
    let isIdle = state.withLock { state in
      state.line.append(.block(block))
      if state.isTaken { return false }
      state.isTaken = true
      return true
    }
    guard isIdle else { return }
    if DispatchStart.isReady || (try? DispatchStart.prepare()) != nil {
      worker.async { self.runBlocks() }
    } else {
      // Without free file descriptors Dispatch would stop the program; a thread needs none.
      Thread.detachNewThread { self.runBlocks() }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Runs the blocks at the head of the line. The worker has the turn meanwhile.
  private func runBlocks() {
    let thread = runtime_thread_number()
    while let block = nextBlock() {
      current.store(thread, ordering: .releasing)
      block()
      current.store(0, ordering: .releasing)
    }
  }

  /// The next block to run; nil if nothing is waiting, or if a waiting thread was given the queue.
  private func nextBlock() -> (() -> Void)? {
    // Only one thread gets the block and runs it.
    nonisolated(unsafe) var block: (() -> Void)?
    var sleeper: Sleeper?
    state.withLock { state in
      switch state.next {
      case nil: state.isTaken = false
      case .block(let next)?:
        block = next
        state.removeNext()
      case .thread(let next)?:
        sleeper = next
        state.removeNext()
      }
    }
    if let sleeper { handOver(to: sleeper) }
    return block
  }

  private func handOver(to sleeper: Sleeper) {
    current.store(sleeper.thread, ordering: .releasing)
    sleeper.wake()
  }

  // MARK: Now

  /// Waits until the calling thread has the queue; `leave()` gives it back.
  /// - Returns: false, without waiting, if the thread that has the queue waits for the calling thread: then the caller may
  ///   run its block in that thread's place.
  @inline(__always)
  func take() -> Bool {
    let isFree = state.withLock { state in
      if state.isTaken { return false }
      state.isTaken = true
      return true
    }
    let thread = runtime_thread_number()
    guard isFree else { return wait(thread) }
    current.store(thread, ordering: .releasing)
    return true
  }

  /// Takes the queue if no thread has it and no block waits for it; `leave()` gives it back.
  func takeIfIdle() -> Bool {
    let isIdle = state.withLock { state in
      if state.isTaken { return false }
      state.isTaken = true
      return true
    }
    if isIdle { current.store(runtime_thread_number(), ordering: .releasing) }
    return isIdle
  }

  private func wait(_ thread: UInt64) -> Bool {
    let hasMain = MainQueue.isCurrent || ContextStack.containsMainQueue
    // No thread can wait for a thread that owns no queue, so this one can sleep without looking for a cycle.
    if !hasMain, ContextStack.current == nil {
      join(thread)?.sleep()
      return true
    }
    var sleeper: Sleeper?
    let mayWait = WaitGraph.add(thread, for: self, hasMain: hasMain) { sleeper = join(thread) }
    guard mayWait else { return false }
    sleeper?.sleep()
    WaitGraph.remove(thread)
    return true
  }

  /// Puts the thread at the end of the line; nil if it is its turn now.
  private func join(_ thread: UInt64) -> Sleeper? {
    let sleeper = Sleeper(thread)
    let waits = state.withLock { state in
      if state.isTaken {
        state.line.append(.thread(sleeper))
        return true
      }
      state.isTaken = true
      return false
    }
    if waits { return sleeper }
    current.store(thread, ordering: .releasing)
    return nil
  }

  /// Ends the calling thread's turn.
  @inline(__always)
  func leave() {
    current.store(0, ordering: .releasing)
    let isOver = state.withLock { state in
      if state.next != nil { return false }
      state.isTaken = false
      return true
    }
    if !isOver { passOn() }
  }

  private func passOn() {
    var sleeper: Sleeper?
    state.withLock { state in
      guard case .thread(let next)? = state.next else { return }
      sleeper = next
      state.removeNext()
    }
    if let sleeper { handOver(to: sleeper) } else { worker.async { self.runBlocks() } }
  }
}
