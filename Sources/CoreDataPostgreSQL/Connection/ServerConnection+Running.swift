#if PostgreSQL
  import CPostgreSQL

  extension ServerConnection {
    /// Sends a flight and handles its results. A sync is added if the flight has none at its end.
    ///
    /// An error ends the segment of its statement; later segments run. The first error is thrown after everything was read.
    /// If a handler throws, no handler is called any more; the rest is read, or stopped where it is long, and then that error
    /// is thrown.
    /// - Parameters:
    ///   - deadline: when it passes, the server is asked to stop; if it has not within 5 s, the connection is closed.
    ///   - isStopped: whether somebody has wanted the flight to stop before it began, who asks no more.
    /// - Throws: `ServerError`; `ServerValueError`, when nothing was sent; what a handler throws.
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
