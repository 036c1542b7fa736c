#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Connections for writing, which are lent and come back when the work is done; and those of questions about a place where no store
  // may be open.
  extension ServerStore {
    /// Runs `body` with a connection for writing.
    /// - Parameter retrying: whether it may run again on another connection if the first is lost.
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

    /// A connection for writing, without a transaction; `writers` takes it back.
    /// - Throws: 134090 where none becomes free; what opening one throws.
    func takeWriter(deadline limit: ContinuousClock.Instant? = nil) throws -> ServerConnection {
      do {
        let connection = try writers.take(deadline: limit ?? self.deadline)
        endFailedTransaction(of: connection)
        return connection
      } catch is PoolTimeout {
        throw noConnection
      }
    }

    /// Ends the transaction that an error has left behind. The server has let go of its locks with the error, so that it may
    /// wait until here: sent behind each COMMIT, a ROLLBACK would make the server log a warning for each that succeeds.
    private func endFailedTransaction(of connection: ServerConnection) {
      guard connection.transactionStatus != .idle else { return }
      var flight = Flight()
      flight.add(Self.rollback)
      // That the connection is lost is found out by what it is taken for.
      try? connection.run(flight)
    }

    /// The error of a request for which no connection became free.
    var noConnection: NSError {
      NSError(
        coreData: NSPersistentStoreTimeoutError,
        "All \(serverOptions.connectionLimit) connections to \(place) were in use until the timeout.")
    }

    /// Runs `body` with a connection of its own.
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
