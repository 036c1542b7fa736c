#if PostgreSQL
  import CPostgreSQL

  /// One flight while it runs: what was sent, which answers are awaited, and the errors.
  ///
  /// Results are read while statements are still being sent: a server that cannot send its results does not read statements.
  struct FlightRun: ~Copyable {
    /// The next answers of the server, in the order of the requests.
    enum Awaited {
      /// The answer to the deallocation of one of `deallocated`.
      case deallocation(Int)
      case preparation(step: Int, index: Int)
      case statement(step: Int, index: Int, isNamed: Bool)
      case settings
      case sync
    }

    /// The connection cannot be used any more.
    struct Loss: Error {
      var isTimedOut = false
    }

    let flight: Flight
    let connection: ServerConnection
    let handle: OpaquePointer
    var patience: FlightPatience

    // Sending
    var nextStep = 0
    var nextIndex = 0
    var segment = 0
    var hasSentAll = false
    /// Whether the socket takes no more for now.
    var isBlocked = false
    var unflushedBytes = 0
    var unansweredBytes = 0
    var unansweredStatements = 0
    /// Decides before which statements the settings of the place are sent. Used only if the place has settings for each
    /// transaction.
    var settings: LocalSettings.Progress

    // Reading
    private(set) var awaited: [Awaited] = []
    /// The names of the statements that are deallocated.
    var deallocated: [StatementName] = []
    private var firstAwaited = 0
    /// Whether the current statement has given a result already.
    private var hasBegun = false
    var error: ServerError?
    var handlerError: (any Error)?
    /// The object that is told about the flight's statements.
    var observation: (any FlightObservation)?
    /// The number of rows that the current statement has given.
    var rows = 0
    /// The number of rows that were read without being used.
    var surplusRows = 0
    private(set) var isLost = false

    init(
      _ flight: Flight, on connection: ServerConnection, handle: OpaquePointer, deadline: ContinuousClock.Instant?
    ) {
      self.flight = flight
      self.connection = connection
      self.handle = handle
      patience = FlightPatience(deadline: deadline)
      settings = LocalSettings.Progress(isWithin: connection.transactionStatus != .idle)
      awaited.reserveCapacity(2 * flight.steps.count + 2)
    }

    var hasAwaited: Bool { firstAwaited < awaited.count }

    mutating func expect(_ next: Awaited) {
      if firstAwaited == awaited.count {
        awaited.removeAll(keepingCapacity: true)
        firstAwaited = 0
      }
      awaited.append(next)
    }

    /// The statement of a step.
    @inline(__always)
    func request(_ step: Int) -> Flight.Request {
      guard case .statement(let request) = flight.steps[step] else { preconditionFailure("a sync is no statement") }
      return request
    }

    /// Sends all statements and reads all results.
    /// - Returns: the first error.
    mutating func run() -> (any Error)? {
      do {
        try sendDeallocations()
        while true {
          if !isBlocked, !hasSentAll { try send() }
          try read()
          if hasSentAll, !hasAwaited { break }
          if isBlocked || hasSentAll { try wait() }
        }
      } catch {
        isLost = true
        noteLoss(error as? Loss ?? Loss())
      }
      if let handlerError { return handlerError }
      return error
    }

    /// Waits for the server, or until there is something to do that does not depend on the server.
    private mutating func wait() throws {
      let isAsked = connection.canceller.wasAsked
      if patience.isBoundless, !isAsked {
        // Most flights have no deadline, so the clock need not be read.
        return try take(ServerSocket.wait(for: PQsocket(handle), writing: isBlocked, milliseconds: 1000))
      }
      switch patience.next(isAnswered: error != nil, isAsked: isAsked) {
      case .giveUp: throw Loss(isTimedOut: true)
      case .cancel: stop()
      case .wait: break
      }
      try take(ServerSocket.wait(for: PQsocket(handle), writing: isBlocked, until: patience.limit))
    }

    /// Asks the server to stop, unless the flight has sent a COMMIT.
    func stop() {
      if let commit = flight.commit, nextStep > commit { return }
      connection.canceller.sendInBackground()
    }

    /// Reads or writes, depending on what the socket is ready for.
    private mutating func take(_ events: ServerSocket.Events) throws {
      if events.contains(.readable), PQconsumeInput(handle) == 0 { throw Loss() }
      if isBlocked, !events.isEmpty { isBlocked = try !flush() }
    }

    /// Handles the results that have arrived.
    private mutating func read() throws {
      while hasAwaited {
        if !hasBegun {
          hasBegun = true
          if streams(awaited[firstAwaited]) { _ = cpostgresql_stream_rows(handle) }
        }
        if PQisBusy(handle) != 0 { return }
        guard let result = PQgetResult(handle) else { throw Loss() }
        if cpostgresql_is_streamed(result) == 0 {
          try end(result)
        } else {
          handle(ServerResult(result), of: awaited[firstAwaited])
        }
        if PQstatus(handle) == CONNECTION_BAD { throw Loss() }
      }
    }

    /// Handles the last result of the answer that is awaited.
    private mutating func end(_ result: OpaquePointer) throws {
      let current = awaited[firstAwaited], status = PQresultStatus(result)
      if status == PGRES_PIPELINE_SYNC {
        PQclear(result)
        guard case .sync = current else { throw Loss() }
        firstAwaited += 1
        hasBegun = false
        return
      }
      // An error may come together with a sync, such as that of a constraint that is checked at the end of the transaction.
      // The sync itself is still awaited then.
      if case .sync = current {} else { firstAwaited += 1 }
      hasBegun = false
      // libpq's NULL at the end is read first, because the functions that `conclude` calls may take long.
      if let surplus = PQgetResult(handle) {
        PQclear(surplus)
        PQclear(result)
        throw Loss()
      }
      conclude(current, with: result, status)
    }

    private mutating func noteLoss(_ loss: Loss) {
      // If writing failed first, the server's last results have not been read yet, and may say why.
      if PQstatus(handle) == CONNECTION_BAD, error == nil {
        var results = 0
        while results < 100_000, let result = PQgetResult(handle) {
          if error == nil, PQresultStatus(result) == PGRES_FATAL_ERROR { error = ServerError(result: result) }
          PQclear(result)
          results += 1
        }
      }
      if loss.isTimedOut {
        error = ServerError(sqlState: "57014", message: "the server did not answer in time")
        error?.isTimedOut = true
      }
      if error == nil { error = ServerError.lost(handle) }
      error?.isConnectionLost = true
    }

    private func streams(_ awaited: Awaited) -> Bool {
      guard case .statement(let step, _, _) = awaited else { return false }
      return request(step).streams
    }
  }
#endif
