#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Statements without variables that are run only once, such as changes of a schema.
  extension ServerConnection {
    func execute(_ text: String, deadline: ContinuousClock.Instant? = nil) throws {
      var flight = Flight()
      flight.add(ServerStatement(text, isPrepared: false))
      try run(flight, deadline: deadline)
    }

    /// Runs several statements in one flight; an error skips those after it.
    func execute(_ texts: [String]) throws {
      var flight = Flight()
      for text in texts { flight.add(ServerStatement(text, isPrepared: false)) }
      try run(flight)
    }

    /// Commits the transaction.
    /// - Throws: `ServerError`, also if the server has rolled the transaction back instead. If the connection is lost, it is
    ///   not known whether the transaction was committed.
    func commit() throws {
      var isCommitted = false
      var flight = Flight()
      flight.add(ServerStatement("COMMIT", isPrepared: false), role: .commit) { isCommitted = $0.isOfCommit }
      do {
        try run(flight)
      } catch {
        // The server has said that it is committed, and was shut down then.
        if !isUnconfirmed { throw error }
        isCommitted = true
      }
      if !isCommitted { throw ServerError(sqlState: "25P02", message: "the server has rolled the transaction back") }
      if isUnconfirmed {
        FrameworkLog.write("The server at \(place.display) has committed, but no synchronous standby has confirmed it.")
      }
    }

    /// Calls `onRow` with each row of a query.
    func query(
      _ text: String, _ values: ServerValues = ServerValues(), types: [UInt32] = [],
      _ onRow: (borrowing ServerResult, Int) throws -> Void
    ) throws {
      try withoutActuallyEscaping(onRow) { onRow in
        var flight = Flight()
        flight.add(ServerStatement(text, types: types, isPrepared: false), values) { result in
          for row in 0..<result.rowCount { try onRow(result, row) }
        }
        try run(flight)
      }
    }

    /// Returns the number that a query returns, which must be a `bigint`; nil for NULL, and if there is no row.
    func integer(_ text: String) throws -> Int64? {
      var value: Int64?
      try query(text) { result, row in value = result.isNull(row, 0) ? nil : result.int64(row, 0) }
      return value
    }

    /// Returns the texts in the first column of a query's rows.
    func texts(_ text: String) throws -> [String] {
      var values: [String] = []
      try query(text) { result, row in if !result.isNull(row, 0) { values.append(result.string(row, 0)) } }
      return values
    }
  }
#endif
