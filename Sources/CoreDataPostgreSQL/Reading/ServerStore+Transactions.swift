#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Transactions that read: REPEATABLE READ, so that all they give is of one moment.
  extension ServerStore {
    static let beginReading = ServerStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", isWork: false)
    static let endReading = ServerStatement("COMMIT", isWork: false)

    /// Begins a transaction with the first statements that are read in it, in one flight; one that is open ends before.
    /// - Returns: the commit that it reads at; 0 where nothing of the cache is of its moment.
    func beginRead(
      on connection: ServerConnection, attempts: Int = 10, _ watch: FetchWatch?,
      _ prepare: (inout ReadFlight) throws -> Void
    ) throws -> UInt64 {
      var left = attempts
      while true {
        let question = freshness.ask()
        var readAt: UInt64?
        var read = ReadFlight(), flight = Flight()
        try prepare(&read)
        if connection.transactionStatus != .idle { flight.add(Self.endReading) }
        flight.add(Self.beginReading)
        flight.add(delta.statement, delta.values(question)) { [self] result in
          let answer = try delta.answer(result, root: rootNumber)
          note(schemaVersion: answer.schemaVersion)
          // Rows of two versions, or of two stores, must not mix.
          try checkSchema()
          readAt = freshness.begin(answer, to: question, attemptsLeft: left, in: self)
        }
        if let replica, let doubts = replica.openDoubts {
          flight.add(ReadReplica.written) { replica.settle(doubts, at: UInt64(bitPattern: $0.int64(0, 0))) }
        }
        for part in read.parts {
          flight.add(part.statement, part.values, streams: part.streams) { result in
            if let readAt { try part.onResult(result, readAt) }
          }
        }
        try run(flight, on: connection, watch)
        if let readAt { return readAt }
        // The cache is ahead of what this transaction sees; a new one sees it.
        left -= 1
      }
    }

    /// Sends statements in a transaction that is open.
    func read(
      on connection: ServerConnection, commit: UInt64, _ watch: FetchWatch?,
      _ prepare: (inout ReadFlight) throws -> Void
    ) throws {
      var read = ReadFlight(), flight = Flight()
      try prepare(&read)
      if read.parts.isEmpty { return }
      for part in read.parts {
        flight.add(part.statement, part.values, streams: part.streams) { try part.onResult($0, commit) }
      }
      try run(flight, on: connection, watch)
    }

    /// Runs a flight that only reads; a watch may stop it.
    func run(_ flight: Flight, on connection: ServerConnection, _ watch: FetchWatch?) throws {
      do {
        guard let watch else { return try connection.run(flight) }
        try watch.run(calling: { connection.cancel() }) { try connection.run(flight, isStopped: { watch.isStopped }) }
      } catch let error as ServerError {
        if let watch, watch.isStopped { throw watch.error }
        if error.isConnectionLost { throw error }
        throw error.cocoaError(self, isWriting: false)
      }
    }

    /// The number of a root entity in the row cache, of the number of an entity in the store.
    func rootNumber(_ number: Int32) -> Int? { schema.entity(number: Int(number))?.entity.rowLayout.rootNumber }
  }
#endif
