#if PostgreSQL
  import CPostgreSQL

  extension FlightRun {
    /// How many bytes libpq may buffer before they are given to the socket.
    private static let flushSize = 1 << 16

    /// Deallocates prepared statements that are not used any more, in a segment of their own: an error in it belongs to
    /// no statement of the flight.
    mutating func sendDeallocations() throws {
      let names = connection.prepared.beginFlight(isIdle: connection.transactionStatus == .idle)
      guard !names.isEmpty else { return }
      for name in names {
        try check(PQsendQueryParams(handle, "DEALLOCATE \"\(name)\"", 0, nil, nil, nil, nil, 1))
        deallocated.append(name)
        expect(.deallocation(deallocated.count - 1))
      }
      try sendSync()
    }

    /// Sends steps until all are sent or the socket takes no more.
    mutating func send() throws {
      while nextStep < flight.steps.count {
        switch flight.steps[nextStep] {
        case .sync: try sendSync()
        case .statement(let request): try send(request)
        }
        nextStep += 1
        if unflushedBytes >= Self.flushSize {
          unflushedBytes = 0
          if try !flush() {
            isBlocked = true
            return
          }
        }
      }
      if !flight.endsWithSync { try sendSync() }
      hasSentAll = true
      isBlocked = try !flush()
    }

    private mutating func send(_ request: Flight.Request) throws {
      let statement = request.statement
      precondition(!request.values.array.isOpen, "an array was begun and not ended")
      if let local = connection.localSettings, settings.needsSettings(before: statement.text) {
        try check(PQsendQueryParams(handle, local.text, 0, nil, nil, nil, nil, 1))
        expect(.settings)
      }
      let name = connection.usesNamedStatements ? statement.name : .none
      let use = connection.prepared.use(name, in: segment)
      if use == .prepare {
        try check(PQsendPrepare(handle, name.text, statement.text, Int32(statement.types.count), statement.types))
        expect(.preparation(step: nextStep, index: nextIndex))
      }
      let handle = handle
      let code = connection.arguments.with(request.values) { count, starts, lengths, formats in
        if use == .unnamed {
          // libpq reads a type for each value.
          let types = statement.types + Array(repeating: 0, count: max(0, Int(count) - statement.types.count))
          return PQsendQueryParams(handle, statement.text, count, types, starts, lengths, formats, 1)
        }
        return name.characters.withUnsafeBufferPointer {
          PQsendQueryPrepared(handle, $0.baseAddress, count, starts, lengths, formats, 1)
        }
      }
      try check(code)
      expect(.statement(step: nextStep, index: nextIndex, isNamed: use != .unnamed))
      nextIndex += 1
      let size = request.values.bytes.count
      unflushedBytes += size + 64
      unansweredBytes += size
      unansweredStatements += 1
      // Without a flush request the server would keep its results until its buffer is full, and the client would have
      // all of them to read at the end.
      if unansweredBytes >= 1 << 20 || unansweredStatements >= 2_000 {
        unansweredBytes = 0
        unansweredStatements = 0
        try check(PQsendFlushRequest(handle))
      }
    }

    private mutating func sendSync() throws {
      try check(PQpipelineSync(handle))
      expect(.sync)
      settings.endSegment()
      segment += 1
    }

    /// Gives the bytes that libpq has buffered to the socket.
    /// - Returns: false if the socket takes no more for now.
    func flush() throws -> Bool {
      let code = PQflush(handle)
      if code < 0 { throw Loss() }
      return code == 0
    }

    private func check(_ code: Int32) throws {
      if code != 1 { throw Loss() }
    }
  }
#endif
