#if PostgreSQL
  import CPostgreSQL

  extension ServerConnection {
    /// Sends a flight and handles its results. A sync is added if the flight has none at its end.
    ///
    /// An error ends the segment of its statement; later segments still run. The first error is thrown after all results have
    /// been read. If a handler throws, no handler is called any more: the remaining results are read, or stopped if there are
    /// many, and then that error is thrown.
    /// - Parameters:
    ///   - deadline: when it passes, the server is asked to stop; if it has not stopped within 5 s, the connection is closed.
    ///   - isStopped: whether the flight was asked to stop before it began.
    /// - Throws: `ServerError`; `ServerValueError`, in which case nothing was sent; the error of a handler.
    func run(
      _ flight: Flight, deadline: ContinuousClock.Instant? = nil, isStopped: (() -> Bool)? = nil
    ) throws {
      if let problem = flight.problem { throw problem }
      let handle = try usableHandle()
      guard !flight.steps.isEmpty else { return }
      count(statements: flight.statementCount)
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
