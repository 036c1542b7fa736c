#if PostgreSQL
  import CPostgreSQL

  extension ServerConnection {
    /// Sends a flight and handles its results. A sync is added if the flight does not end with one.
    ///
    /// An error ends the segment of its statement; later segments run. The first error is thrown after everything was
    /// read. If a handler throws, no handler is called any more; the remaining results are read, or stopped if there
    /// are many, and then the handler's error is thrown.
    /// - Parameters:
    ///   - deadline: when the deadline passes, the server is asked to stop; if the server has not stopped within 5 s,
    ///     the connection is closed.
    ///   - isStopped: whether a caller asked for the flight to stop before the flight began, and will not ask again.
    /// - Throws: `ServerError`; `ServerValueError`, if nothing was sent; an error of a handler.
    func run(
      _ flight: Flight, deadline: ContinuousClock.Instant? = nil, isStopped: (() -> Bool)? = nil
    ) throws {
      if let problem = flight.problem { throw problem }
      let handle = try usableHandle()
      guard !flight.steps.isEmpty else { return }
      count(statements: flight.statementCount)
      isUnconfirmed = false
      canceller.begin()
      if isStopped?() == true { canceller.send() }
      var run = FlightRun(flight, on: self, handle: handle, deadline: deadline)
      run.observation = observer?.begin(flight)
      let error = run.run()
      if !canceller.end(waits: !run.isLost) || run.isLost || PQstatus(handle) != CONNECTION_OK { lose() }
      if let error { throw error }
    }
  }
#endif
