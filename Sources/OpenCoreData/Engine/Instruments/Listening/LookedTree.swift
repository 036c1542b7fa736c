/// What a client is told of the program as a whole.
struct LookedProgram: Encodable, Sendable {
  struct Counters: Encodable, Sendable {
    let statements, selects, rowsRead, faultsFired, cacheHits: Int
  }
  struct Memory: Encodable, Sendable {
    let objects: Int
    /// Nil if there are too many objects to count.
    let faults: Int?
    let rowCacheBytes, residentBytes, peakResidentBytes: Int
  }
  struct Waiting: Encodable, Sendable {
    let thread: UInt64
    /// The context that the thread waits for; nil for the main queue, and for a context that is gone.
    let context: String?
    let forMainQueue: Bool
  }

  /// The version of the protocol.
  var version = 1
  let process: Int32
  let program: String
  let isRecording: Bool
  /// The file of a recording that was started by a client.
  let recording: String?
  let counters: Counters
  let memory: Memory
  /// Threads that are inside a context and wait for another one.
  let waiting: [Waiting]
}

/// A store, with its row cache.
struct LookedStore: Encodable, Sendable {
  let type: String
  let place: String
  let isReadOnly: Bool
  let cachedRows, cacheBytes, cacheLimit: Int
}

/// A context, with its children.
struct LookedContext: Encodable, Sendable {
  struct Pending: Encodable, Sendable { let inserted, updated, deleted: Int }
  struct Undo: Encodable, Sendable {
    /// The names of the steps that can be undone, the next one last; empty for a step without a name.
    let undo: [String]
    let redo: [String]
  }
  struct Queue: Encodable, Sendable {
    /// The thread that has the queue; nil if none has it.
    let thread: UInt64?
    let waitingBlocks: Int
    let waitingThreads: [UInt64]
  }

  let id: String
  var name: String?
  /// `main queue`, `private queue` or `confined`.
  let type: String
  var objects = 0
  /// Nil if there are too many objects to count.
  var faults: Int?
  /// What keeps the context from answering; the rest of it is nil then.
  var busy: String?
  var queue: Queue?
  var pending: Pending?
  var undo: Undo?
  var children: [LookedContext] = []
}

struct LookedCoordinator: Encodable, Sendable {
  let id: String
  let name: String?
  /// Whether a thread is inside `performAndWait` of the coordinator, or has locked it.
  let isLocked: Bool
  let stores: [LookedStore]
  var contexts: [LookedContext] = []
}

struct LookedTree: Encodable, Sendable {
  let program: LookedProgram
  let coordinators: [LookedCoordinator]
  /// Contexts whose coordinator is gone, or that have none.
  let loose: [LookedContext]
}
