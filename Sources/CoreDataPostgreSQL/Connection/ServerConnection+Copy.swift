#if PostgreSQL
  import CPostgreSQL

  /// COPY: the fastest way to bring many rows in. It is not allowed in pipeline mode, and costs round trips of its own.
  extension ServerConnection {
    /// Runs `COPY … FROM STDIN (FORMAT binary)`.
    ///
    /// The server's errors come at the end: until then all is sent.
    /// - Parameter next: adds whole rows to an empty buffer, each as the number of its columns (2 bytes) and, for each, a
    ///   length (4 bytes, -1 for NULL) and the binary form; false when there are no more after these.
    /// - Returns: how many rows the server has taken.
    /// - Throws: `ServerError`, or what `next` throws, after which nothing was copied.
    @discardableResult
    func copyIn(
      _ text: String, deadline: ContinuousClock.Instant? = nil, _ next: (inout [UInt8]) throws -> Bool
    ) throws -> Int {
      let handle = try usableHandle()
      guard PQexitPipelineMode(handle) == 1 else { throw ServerError.lost(handle) }
      count(statements: 1)
      canceller.begin()
      var flight = Flight()
      let statement = ServerStatement(text, isPrepared: false)
      flight.add(statement)
      let observation = observer?.begin(flight)
      var run = CopyRun(text, on: self, handle: handle, deadline: deadline)
      let error = run.run(next)
      observation?.end(statement, rows: 0)
      if !canceller.end(waits: !run.isLost) || run.isLost || PQenterPipelineMode(handle) != 1 { lose() }
      if let error { throw error }
      return run.rowCount
    }
  }
#endif
