#if PostgreSQL
  import CPostgreSQL

  /// COPY, which is the fastest way to insert many rows. It cannot run in pipeline mode, and takes round trips of its own.
  extension ServerConnection {
    /// Runs `COPY … FROM STDIN (FORMAT binary)`.
    ///
    /// An error of the server is reported at the end; until then all rows are sent.
    /// - Parameter next: adds whole rows to an empty buffer: for each row the number of its columns (2 bytes), and for each
    ///   column a length (4 bytes, -1 for NULL) and the binary form. Returns false if there are no more rows after these.
    /// - Returns: the number of rows that the server has taken.
    /// - Throws: `ServerError`, or the error of `next`; nothing was copied then.
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
