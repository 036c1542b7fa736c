#if PostgreSQL
  import Dispatch
  import Foundation
  @_spi(Store) import OpenCoreData
  import Synchronization

  /// A context's read transaction on a server, on a connection of the pool: everything that is read in it is of one moment.
  ///
  /// The pool may take the connection back when nobody has read for a while: two threads meet here only then. A context
  /// that is pinned to a query generation has no transaction of its own and reads in the generation's.
  final class ServerReadTransaction: ReadTransaction, ConnectionHolder, @unchecked Sendable {  // `lock`, or the queue
    private let lock = NSLock()
    let store: ServerStore
    @exclusivity(unchecked) private var connection: ServerConnection?
    @exclusivity(unchecked) private var commit: UInt64 = 0 {
      didSet { pinnedCommit = commit }
    }
    @exclusivity(unchecked) private var lastUse = ContinuousClock.now
    private static let transactions = Atomic<UInt64>(0)
    /// The reader of the generation that the context is pinned to; of the context's queue, as the next.
    @exclusivity(unchecked) private var reader: ServerGenerationReader?
    /// Whether the next read pins the context.
    @exclusivity(unchecked) private var pinsAtNextRead = false

    init(store: ServerStore, context: NSManagedObjectContext) {
      self.store = store
      super.init(context: context)
    }

    var weakly: @Sendable () -> (any ConnectionHolder)? {
      let reference = WeaklyReferring<ReadTransaction>(self)
      return { reference.wrappedValue as? ServerReadTransaction }
    }

    deinit {
      if let connection { store.readers.give(connection) }
    }

    /// Sends statements in the transaction and hands out their results.
    /// - Parameters:
    ///   - latest: whether the reads must see everything committed so far.
    ///   - prepare: adds the statements. It is called again, and has to begin anew, where the transaction does.
    func read(latest: Bool, watch: FetchWatch? = nil, _ prepare: (inout ReadFlight) throws -> Void) throws {
      if pinsAtNextRead { try context?.pinQueryGeneration() }
      if let reader { return try reader.read(watch, prepare) }
      lock.lock()
      defer {
        lastUse = .now
        lock.unlock()
      }
      do {
        try readHere(latest: latest, watch, prepare)
      } catch let error as ServerError where error.isConnectionLost {
        // Nothing was written, so that it may be asked again.
        store.noteLostConnection()
        try readHere(latest: true, watch, prepare)
      }
    }

    /// Whatever fails ends the transaction: the server has aborted it, or its state is not known.
    private func readHere(
      latest: Bool, _ watch: FetchWatch?, _ prepare: (inout ReadFlight) throws -> Void
    ) throws {
      let isOpen = connection != nil
      let taken = try connection ?? store.readers.take(for: self, deadline: store.deadline)
      do {
        if isOpen, !latest {
          try store.read(on: taken, commit: commit, watch, prepare)
        } else {
          begin(at: try store.beginRead(on: taken, watch, prepare))
        }
        connection = taken
      } catch {
        connection = nil
        pinnedCommit = .max
        store.readers.give(taken)
        throw error
      }
    }

    override func refresh() throws -> Bool {
      try read(latest: true) { _ in }
      return true
    }

    private func begin(at commit: UInt64) {
      self.commit = commit
      number = Self.transactions.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Ends the transaction and gives the connection back; a generation goes on.
    override func end() {
      if !isPinned { endTransaction() }
    }

    private func endTransaction() {
      lock.lock()
      let ended = connection
      connection = nil
      pinnedCommit = .max
      lock.unlock()
      if let ended { store.readers.give(ended) }
    }

    /// Ends the transaction and hands the connection over, if nobody has used it for that long; nil while it is in use.
    func surrender(ifUnusedFor duration: Duration) -> ServerConnection? {
      guard lock.try() else { return nil }
      defer { lock.unlock() }
      guard let surrendered = connection, .now - lastUse >= duration else { return nil }
      connection = nil
      pinnedCommit = .max
      return surrendered
    }

    // MARK: Query generations, on the context's queue

    /// Reads in a query generation from now on, or no longer.
    override func follow(_ pin: QueryGenerationPin) {
      endTransaction()
      reader = nil
      pinsAtNextRead = false
      number = 0
      switch pin {
      case .unpinned: break
      case .current:
        pinsAtNextRead = true
        pinnedCommit = 0
      case .generation(let generation):
        reader = generation.reader(for: store) as? ServerGenerationReader
        if let reader { pinnedCommit = reader.commit }
      }
      isPinned = reader != nil || pinsAtNextRead
      ownRows = reader?.ownRows
    }

    override func makeOwnRows() -> RowCache? { reader?.makeOwnRows() }
  }

  extension ReadTransaction {
    /// The transaction as one on a server, which a store there has made.
    var onServer: ServerReadTransaction {
      guard let own = self as? ServerReadTransaction else {
        preconditionFailure("A store in a server reads in transactions that it has made.")
      }
      return own
    }
  }
#endif
