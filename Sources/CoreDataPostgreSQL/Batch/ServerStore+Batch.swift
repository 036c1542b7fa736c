#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // The common part of all batch requests: the transaction, its possible errors, and the update of the row cache
  // afterwards.
  extension ServerStore {
    /// How many times a request is sent that fails because of concurrent transactions.
    private static let attempts = 6

    /// Runs a batch request in a transaction; on failure the store is unchanged.
    /// - Parameters:
    ///   - seesOneState: whether all statements see the same state of the store as the first one; if other programs
    ///     change the rows in the meantime, the request begins again.
    ///   - repeats: whether `body` may run again after a deadlock or a similar conflict.
    /// - Throws: 133021 for values that must be unique and are taken; 513 for a store that is read-only; 134100 if its
    ///   schema was changed; 134030, with the key `NSPostgreSQLSaveIsInDoubtKey`, if it is not known whether the
    ///   request was carried out; an error of `body`.
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
          // The delay grows, and is random so that requests which block each other do not repeat in step.
          usleep(UInt32.random(in: 500...1500) << UInt32(Self.attempts - left))
        }
      }
    }

    /// Checks that the store can be written to.
    /// - Throws: 513 for a store that is read-only; 134100 if its schema was changed.
    func checkWriting() throws {
      if isReadOnly { throw readOnlyError }
      try checkSchema()
    }

    private func attemptBatch(
      _ options: BatchOptions, _ source: HistorySource, _ seesOneState: Bool,
      _ body: (BatchTransaction) throws -> Void
    ) throws -> BatchChanges {
      let question = freshness.ask(), began = ContinuousClock.now
      var last: BatchTransaction?
      do {
        let batch = try withWriter(retrying: false) { connection in
          let batch = BatchTransaction(self, options, source, question, connection, seesOneState: seesOneState)
          last = batch
          do {
            try body(batch)
            try batch.commit()
            if !batch.outcome.isCommitted { throw SaveAgain(error: rolledBack) }
          } catch  where batch.outcome.isCommitted || batch.outcome.isUnconfirmed {
            noteFailure(error, after: batch.outcome)
          } catch {
            batch.rollBack()
            throw error
          }
          return batch
        }
        if batch.outcome.isUnconfirmed { throw unconfirmed() }
        return publish(batch)
      } catch let error as ServerError where error.isConnectionLost {
        guard let batch = last, batch.isCommitting else {
          noteLostConnection()
          throw SaveAgain(error: error.cocoaError(self, isWriting: true))
        }
        try resolve(batch.token, error, batch.outcome, since: began)
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

    /// Publishes the commit of a batch: the cached rows of the tables with changed rows are invalidated.
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
#endif
