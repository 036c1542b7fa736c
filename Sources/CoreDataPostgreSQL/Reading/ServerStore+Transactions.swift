#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Read transactions. They are REPEATABLE READ, so that all their reads see the same state.
  extension ServerStore {
    static let beginReading = ServerStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", isWork: false)
    static let endReading = ServerStatement("COMMIT", isWork: false)

    /// Begins a transaction together with the first statements that are read in it, in one flight. An open transaction is
    /// ended before.
    /// - Returns: the commit at which it reads; 0 if nothing in the cache belongs to its state.
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
          // Rows of two versions of the schema, or of two stores, must not be mixed.
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
        // The cache is at a later state than this transaction. A new transaction sees that state.
        left -= 1
      }
    }

    /// Sends statements in an open transaction.
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

    /// Runs a flight that only reads; a watch can stop it.
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

    /// Returns the number of a root entity in the row cache, by an entity's number in the store.
    func rootNumber(_ number: Int32) -> Int? { schema.entity(number: Int(number))?.entity.rowLayout.rootNumber }
  }
#endif
