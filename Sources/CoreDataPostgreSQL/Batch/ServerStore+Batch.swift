#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // The common parts of all batch requests: a transaction, the errors with which it may end, and the row cache after it.
  extension ServerStore {
    /// The number of attempts for a request that fails because of others' transactions.
    private static let attempts = 6

    /// Runs a batch request in a transaction. After a failure the store is unchanged.
    /// - Parameters:
    ///   - seesOneState: whether all statements see the same state of the store. If others change rows in the meantime, the
    ///     request begins again.
    ///   - repeats: whether `body` may run again, for instance after a deadlock.
    /// - Throws: 133021 if unique values are taken; 513 if the store is read-only; 134100 if its schema was changed; 134030,
    ///   with a key in the userInfo, if it is not known whether the request was carried out; the errors of `body`.
    func runBatch(
      _ options: BatchOptions, _ source: HistorySource, seesOneState: Bool = false, repeats: Bool,
      _ body: (BatchTransaction) throws -> Void
    ) throws -> BatchChanges {
      var left = repeats ? Self.attempts : 1
      while true {
        do {
          return try attemptBatch(options, source, seesOneState, body)
        } catch let again as SaveAgain {
          left -= 1
          if left == 0 { throw again.error }
          // The pauses get longer and have a random length, so that two requests do not collide again.
          usleep(UInt32.random(in: 500...1500) << UInt32(Self.attempts - left))
        }
      }
    }

    /// - Throws: 513 for a store that is read-only; 134100 if its schema was changed.
    func checkWriting() throws {
      if isReadOnly { throw readOnlyError }
      try checkSchema()
    }

    private func attemptBatch(
      _ options: BatchOptions, _ source: HistorySource, _ seesOneState: Bool,
      _ body: (BatchTransaction) throws -> Void
    ) throws -> BatchChanges {
      let question = freshness.ask()
      var last: BatchTransaction?
      do {
        let batch = try withWriter(retrying: false) { connection in
          let batch = BatchTransaction(self, options, source, question, connection, seesOneState: seesOneState)
          last = batch
          do {
            try body(batch)
            try batch.commit()
          } catch {
            batch.rollBack()
            throw error
          }
          return batch
        }
        return publish(batch)
      } catch let error as ServerError where error.isConnectionLost {
        guard let batch = last, batch.isCommitting else {
          noteLostConnection()
          throw SaveAgain(error: error.cocoaError(self, isWriting: true))
        }
        try resolve(batch.token, error, batch.outcome)
        return publish(batch)
      } catch let error as ServerError {
        throw batchError(error)
      } catch ServerValueError.containsNUL {
        throw NSError(
          coreData: NSPersistentStoreSaveError,
          "A value of the request has the character U+0000, which no text of a PostgreSQL server can have. Nothing was "
            + "written.", [NSFilePathErrorKey: place])
      } catch let error as ServerValueError {
        throw NSError(
          coreData: NSPersistentStoreSaveError,
          "A value of the request, or all of one statement, are too large for a PostgreSQL server: "
            + "\(error == .tooMany ? "it takes 65,535 variables" : "it takes 1 GB"). Nothing was written.",
          [NSFilePathErrorKey: place])
      }
    }

    private func batchError(_ error: ServerError) -> any Error {
      switch error.sqlState {
      case "23505": uniqueness(error)
      case "40001", "40P01", "55006": SaveAgain(error: error.cocoaError(self, isWriting: true))
      default: error.cocoaError(self, isWriting: true)
      }
    }

    /// Dates the commit of a batch request, and drops what the cache has of the tables with changed rows.
    private func publish(_ batch: BatchTransaction) -> BatchChanges {
      if let answer = batch.outcome.answer { note(schemaVersion: answer.schemaVersion) }
      let changes = batch.changes
      freshness.endSave(
        batch.outcome.transaction, batch.outcome.answer, to: batch.question, in: self, written: []
      ) { published in
        let commit = published?.commit ?? nextCommit()
        for root in changes.roots { rows.invalidate(rootNumber: root, before: commit, all: true) }
        if changes.changesRelations { rows.invalidateRelations(before: commit) }
      }
      announceSave()
      return changes
    }
  }

  extension ServerStore: BatchStore {}
#endif
