#if PostgreSQL
  /// What a pool of connections decides: how many there may be, who gets the next one, what becomes of one that comes back.
  ///
  /// A state machine without connections, threads or time: `Connection` may be anything, so that a test can drive it through
  /// every order of events. `ConnectionPool` does what it says, under one lock.
  struct ConnectionPoolPolicy<Connection> {
    /// What a taker gets.
    enum Grant {
      case idle(Connection)
      /// A new one, which is counted already; `failedToOpen` takes that back.
      case new
      /// The pool is closed.
      case closed
    }

    /// What becomes of a connection that comes back.
    enum Return { case kept, dropped }

    /// How many connections there may be.
    let limit: Int
    /// How many are open or being opened.
    private(set) var openCount = 0
    private(set) var isClosed = false
    /// Those that nobody has; the one that was used last is the next to be taken, so that the others may rest.
    private(set) var idle: [Connection] = []
    /// The tickets of those that wait, in their order.
    private(set) var waiting: [Int] = []
    /// What was decided for those who have waited and have not looked yet.
    private var granted: [Int: Grant] = [:]
    private var lastTicket = 0

    init(limit: Int) { self.limit = max(1, limit) }

    /// Somebody wants a connection, and stands at the end of the queue.
    /// - Returns: a ticket for `collect`.
    mutating func take() -> Int {
      lastTicket += 1
      waiting.append(lastTicket)
      serve()
      return lastTicket
    }

    /// A connection that nobody has, where nobody waits for one; nil otherwise.
    mutating func takeIdle() -> Connection? { waiting.isEmpty && !isClosed ? idle.popLast() : nil }

    /// What there is for a ticket by now; nil while it waits.
    mutating func collect(_ ticket: Int) -> Grant? { granted.removeValue(forKey: ticket) }

    /// The one with that ticket gives up waiting. Only after `collect` has given nil for it: else a connection would be
    /// lost.
    mutating func giveUp(_ ticket: Int) { waiting.removeAll { $0 == ticket } }

    /// A connection comes back.
    /// - Parameter isUsable: whether somebody else can use it.
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

    /// Takes out those that nobody has and that are meant, to be given back: for housekeeping.
    mutating func borrowIdle(where isMeant: (Connection) -> Bool) -> [Connection] {
      let borrowed = idle.filter(isMeant)
      idle.removeAll(where: isMeant)
      return borrowed
    }

    /// The new connection that was granted could not be opened: another may try.
    mutating func failedToOpen() {
      openCount -= 1
      serve()
    }

    /// Nobody gets a connection any more.
    /// - Returns: those that nobody has.
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
