/// The decisions of a pool of readers: how many connections there may be, which connection a reader gets, and whether a
/// connection that comes back is kept.
///
/// A state machine without connections, threads or time. `Connection` may be any type, so that a test can go through every
/// order of events. `ReaderPool` carries out the decisions under one lock.
struct ReaderPoolPolicy<Connection> {
  /// The largest number of read transactions, and also the largest number of query generations.
  let limit: Int
  /// Counts the changes of the database. A connection belongs to the database that was current when it was opened.
  private(set) var database = 0
  private(set) var isClosed = false
  /// Connections without a transaction.
  private(set) var idle: [Connection] = []
  /// Connections that are idle or in a read transaction.
  private(set) var openCount = 0
  /// The read transactions that have a connection.
  private(set) var transactions: Set<ObjectIdentifier> = []
  /// The readers of query generations, each of which has a connection.
  private(set) var generations: Set<ObjectIdentifier> = []
  /// Whether idle transactions will be looked for soon.
  private(set) var reaperIsSet = false

  init(limit: Int) { self.limit = limit }

  /// The connection that a reader gets.
  enum Grant {
    case idle(Connection)
    /// A new connection, which is counted already; `failedToOpen` undoes that.
    case new
    /// There are as many connections as are allowed.
    case none
  }

  /// Whether a connection that comes back is kept in the pool.
  enum Return { case kept, dropped }

  // MARK: Read transactions

  /// A transaction begins, if there is a connection for it.
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

  /// Ends a transaction whose connection goes to another one, unless the connection is to an earlier database.
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

  /// A transaction ends.
  mutating func give(_ connection: Connection, of database: Int, from transaction: ObjectIdentifier) -> Return {
    transactions.remove(transaction)
    guard !isClosed, database == self.database else {
      openCount -= 1
      return .dropped
    }
    idle.append(connection)
    return .kept
  }

  /// A transaction has gone without ending; its connection came back before.
  mutating func forget(_ transaction: ObjectIdentifier) { transactions.remove(transaction) }

  // MARK: Query generations

  /// A generation begins. Its connection does not count among those of transactions.
  mutating func pin(_ reader: ObjectIdentifier) -> Grant {
    guard generations.count < limit else { return .none }
    generations.insert(reader)
    guard let connection = idle.popLast() else { return .new }
    openCount -= 1
    return .idle(connection)
  }

  mutating func failedToOpen(forGeneration reader: ObjectIdentifier) { generations.remove(reader) }

  /// A generation ends.
  mutating func unpin(_ connection: Connection, of database: Int, from reader: ObjectIdentifier) -> Return {
    generations.remove(reader)
    guard !isClosed, database == self.database, openCount < limit else { return .dropped }
    idle.append(connection)
    openCount += 1
    return .kept
  }

  // MARK: The database

  /// New connections are opened to another database from now on. Connections in use are closed when they are returned.
  mutating func changeDatabase() {
    database += 1
    dropIdle()
  }

  /// Nothing is kept any more.
  mutating func close() {
    isClosed = true
    dropIdle()
  }

  private mutating func dropIdle() {
    openCount -= idle.count
    idle = []
  }

  // MARK: Taking back what is idle

  /// A reader has come or gone.
  /// - Returns: whether the reaper is to be set now.
  mutating func setsReaper() -> Bool {
    if reaperIsSet { return false }
    reaperIsSet = true
    return true
  }

  /// Idle transactions have been taken back.
  /// - Returns: whether to do so again later, and whether there is no reader now.
  mutating func reaped() -> (again: Bool, isIdle: Bool) {
    reaperIsSet = !transactions.isEmpty && !isClosed
    return (reaperIsSet, transactions.isEmpty && !isClosed)
  }
}
