/// The decisions of a pool of readers: how many connections there may be, which connection a reader gets, and what becomes of
/// a connection that comes back.
///
/// A state machine without connections, threads or time: `Connection` may be any type, so that a test can drive the machine
/// through every order of events. `ReaderPool` carries the decisions out, under one lock.
struct ReaderPoolPolicy<Connection> {
  /// How many read transactions there may be, and also how many query generations beside them.
  let limit: Int
  /// The number of the pool's present database. A connection belongs to the database that was present when the connection was
  /// opened.
  private(set) var database = 0
  private(set) var isClosed = false
  /// The connections on which no transaction is open.
  private(set) var idle: [Connection] = []
  /// The number of connections that are idle or in a read transaction.
  private(set) var openCount = 0
  /// The read transactions that have a connection.
  private(set) var transactions: Set<ObjectIdentifier> = []
  /// The readers of query generations, each of which has a connection.
  private(set) var generations: Set<ObjectIdentifier> = []
  /// Whether the pool will soon look for idle transactions.
  private(set) var reaperIsSet = false

  init(limit: Int) { self.limit = limit }

  /// Where a reader gets its connection from.
  enum Grant {
    case idle(Connection)
    /// The caller opens a new connection. It is counted already; `failedToOpen` undoes that.
    case new
    /// No connection: there are as many as there may be.
    case none
  }

  /// What becomes of a connection that comes back.
  enum Return { case kept, dropped }

  // MARK: Read transactions

  /// Notes that a transaction begins, if there is a connection for it.
  mutating func take(_ transaction: ObjectIdentifier) -> Grant {
    if let connection = idle.popLast() {
      transactions.insert(transaction)
      return .idle(connection)
    }
    guard openCount < limit else { return .none }
    openCount += 1
    transactions.insert(transaction)
    return .new
  }

  mutating func failedToOpen(for transaction: ObjectIdentifier) {
    transactions.remove(transaction)
    openCount -= 1
  }

  /// Notes that a transaction ends and that another one takes over its connection, unless the connection belongs to an
  /// earlier database.
  /// - Returns: whether the other transaction has the connection now.
  mutating func handOver(of database: Int, from transaction: ObjectIdentifier, to next: ObjectIdentifier) -> Bool {
    transactions.remove(transaction)
    guard database == self.database else {
      openCount -= 1
      return false
    }
    transactions.insert(next)
    return true
  }

  /// Notes that a transaction ends.
  mutating func give(_ connection: Connection, of database: Int, from transaction: ObjectIdentifier) -> Return {
    transactions.remove(transaction)
    guard !isClosed, database == self.database else {
      openCount -= 1
      return .dropped
    }
    idle.append(connection)
    return .kept
  }

  /// Notes that a transaction was deallocated without ending; its connection came back before.
  mutating func forget(_ transaction: ObjectIdentifier) { transactions.remove(transaction) }

  // MARK: Query generations

  /// Notes that a generation begins. Its connection does not count among those of transactions.
  mutating func pin(_ reader: ObjectIdentifier) -> Grant {
    guard generations.count < limit else { return .none }
    generations.insert(reader)
    guard let connection = idle.popLast() else { return .new }
    openCount -= 1
    return .idle(connection)
  }

  mutating func failedToOpen(forGeneration reader: ObjectIdentifier) { generations.remove(reader) }

  /// Notes that a generation ends.
  mutating func unpin(_ connection: Connection, of database: Int, from reader: ObjectIdentifier) -> Return {
    generations.remove(reader)
    guard !isClosed, database == self.database, openCount < limit else { return .dropped }
    idle.append(connection)
    openCount += 1
    return .kept
  }

  // MARK: The database

  /// Notes that connections are opened to another database from now on. Connections that are in use are dropped when they
  /// come back.
  mutating func changeDatabase() {
    database += 1
    dropIdle()
  }

  /// Drops the idle connections; connections that come back later are dropped, too.
  mutating func close() {
    isClosed = true
    dropIdle()
  }

  private mutating func dropIdle() {
    openCount -= idle.count
    idle = []
  }

  // MARK: Taking back what is idle

  /// Notes that a reader has come or gone.
  /// - Returns: whether the caller must schedule the reaper now.
  mutating func setsReaper() -> Bool {
    if reaperIsSet { return false }
    reaperIsSet = true
    return true
  }

  /// Notes that idle transactions have been taken back.
  /// - Returns: whether to do so again later, and whether no read transaction is left.
  mutating func reaped() -> (again: Bool, isIdle: Bool) {
    reaperIsSet = !transactions.isEmpty && !isClosed
    return (reaperIsSet, transactions.isEmpty && !isClosed)
  }
}
