#if PostgreSQL
  /// The decisions of a pool of connections: how many there may be, which thread gets the next one, and whether a connection
  /// that comes back is kept.
  ///
  /// A state machine without connections, threads or time. `Connection` may be any type, so that a test can go through every
  /// order of events. `ConnectionPool` carries out the decisions under one lock.
  struct ConnectionPoolPolicy<Connection> {
    /// The result for a thread that wants a connection.
    enum Grant {
      case idle(Connection)
      /// The thread opens a new connection, which is counted already; `failedToOpen` takes the count back.
      case new
      /// The pool is closed.
      case closed
    }

    /// Whether a connection that comes back is kept in the pool.
    enum Return { case kept, dropped }

    /// The largest number of connections.
    let limit: Int
    /// The number of connections that are open or being opened.
    private(set) var openCount = 0
    private(set) var isClosed = false
    /// The connections in the pool. The one that was used last is taken first, so that the others stay unused for longer.
    private(set) var idle: [Connection] = []
    /// The tickets of the threads that wait, in order.
    private(set) var waiting: [Int] = []
    /// The results for threads that have waited and have not called `collect` yet.
    private var granted: [Int: Grant] = [:]
    private var lastTicket = 0

    init(limit: Int) { self.limit = max(1, limit) }

    /// Notes that a thread wants a connection, and puts it at the end of the queue.
    /// - Returns: a ticket for `collect`.
    mutating func take() -> Int {
      lastTicket += 1
      waiting.append(lastTicket)
      serve()
      return lastTicket
    }

    /// Returns a connection of the pool if no thread waits for one; otherwise nil.
    mutating func takeIdle() -> Connection? { waiting.isEmpty && !isClosed ? idle.popLast() : nil }

    /// Returns the result for a ticket; nil while its thread has to wait.
    mutating func collect(_ ticket: Int) -> Grant? { granted.removeValue(forKey: ticket) }

    /// Notes that the thread with that ticket stops waiting. Call it only after `collect` has returned nil for the ticket:
    /// otherwise a connection would be lost.
    mutating func giveUp(_ ticket: Int) { waiting.removeAll { $0 == ticket } }

    /// Takes a connection back.
    /// - Parameter isUsable: whether another thread can use the connection.
    mutating func give(_ connection: Connection, isUsable: Bool) -> Return {
      guard isUsable, !isClosed else {
        openCount -= 1
        serve()
        return .dropped
      }
      idle.append(connection)
      serve()
      return .kept
    }

    /// Takes those connections out of the pool for which `isMeant` is true. The caller uses them for housekeeping, and gives
    /// them back.
    mutating func borrowIdle(where isMeant: (Connection) -> Bool) -> [Connection] {
      let borrowed = idle.filter(isMeant)
      idle.removeAll(where: isMeant)
      return borrowed
    }

    /// Notes that a new connection could not be opened. Another thread may try.
    mutating func failedToOpen() {
      openCount -= 1
      serve()
    }

    /// Closes the pool: no thread gets a connection any more.
    /// - Returns: the connections that were in the pool.
    mutating func close() -> [Connection] {
      isClosed = true
      let dropped = idle
      idle = []
      openCount -= dropped.count
      serve()
      return dropped
    }

    private mutating func serve() {
      var served = 0
      for ticket in waiting {
        if isClosed {
          granted[ticket] = .closed
        } else if let connection = idle.popLast() {
          granted[ticket] = .idle(connection)
        } else if openCount < limit {
          openCount += 1
          granted[ticket] = .new
        } else {
          break
        }
        served += 1
      }
      waiting.removeFirst(served)
    }
  }
#endif
