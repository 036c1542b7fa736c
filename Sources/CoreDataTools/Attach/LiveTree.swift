/// What a running program shows of itself: coordinators with their stores, and contexts.
public struct LiveTree: Codable, Sendable {
  /// The program as a whole.
  public struct Program: Codable, Sendable {
    /// The counters of `CoreDataInstruments`, since the program started.
    public struct Counters: Codable, Sendable {
      /// See `CoreDataInstruments.Counters`.
      public let statements, selects, rowsRead, faultsFired, cacheHits: Int
    }
    /// Objects and bytes in memory.
    public struct Memory: Codable, Sendable {
      /// The number of registered objects, of all contexts.
      public let objects: Int
      /// How many of them are faults; nil if there are too many objects to count.
      public let faults: Int?
      /// Bytes.
      public let rowCacheBytes, residentBytes, peakResidentBytes: Int
    }
    /// A thread that is inside a context and waits for another one.
    public struct Waiting: Codable, Sendable {
      /// The framework's number of the thread.
      public let thread: UInt64
      /// The context that the thread waits for.
      public let context: String?
      /// Whether the thread waits for the main queue.
      public let forMainQueue: Bool
    }

    /// The version of the protocol.
    public let version: Int
    /// The process ID.
    public let process: Int
    /// The path by which the program was started.
    public let program: String
    /// Whether a recording is running.
    public let isRecording: Bool
    /// The file of the recording, if a tool has started it.
    public let recording: String?
    /// Counts since the program started.
    public let counters: Counters
    /// Objects and bytes in memory now.
    public let memory: Memory
    /// Threads that wait for contexts.
    public let waiting: [Waiting]
  }

  /// A store with its row cache.
  public struct Store: Codable, Sendable {
    /// The type of the store, as `SQLite`.
    public let type: String
    /// The path or address, without a password.
    public let place: String
    /// Whether the store was opened for reading.
    public let isReadOnly: Bool
    /// The number of rows in the cache, their bytes, and the bytes above which rows leave it.
    public let cachedRows, cacheBytes, cacheLimit: Int
  }

  /// A coordinator.
  public struct Coordinator: Codable, Sendable {
    /// The address of the coordinator.
    public let id: String
    /// The coordinator's name.
    public let name: String?
    /// Whether a thread is inside a block of the coordinator.
    public let isLocked: Bool
    /// The stores, in their order.
    public let stores: [Store]
    /// The contexts without a parent.
    public let contexts: [Context]
  }

  /// A context.
  public struct Context: Codable, Sendable {
    /// The numbers of objects with changes.
    public struct Pending: Codable, Sendable {
      /// The number of objects with this kind of change.
      public let inserted, updated, deleted: Int
    }
    /// The steps of the undo manager.
    public struct Undo: Codable, Sendable {
      /// The names of the steps, the next one last; at most 50.
      public let undo, redo: [String]
    }
    /// The queue of a private-queue context.
    public struct Queue: Codable, Sendable {
      /// The thread that has the queue.
      public let thread: UInt64?
      /// The number of blocks that wait.
      public let waitingBlocks: Int
      /// The threads that wait in `performAndWait`.
      public let waitingThreads: [UInt64]
    }

    /// The address of the context, by which it is asked for.
    public let id: String
    /// The context's name.
    public let name: String?
    /// `main queue`, `private queue` or `confined`.
    public let type: String
    /// The number of registered objects.
    public let objects: Int
    /// How many of them are faults; nil if there are too many objects to count.
    public let faults: Int?
    /// Why the context has not answered within 100 ms, in words; nil if it has.
    public let busy: String?
    /// Who has the queue and who waits for it.
    public let queue: Queue?
    /// The changes; nil if the context is busy.
    public let pending: Pending?
    /// The undo stack; nil without an undo manager, and if the context is busy.
    public let undo: Undo?
    /// The contexts whose parent this is.
    public let children: [Context]
  }

  /// The program as a whole.
  public let program: Program
  /// The coordinators.
  public let coordinators: [Coordinator]
  /// Contexts without a coordinator.
  public let loose: [Context]

  /// All contexts, parents before their children, with their depth.
  public var contexts: [(context: Context, depth: Int)] {
    func below(_ contexts: [Context], _ depth: Int) -> [(Context, Int)] {
      contexts.flatMap { [($0, depth)] + below($0.children, depth + 1) }
    }
    return coordinators.flatMap { below($0.contexts, 0) } + below(loose, 0)
  }

  /// Returns the context with that address or name.
  public func context(_ text: String) -> Context? {
    let all = contexts.map(\.context)
    return all.first { $0.id == text } ?? all.first { $0.name == text }
  }
}
