#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// The transaction of one batch request, on one connection. Its statements are collected and sent as flights. None of their
  /// effects is permanent before `commit`.
  ///
  /// Used by one thread.
  final class BatchTransaction {
    let store: ServerStore
    let options: BatchOptions
    /// The changes that the statements have reported so far.
    var changes = BatchChanges()
    /// What the commit reports.
    let outcome = SaveOutcome()
    let token: UUID
    /// The question for the commits of other programs, which is asked before anything is written.
    let question: ManyWritersFreshness.Question
    /// Whether COMMIT was sent. If the connection is lost then, it is unknown whether the server has committed.
    private(set) var isCommitting = false
    /// Whether written rows are noted in a table of keys, for attributes that are derived from them.
    var notesWritten = false
    private let source: HistorySource
    private let connection: ServerConnection
    var pending: SaveFlight

    init(
      _ store: ServerStore, _ options: BatchOptions, _ source: HistorySource, _ question: ManyWritersFreshness.Question,
      _ connection: ServerConnection, seesOneState: Bool
    ) {
      (self.store, self.options, self.source, self.question) = (store, options, source, question)
      self.connection = connection
      token = store.tokens.next()
      pending = SaveFlight(store)
      pending.add(seesOneState ? Self.beginOnOneState : ServerStore.beginWriting)
    }

    private static let beginOnOneState = ServerStatement("BEGIN ISOLATION LEVEL REPEATABLE READ", isWork: false)

    // MARK: Statements

    /// Adds a statement that was made for this request only.
    func add(
      _ text: String, types: [UInt32] = [], _ values: ServerValues = ServerValues(), isPrepared: Bool = false,
      _ onResult: Flight.Handler? = nil
    ) {
      pending.add(ServerStatement(text, types: types, isPrepared: isPrepared), values, onResult)
    }

    /// Adds a statement of the relational layer.
    func add(_ statement: SQLStatement, _ onResult: Flight.Handler? = nil) throws {
      let values = try values(of: statement)
      pending.add(try ServerStatement(statement, isPrepared: false), values, onResult)
    }

    /// Returns the values of a statement's variables. Values that depend on what columns contain are looked up now.
    func values(of statement: SQLStatement) throws -> ServerValues {
      if statement.resolutions.isEmpty { return try ServerValues(statement) }
      if pendingCount > 0 { try send() }
      return try store.resolved(statement, on: connection)
    }

    /// Adds the statement that takes blocks of keys.
    func addNewKeys(_ blocks: Int64, of root: SQLEntity) { store.addNewKeys(blocks, of: root, to: &pending.flight) }

    /// The number of statements that wait to be sent.
    var pendingCount: Int { pending.flight.statementCount }

    /// Sends the collected statements, and handles the answers.
    func send() throws {
      let flight = pending.flight
      pending = SaveFlight(store)
      try connection.run(flight)
    }

    /// Adds the statement that is needed before rows are inserted.
    func prepareToInsertRows() {
      if !store.copySupport.isKnown { add(CopySupport.savepoint) }
    }

    /// Inserts rows into a table, after the collected statements; see `ServerConnection.insertRows`.
    func insertRows(
      into place: String, _ types: [SQLColumnType], _ next: (inout [UInt8]) throws -> Bool
    ) throws {
      if pendingCount > 0 { try send() }
      try connection.insertRows(into: place, types: types, store.copySupport, next)
    }

    // MARK: The end

    /// Sends the remaining statements, and commits.
    func commit() throws {
      pending.writeCommit(token, source, outcome)
      pending.add(ServerStore.commitWriting)
      var values = store.delta.values(question)
      values.append(token)
      pending.add(store.delta.statementOfOthers, values) { [store, outcome] result in
        outcome.answer = try store.delta.answer(result, root: store.rootNumber)
      }
      pending.noteWritten()
      pending.flight.sync()
      isCommitting = true
      try send()
    }

    /// Rolls the transaction back. A connection on which this fails is not used again.
    func rollBack() {
      guard connection.isUsable, connection.transactionStatus != .idle else { return }
      var flight = Flight()
      flight.add(ServerStore.rollback)
      do { try connection.run(flight) } catch { connection.close() }
    }
  }
#endif
