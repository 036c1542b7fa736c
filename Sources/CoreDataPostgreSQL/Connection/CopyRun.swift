#if PostgreSQL
  import CPostgreSQL

  /// The execution of one COPY.
  struct CopyRun {
    /// How many bytes are given to libpq at once.
    private static let pieceSize = 1 << 16
    /// The beginning of a binary copy: a signature, flags, the length of the header's extension.
    private static let header = Array("PGCOPY\n".utf8) + [0xff, 13, 10, 0] + [UInt8](repeating: 0, count: 8)
    /// The end of a binary copy: -1 in place of a row's number of columns.
    private static let trailer: [UInt8] = [0xff, 0xff]

    private let text: String
    private let connection: ServerConnection
    private let handle: OpaquePointer
    private var patience: FlightPatience
    private var error: ServerError?
    private var handlerError: (any Error)?
    private(set) var isLost = false
    private(set) var rowCount = 0

    init(_ text: String, on connection: ServerConnection, handle: OpaquePointer, deadline: ContinuousClock.Instant?) {
      self.text = text
      self.connection = connection
      self.handle = handle
      patience = FlightPatience(deadline: deadline)
    }

    /// Sends the rows that `next` makes.
    /// - Returns: the first error.
    mutating func run(_ next: (inout [UInt8]) throws -> Bool) -> (any Error)? {
      do {
        guard PQsendQueryParams(handle, text, 0, nil, nil, nil, nil, 1) == 1 else { throw FlightRun.Loss() }
        try flush()
        if try readResults() {
          try sendRows(next)
          _ = try readResults()
        }
      } catch {
        isLost = true
        noteLoss(error as? FlightRun.Loss ?? FlightRun.Loss())
      }
      if let handlerError { return handlerError }
      return error
    }

    private mutating func sendRows(_ next: (inout [UInt8]) throws -> Bool) throws {
      var pending = Self.header, rows: [UInt8] = []
      pending.reserveCapacity(2 * Self.pieceSize)
      var goesOn = true
      while goesOn {
        rows.removeAll(keepingCapacity: true)
        do { goesOn = try next(&rows) } catch {
          handlerError = error
          return try end("the rows could not be made")
        }
        // A large lot of rows is sent as it is, and not copied to `pending`.
        if rows.count < Self.pieceSize {
          pending += rows
          if pending.count < Self.pieceSize { continue }
        } else {
          if !pending.isEmpty { try put(pending) }
          swap(&pending, &rows)
        }
        try put(pending)
        pending.removeAll(keepingCapacity: true)
      }
      try put(pending + Self.trailer)
      try end(nil)
    }

    private mutating func put(_ bytes: [UInt8]) throws {
      // libpq takes the length of a piece as a number of 31 bits.
      for start in stride(from: 0, to: bytes.count, by: 1 << 24) {
        let count = min(bytes.count - start, 1 << 24)
        let code = bytes.withUnsafeBytes { bytes in
          let piece = bytes[start..<start + count].assumingMemoryBound(to: CChar.self)
          return PQputCopyData(handle, piece.baseAddress, Int32(count))
        }
        guard code == 1 else { throw FlightRun.Loss() }
        try flush()
      }
    }

    private mutating func end(_ problem: String?) throws {
      guard PQputCopyEnd(handle, problem) == 1 else { throw FlightRun.Loss() }
      try flush()
    }

    /// Sends all bytes that libpq has buffered.
    private mutating func flush() throws {
      while true {
        let code = PQflush(handle)
        if code < 0 { throw FlightRun.Loss() }
        if code == 0 { return }
        try wait(writing: true)
      }
    }

    /// Reads results up to the end, or up to the one with which the server asks for rows.
    /// - Returns: whether the server asks for rows.
    private mutating func readResults() throws -> Bool {
      while true {
        while PQisBusy(handle) != 0 { try wait(writing: false) }
        guard let result = PQgetResult(handle) else { break }
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_COPY_IN:
          return true
        case PGRES_COMMAND_OK:
          rowCount = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
        case PGRES_FATAL_ERROR:
          note(ServerError(result: result))
        case PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
          note(ServerError(message: "the statement is no COPY … FROM STDIN"))
        default:
          // This is another kind of COPY, and there is no known way to end it.
          note(ServerError(message: "the statement is no COPY … FROM STDIN"))
          throw FlightRun.Loss()
        }
      }
      if PQstatus(handle) != CONNECTION_OK { throw FlightRun.Loss() }
      return false
    }

    private mutating func wait(writing: Bool) throws {
      switch patience.next(isAnswered: error != nil, isAsked: connection.canceller.wasAsked) {
      case .giveUp: throw FlightRun.Loss(isTimedOut: true)
      case .cancel: connection.canceller.sendInBackground()
      case .wait: break
      }
      let events = ServerSocket.wait(for: PQsocket(handle), writing: writing, until: patience.limit)
      if events.contains(.readable), PQconsumeInput(handle) == 0 { throw FlightRun.Loss() }
    }

    private mutating func note(_ failure: ServerError) {
      // The server reports a failure because `next` has failed.
      guard error == nil, handlerError == nil else { return }
      var failure = failure
      failure.text = text
      failure.isTimedOut = patience.hasDeadlinePassed && failure.sqlState == "57014"
      error = failure
    }

    private mutating func noteLoss(_ loss: FlightRun.Loss) {
      if loss.isTimedOut {
        error = ServerError(sqlState: "57014", message: "the server did not answer in time", isTimedOut: true)
      }
      if error == nil { error = ServerError.lost(handle) }
      error?.isConnectionLost = true
    }
  }
#endif
