#if PostgreSQL
  import CPostgreSQL

  extension FlightRun {
    /// The number of rows that are read without being used before the server is asked to stop.
    private static let surplusLimit = 1_000

    /// Gives a result to its statement's handler, if no handler has failed so far.
    mutating func handle(_ result: consuming ServerResult, of awaited: Awaited) {
      rows += result.rowCount
      guard handlerError == nil else {
        let rows = surplusRows
        surplusRows += result.rowCount
        if rows < Self.surplusLimit, surplusRows >= Self.surplusLimit { stop() }
        if case .statement(let step, _, _) = awaited, request(step).role != .usual {
          try? request(step).handler?(result)
        }
        return
      }
      guard case .statement(let step, _, _) = awaited, let handler = request(step).handler else { return }
      do { try handler(result) } catch { handlerError = error }
    }

    /// Handles the last result of an element of `awaited`.
    mutating func conclude(_ awaited: Awaited, with result: OpaquePointer, _ status: ExecStatusType) {
      defer {
        if let observation, case .statement(let step, _, _) = awaited {
          observation.end(request(step).statement, rows: rows)
        }
        rows = 0
      }
      switch status {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
        succeed(awaited, with: ServerResult(result))
      case PGRES_PIPELINE_ABORTED:
        if case .preparation(let step, _) = awaited { connection.prepared.fail(request(step).statement.name) }
        PQclear(result)
      default:
        fail(awaited, with: result)
        PQclear(result)
      }
    }

    private mutating func succeed(_ awaited: Awaited, with result: consuming ServerResult) {
      switch awaited {
      case .deallocation(let place): connection.prepared.forget(deallocated[place])
      case .preparation(let step, _): connection.prepared.confirm(request(step).statement.name)
      case .sync, .settings: break
      case .statement(let step, _, _):
        // The result that follows streamed rows has no rows.
        if request(step).streams, result.columnCount > 0, result.rowCount == 0 { return }
        handle(result, of: awaited)
      }
    }

    private mutating func fail(_ awaited: Awaited, with result: OpaquePointer) {
      var failure = ServerError(result: result)
      switch awaited {
      case .deallocation(let place):
        // The server has no such statement any more: it was deallocated in another way.
        if failure.sqlState == "26000" { connection.prepared.forget(deallocated[place]) }
        return
      case .preparation(let step, let index):
        let name = request(step).statement.name
        // The statement exists on the server already, under a name that is computed from its text and types. So it can be
        // used.
        if failure.sqlState == "42P05" { connection.prepared.confirm(name) } else { connection.prepared.fail(name) }
        failure.note(step: step, index: index, of: flight)
      case .statement(let step, let index, let isNamed):
        failure.note(step: step, index: index, of: flight)
        if isNamed {
          let statement = request(step).statement
          // The statement is gone, or was prepared for tables that have changed since. It will be prepared again.
          if failure.sqlState == "26000" { connection.prepared.forget(statement.name) }
          if failure.sqlState == "0A000" { connection.prepared.discard(statement.name) }
        }
      case .sync, .settings: break
      }
      // The server reports this error because a handler has failed, so it is not the first error.
      guard error == nil, handlerError == nil else { return }
      failure.isTimedOut = patience.hasDeadlinePassed && failure.sqlState == "57014"
      error = failure
    }
  }

  extension ServerError {
    fileprivate mutating func note(step: Int, index: Int, of flight: Flight) {
      statement = index
      if case .statement(let request) = flight.steps[step] { text = request.statement.text }
    }
  }
#endif
