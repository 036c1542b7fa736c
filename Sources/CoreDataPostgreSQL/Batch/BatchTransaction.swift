#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// The transaction of one batch request, on one connection. Its statements are collected and sent as flights; nothing
  /// that they do is permanent before `commit`.
  ///
  /// Used by one thread.
  final class BatchTransaction {
    let store: ServerStore
    let options: BatchOptions
    /// The changes that the statements have reported so far.
    var changes = BatchChanges()
    /// The results of the commit.
    let outcome = SaveOutcome()
    let token: UUID
    /// The question for the changes of other programs; made before anything is written.
    let question: ManyWritersFreshness.Question
    /// Whether COMMIT was sent: if the connection is lost then, it is unknown whether the server
    /// committed.
    private(set) var isCommitting = false
    /// Whether rows that are written are also noted in a private table of keys, for the attributes that derive from
    /// them.
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

    /// Adds a statement whose text is composed for this request.
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

    /// Returns the values of a statement's variables. If they depend on the contents of columns, the columns are looked
    /// up now.
    func values(of statement: SQLStatement) throws -> ServerValues {
      if statement.resolutions.isEmpty { return try ServerValues(statement) }
      if pendingCount > 0 { try send() }
      return try store.resolved(statement, on: connection)
    }

    /// Adds the statement that takes blocks of keys.
    func addNewKeys(_ blocks: Int64, of root: SQLEntity) { store.addNewKeys(blocks, of: root, to: &pending.flight) }

    /// How many statements wait to be sent.
    var pendingCount: Int { pending.flight.statementCount }

    /// Sends what was added, and handles the answers.
    func send() throws {
      let flight = pending.flight
      pending = SaveFlight(store)
      try connection.run(flight)
    }

    /// Adds the savepoint that `insertRows` needs while it is not known whether the server accepts COPY.
    func prepareToInsertRows() {
      if !store.copySupport.isKnown { add(CopySupport.savepoint) }
    }

    /// Inserts rows into a table, after the added statements are sent; see `ServerConnection.insertRows`.
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
      pending.endWriting(outcome)
      var values = store.delta.values(question)
      values.append(token)
      pending.add(store.delta.statementOfOthers, values) { [store, outcome] result in
        outcome.answer = try store.delta.answer(result, root: store.rootNumber)
      }
      pending.noteWritten()
      pending.flight.sync()
      isCommitting = true
      defer { outcome.isUnconfirmed = connection.isUnconfirmed }
      try send()
    }

    /// Rolls the transaction back. A connection that fails to do so is closed, because others cannot use it.
    func rollBack() {
      guard connection.isUsable, connection.transactionStatus != .idle else { return }
      var flight = Flight()
      flight.add(ServerStore.rollback)
      do { try connection.run(flight) } catch { connection.close() }
    }
  }
#endif
