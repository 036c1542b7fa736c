#if PostgreSQL
  import Dispatch
  import Foundation
  @_spi(Store) import OpenCoreData
  import Synchronization

  /// A context's read transaction on a server, with a connection of the pool: all reads in the transaction see the same
  /// state.
  ///
  /// The pool may take the connection back if it was not used for a while: only then do two threads meet here. A
  /// context that is pinned to a query generation has no transaction of its own and reads in the generation's.
  final class ServerReadTransaction: ReadTransaction, ConnectionHolder, @unchecked Sendable {  // `lock`, or the queue
    private let lock = NSLock()
    let store: ServerStore
    @exclusivity(unchecked) private var connection: ServerConnection?
    /// Whether the connection leads to a replica.
    @exclusivity(unchecked) private var isOnReplica = false
    @exclusivity(unchecked) private var commit: UInt64 = 0 {
      didSet { pinnedCommit = commit }
    }
    @exclusivity(unchecked) private var lastUse = ContinuousClock.now
    private static let transactions = Atomic<UInt64>(0)
    /// The reader of the generation to which the context is pinned. Used on the context's queue.
    @exclusivity(unchecked) private var reader: ServerGenerationReader?
    /// The members that a fetch has read ahead for relationships that are prefetched next. Used on the context's queue.
    @exclusivity(unchecked) var prefetched: PrefetchedMembers?
    /// Whether the next read pins the context. Used on the context's queue.
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
      if let connection { pool.give(connection) }
    }

    /// The pool that the connection belongs to.
    private var pool: ConnectionPool { isOnReplica ? store.replica?.pool ?? store.readers : store.readers }

    /// How many times a request is sent if its connection is lost; requests of faults are sent until the timeout.
    private static let attempts = 3

    /// Sends statements in the transaction and passes on their results.
    /// - Parameters:
    ///   - latest: whether the reads must see everything committed so far.
    ///   - isPatient: whether to wait until the timeout for a server that does not answer: for faults, which cannot
    ///     throw.
    ///   - prepare: adds the statements. If the transaction begins again, it is called again, and must start anew.
    ///   - fromPrimary: whether a replica must not be used.
    func read(
      latest: Bool, fromPrimary: Bool = false, watch: FetchWatch? = nil, isPatient: Bool = false,
      _ prepare: (inout ReadFlight) throws -> Void
    ) throws {
      if pinsAtNextRead { try context?.pinQueryGeneration() }
      if let reader { return try reader.read(watch, prepare) }
      lock.lock()
      defer {
        lastUse = .now
        lock.unlock()
      }
      if !fromPrimary, connection == nil || latest, try beginOnReplica(watch, prepare) { return }
      let end = store.deadline
      var sent = 0
      while true {
        let wasOnReplica = isOnReplica && connection != nil
        do {
          return try readHere(latest: latest || fromPrimary || sent > 0, watch, prepare)
        } catch  where wasOnReplica && watch?.isStopped != true {
          // The replica may also end a transaction because it replays the log.
          store.replica?.note(failure: error)
          sent += 1
        } catch let error as ServerError where error.isConnectionLost {
          // Nothing was written, so the statements may be sent again.
          store.noteLostConnection()
          sent += 1
          guard isPatient ? ContinuousClock.now < end : sent < Self.attempts else { throw error }
        } catch let error as NSError where isPatient && Self.absences.contains(error.code) {
          // No connection was made, although connecting was tried for some time.
          guard error.domain == NSCocoaErrorDomain, ContinuousClock.now < end else { throw error }
        }
      }
    }

    private static let absences = [NSPersistentStoreOperationError, NSPersistentStoreTimeoutError]

    /// Reads on the primary or in the open transaction. Any failure ends the transaction: the server has aborted it, or
    /// its state is not known.
    private func readHere(
      latest: Bool, _ watch: FetchWatch?, _ prepare: (inout ReadFlight) throws -> Void
    ) throws {
      if latest || connection == nil { giveBack() }
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
        pool.give(taken)
        throw error
      }
    }

    /// Gives a connection to a replica back, so that the primary is read.
    private func giveBack() {
      guard isOnReplica else { return }
      if let connection { pool.give(connection) }
      (connection, isOnReplica) = (nil, false)
      if reader == nil { ownRows = nil }
    }

    /// Begins a transaction on the replica, if there is one and it has replayed what must be seen. Returns whether it
    /// did.
    private func beginOnReplica(_ watch: FetchWatch?, _ prepare: (inout ReadFlight) throws -> Void) throws -> Bool {
      guard let replica = store.replica, let needed = replica.needed else { return false }
      if let connection, !isOnReplica {
        store.readers.give(connection)
        self.connection = nil
      }
      isOnReplica = true
      do {
        let taken = try connection ?? replica.pool.take(for: self, deadline: .now + .seconds(1))
        connection = taken
        ownRows = nil
        if try store.beginRead(onReplica: taken, seeing: needed, watch, prepare) {
          replica.noteSuccess()
          begin(at: 0)
          return true
        }
      } catch {
        if watch?.isStopped == true { throw error }
        replica.note(failure: error)
      }
      giveBack()
      pinnedCommit = .max
      return false
    }

    override func refresh() throws -> Bool {
      store.replica?.doubt()
      try read(latest: true, fromPrimary: true) { _ in }
      return true
    }

    private func begin(at commit: UInt64) {
      self.commit = commit
      number = Self.transactions.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Ends the transaction and gives the connection back; a generation's transaction continues.
    override func end() {
      if !isPinned { endTransaction() }
    }

    private func endTransaction() {
      prefetched = nil
      lock.lock()
      let (ended, pool) = (connection, pool)
      connection = nil
      pinnedCommit = .max
      if isOnReplica, reader == nil { ownRows = nil }
      isOnReplica = false
      lock.unlock()
      if let ended { pool.give(ended) }
    }

    /// Ends the transaction and hands the connection over, if it was not used for this time; returns nil if it is in
    /// use.
    func surrender(ifUnusedFor duration: Duration) -> ServerConnection? {
      guard lock.try() else { return nil }
      defer { lock.unlock() }
      guard let surrendered = connection, .now - lastUse >= duration else { return nil }
      connection = nil
      pinnedCommit = .max
      return surrendered
    }

    // MARK: Query generations, on the context's queue

    /// Reads in a query generation from now on, or stops doing so.
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

    override func makeOwnRows() -> RowCache? {
      if let reader { return reader.makeOwnRows() }
      // The rows belong to one transaction: the next one may read another state of the replica.
      return isOnReplica ? RowCache(entityCount: store.model.entities.count, byteLimit: 64 << 20, floor: 0) : nil
    }
  }

  extension ReadTransaction {
    /// This transaction as one that a store in a server has made.
    var onServer: ServerReadTransaction {
      guard let own = self as? ServerReadTransaction else {
        preconditionFailure("A store in a server reads in transactions that it has made.")
      }
      return own
    }
  }
#endif
