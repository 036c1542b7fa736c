#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Handles a save that the server refused, or did not answer.
  extension ServerStore {
    /// Returns the error of a flight that has failed and has written nothing.
    func failure(_ error: ServerError, of save: SaveFlight) throws -> any Error {
      // The code that resolves the conflict has to see what other programs have written, also if it reads from a
      // replica.
      replica?.doubt()
      switch error.sqlState {
      case "22012":
        if let check = save.versionCheck, error.statement == check { return noteMigration() }
        if let guarded = error.statement.flatMap({ save.guards[$0] }) { return try lostRow(guarded, error) }
      case "23505": return UniquenessViolation(error: uniqueness(error))
      case "40001", "40P01", "55006": return SaveAgain(error: error.cocoaError(self, isWriting: true))
      default: break
      }
      return error.cocoaError(self, isWriting: true)
    }

    /// Returns the error of a row that is not as it was read, for the rows that a statement has checked.
    private func lostRow(_ guarded: SaveFlight.Guarded, _ error: ServerError) throws -> any Error {
      let entity = guarded.entity
      var versions: [Int64: Int64] = [:]
      var flight = Flight()
      flight.add(try self.versions(entity), keyValues(guarded.rows.lazy.map(\.key))) { result in
        for row in 0..<result.rowCount { versions[result.int64(row, 0)] = result.int64(row, 1) }
      }
      try withWriter { try $0.run(flight) }
      for row in guarded.rows where versions[row.key] != row.version {
        if guarded.mayBeGone, versions[row.key] == nil { continue }
        return RowConflict(key: row.key, layout: entity.entity.rowLayout)
      }
      // The rows are now as they were read: the conflicting change was rolled back, or the missing row was to be
      // deleted anyway.
      return SaveAgain(error: error.cocoaError(self, isWriting: true))
    }

    /// Returns the error for values that must be unique and are taken.
    func uniqueness(_ error: ServerError) -> NSError {
      let properties = error.constraint.flatMap { uniqueIndexes[$0] }
      let what = properties.map { "\($0.properties.joined(separator: ", ")) of \($0.entity.name)" } ?? "a row"
      return NSError(
        coreData: NSManagedObjectConstraintMergeError,
        "A constraint of the store at \(place) was violated: \(what) must be unique.",
        [NSFilePathErrorKey: place, "constraint": error.constraint ?? ""])
    }

    // MARK: Failures after a commit

    /// Notes that something in a flight has failed after its transaction was committed: the save is done, but what others
    /// have written is not known, nor which part of the log a replica must have.
    func noteFailure(_ error: any Error, after outcome: SaveOutcome) {
      outcome.answer = nil
      replica?.doubt()
      if (error as? ServerError)?.isConnectionLost == true { noteLostConnection() }
    }

    /// The error that the server has rolled back a transaction that was to be committed, without a reason.
    var rolledBack: NSError {
      NSError(
        coreData: NSPersistentStoreTimeoutError,
        "The server at \(place) has rolled the transaction back. Nothing was written, and the save can be made again.",
        [NSFilePathErrorKey: place])
    }

    // MARK: Commits in doubt

    /// Finds out whether a save was committed whose answer never came. The save's token can be written only once.
    ///
    /// If the save was committed, this method returns, and the outcome has the number of its transaction. If not, the
    /// save never will be committed, because its token is taken now.
    /// - Parameter began: when the save was sent.
    /// - Throws: `SaveAgain` if the save was not committed; 134030, with the key `NSPostgreSQLSaveIsInDoubtKey`, if no
    ///   server answers in time; 134030 if the save is so old that the row with its token may have been deleted.
    func resolve(_ token: UUID, _ lost: ServerError, _ outcome: SaveOutcome, since began: ContinuousClock.Instant)
      throws
    {
      noteLostConnection()
      let end = deadline
      while true {
        do {
          if let transaction = try commit(of: token) {
            outcome.transaction = transaction
            outcome.answer = nil
            return
          }
          // The clock is read after the answer: a row that was there then has not been deleted since.
          if ContinuousClock.now - began > Upkeep.answerable { throw Unanswerable() }
          throw SaveAgain(error: lost.cocoaError(self, isWriting: true))
        } catch let again as SaveAgain {
          throw again
        } catch is Unanswerable {
          throw unanswerable
        } catch {
          // The server is restarting, or the transaction in question still holds the token.
          guard ContinuousClock.now < end else { throw inDoubt(lost) }
          usleep(50_000)
        }
      }
    }

    /// Returns the number of the transaction that has a token; nil if none has it. In that case none ever will, because
    /// this method claims the token.
    ///
    /// A claim whose answer was lost has the token, too. Its time is 0, which distinguishes it from a save.
    private func commit(of token: UUID) throws -> UInt64? {
      var values = ServerValues()
      values.append(token)
      var flight = Flight()
      flight.add(Self.claimToken, values)
      do {
        try withWriter(retrying: false) { try $0.run(flight) }
        return nil
      } catch let error as ServerError where error.sqlState == "23505" {
        var transaction: UInt64?
        var question = Flight()
        question.add(Self.findToken, values) { result in
          if result.rowCount > 0 { transaction = UInt64(bitPattern: result.int64(0, 0)) }
        }
        try withWriter { try $0.run(question) }
        return transaction
      }
    }

    /// The statement that claims a token. History leaves out commits without a time.
    private static let claimToken = ServerStatement(
      "INSERT INTO \"_commit\"(token, at) VALUES ($1, 0)", types: [ServerType.uuid])
    private static let findToken = ServerStatement(
      "SELECT xid FROM \"_commit\" WHERE token = $1 AND at <> 0", types: [ServerType.uuid])

    private struct Unanswerable: Error {}

    private var unanswerable: NSError {
      NSError(
        coreData: NSPersistentStoreSaveError,
        "A save of the context was in doubt for so long that the store at \(place) cannot tell any more whether it took place: what "
          + "it has inserted may be there already. The context must be reset before it saves again, and fetch its objects anew.",
        [NSFilePathErrorKey: place])
    }

    /// Notes that a transaction was committed and no synchronous standby has confirmed it, and returns the error of it: what
    /// the server tells about it now would not be true after the standby has taken over.
    func unconfirmed() -> NSError {
      noteLostConnection()
      return NSError(
        coreData: NSPersistentStoreSaveError,
        "The server at \(place) has committed the save, but its wait for a synchronous standby was stopped: the save is lost if "
          + "that standby takes over. So it is not known whether the save took place. The context keeps its changes.",
        [NSFilePathErrorKey: place, NSPostgreSQLSaveIsInDoubtKey: NSNumber(value: true)])
    }

    private func inDoubt(_ lost: ServerError) -> NSError {
      let error = lost.cocoaError(self, isWriting: true)
      var info = error.userInfo
      info[NSPostgreSQLSaveIsInDoubtKey] = NSNumber(value: true)
      return NSError(
        coreData: NSPersistentStoreSaveError,
        "The connection to \(place) was lost while the save was being committed, and no server has answered since: it "
          + "is not known whether the save took place. The context keeps its changes.", info)
    }

    // MARK: Texts that no server can hold

    /// Checks the strings of a save.
    /// - Throws: 134030 with the object and the key for a string with U+0000.
    func checkTexts(_ plan: SavePlan, _ work: SaveWork) throws {
      for (rows, objects) in [(plan.inserted, work.inserted), (plan.updated, work.updated)] {
        for (index, row) in rows.enumerated() {
          for slot in row.layout.textSlots where !row.isNull(slot) {
            let hasNUL = row.withBytes(slot) { bytes in
              bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
            }
            if hasNUL { throw containsNUL(objects[index], row.layout, slot) }
          }
        }
      }
    }

    private func containsNUL(_ object: NSManagedObject, _ layout: EntityLayout, _ index: Int) -> NSError {
      let name = layout.slots.first { $0.index == index }?.name ?? ""
      return NSError(
        coreData: NSPersistentStoreSaveError,
        "\(name) of \(layout.name) has the character U+0000, which no text of a PostgreSQL server can have. Nothing was "
          + "saved.",
        [
          NSValidationKeyErrorKey: name, NSValidationObjectErrorKey: object, NSAffectedObjectsErrorKey: [object],
          NSFilePathErrorKey: place,
        ])
    }
  }

  extension EntityLayout {
    /// The slots in which rows have strings and URIs.
    fileprivate var textSlots: ContiguousArray<Int> {
      ContiguousArray(slots.lazy.filter { ($0.kind == .string || $0.kind == .uri) && !$0.isTransient }.map(\.index))
    }
  }
#endif
