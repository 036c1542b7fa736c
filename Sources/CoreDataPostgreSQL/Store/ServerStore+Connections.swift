#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Connections for writing, which are lent and given back after the work; and connections for questions about a place
  // that need no open store.
  extension ServerStore {
    /// Runs `body` with a connection for writing.
    /// - Parameter retrying: whether `body` may run again on another connection if the first is lost.
    func withWriter<Result>(
      retrying: Bool = true, _ body: (ServerConnection) throws -> Result
    ) throws -> Result {
      let connection = try takeWriter()
      do {
        defer { writers.give(connection) }
        return try body(connection)
      } catch let error as ServerError where error.isConnectionLost && retrying {
        noteLostConnection()
      }
      let other = try takeWriter()
      defer { writers.give(other) }
      return try body(other)
    }

    /// Returns a connection for writing, without an open transaction. The caller gives it back to `writers`.
    /// - Throws: 134090 if no connection becomes free; an error of opening one.
    func takeWriter(deadline limit: ContinuousClock.Instant? = nil) throws -> ServerConnection {
      do {
        let connection = try writers.take(deadline: limit ?? self.deadline)
        endFailedTransaction(of: connection)
        return connection
      } catch is PoolTimeout {
        throw noConnection
      }
    }

    /// Ends the transaction that an error has left open. The server released the transaction's locks when the error
    /// came, so the ROLLBACK can wait until here. If a ROLLBACK were sent after each COMMIT, the server would log a
    /// warning for each COMMIT that succeeds.
    private func endFailedTransaction(of connection: ServerConnection) {
      guard connection.transactionStatus != .idle else { return }
      var flight = Flight()
      flight.add(Self.rollback)
      // If the connection is lost, the work for which it is taken finds that out.
      try? connection.run(flight)
    }

    /// The error of a request for which no connection became free.
    var noConnection: NSError {
      NSError(
        coreData: NSPersistentStoreTimeoutError,
        "All \(serverOptions.connectionLimit) connections to \(place) were in use until the timeout.")
    }

    /// Runs `body` with a connection that is opened for it and closed afterwards.
    class func withConnection<Result>(
      _ url: URL, _ options: [AnyHashable: Any]?, _ body: (ServerConnection, ServerPlace) throws -> Result
    ) throws -> Result {
      let options = try ServerOptions(options, url)
      let place = try OpenedServer.place(url, options)
      let connection = try OpenedServer.connect(place, options)
      defer { connection.close() }
      do {
        return try body(connection, place)
      } catch let error as ServerError {
        throw error.cocoaError(place: place.display, isWriting: false)
      }
    }
  }
#endif
