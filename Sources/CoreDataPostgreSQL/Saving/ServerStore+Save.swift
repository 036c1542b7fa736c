#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData
  import Synchronization

  // A save: it makes a plan, sends one flight, and puts the new rows into the cache.
  extension ServerStore {
    /// How many times a save is sent that fails because of concurrent transactions.
    private static let attempts = 6
    /// A save with more rows than this asks only for the changes of other programs.
    private static let manyRows = 100

    /// Writes the work; on failure the store is unchanged.
    /// - Throws: `SaveConflict` if a row was changed or deleted since it was read, and for a violated uniqueness
    ///   constraint; 134090 for a lock that is not released in time; 513 for a store that is read-only; 134100 if its
    ///   schema was changed; 134030, with the key `NSPostgreSQLSaveIsInDoubtKey`, if it is not known whether the save
    ///   took place.
    func write(_ work: SaveWork, _ source: HistorySource) throws -> SaveResult {
      if isReadOnly { throw readOnlyError }
      try checkSchema()
      try settleDoubts(work)
      do {
        return try write(work, source, vacated: [])
      } catch let lost as RowConflict {
        throw conflict(work, lost)
      } catch let violated as UniquenessViolation {
        guard exchangesUniqueValues(work) else { throw SaveConflict(reason: violated.error) }
      }
      do {
        return try write(work, source, vacated: vacatedValues(work))
      } catch let lost as RowConflict {
        throw conflict(work, lost)
      } catch let violated as UniquenessViolation {
        throw SaveConflict(reason: violated.error)
      }
    }

    private func conflict(_ work: SaveWork, _ lost: RowConflict) -> any Error {
      work.object(lost).map { conflict($0) } ?? lost
    }

    /// - Parameter vacated: the unique values that are first removed from updated rows, because other updated rows may
    ///   get these values.
    private func write(_ work: SaveWork, _ source: HistorySource, vacated: [VacatedValues]) throws -> SaveResult {
      let plan = try SavePlan(work, of: self, history: historyBits)
      var keys = SaveKeys()
      keys.inserted = try assignKeys(to: plan.inserted)
      if work.mayHaveRelationships {
        for (row, key) in zip(plan.inserted, keys.inserted) where row.primaryKey != key {
          keys.byTemporary[row.primaryKey] = key
        }
      }
      plan.adopt(keys)
      var left = Self.attempts
      while true {
        do {
          return try send(work, plan, keys, source, vacated)
        } catch let again as SaveAgain {
          left -= 1
          if left == 0 { throw again.error }
          // The delay grows, and is random so that saves which block each other do not repeat in step.
          usleep(UInt32.random(in: 500...1500) << UInt32(Self.attempts - left))
        }
      }
    }

    private func send(
      _ work: SaveWork, _ plan: SavePlan, _ given: SaveKeys, _ source: HistorySource, _ vacated: [VacatedValues]
    ) throws -> SaveResult {
      let question = freshness.ask()
      let token = tokens.next(), began = ContinuousClock.now
      let outcome = SaveOutcome()
      let save = try makeFlight(plan, given, source, vacated, token, question, outcome)
      // The values were checked when they were appended; this finds the object of the wrong value.
      if save.flight.problem == .containsNUL { try checkTexts(plan, work) }
      do {
        try withWriter(retrying: false) { connection in
          defer { outcome.isUnconfirmed = connection.isUnconfirmed }
          try connection.run(save.flight)
        }
        if !outcome.isCommitted { throw SaveAgain(error: rolledBack) }
      } catch  where outcome.isCommitted || outcome.isUnconfirmed {
        noteFailure(error, after: outcome)
      } catch let error as ServerError where error.isConnectionLost {
        do {
          try resolve(token, error, outcome, since: began)
        } catch let again as SaveAgain {
          throw again
        } catch let doubt {
          doubts.note(token, work.inserted, since: began)
          throw doubt
        }
      } catch let error as ServerError {
        throw try failure(error, of: save)
      }
      if outcome.isUnconfirmed {
        doubts.note(token, work.inserted, since: began)
        throw unconfirmed()
      }
      var keys = given
      keys.derivedRows = outcome.derivedRows
      keys.formerOwners = outcome.formerOwners
      if plan.changesObjects { keys.transaction = historyPlace(after: outcome) }
      if let answer = outcome.answer { note(schemaVersion: answer.schemaVersion) }
      publishMetadata()
      let result = freshness.endSave(
        outcome.transaction, outcome.answer, to: question, in: self, written: plan.changedRows
      ) { published in
        guard let (commit, outdated) = published else { return publishUncached(keys, plan.inserted, plan.updated) }
        let result = publish(work, keys, plan.inserted, plan.updated, at: commit)
        if outdated.isEmpty { return result }
        // Other programs have written these rows after the save, so the rows must not count as the store's state.
        for rows in [result.insertedRows, result.updatedRows, result.touchedRows] {
          for row in rows where outdated.rows[row.layout.rootNumber]?.contains(row.primaryKey) == true { row.date(0) }
        }
        return result
      }
      announceSave()
      return result
    }

    private func makeFlight(
      _ plan: SavePlan, _ keys: SaveKeys, _ source: HistorySource, _ vacated: [VacatedValues], _ token: UUID,
      _ question: ManyWritersFreshness.Question, _ outcome: SaveOutcome
    ) throws -> SaveFlight {
      var save = SaveFlight(self)
      save.add(Self.beginWriting)
      if !plan.locked.isEmpty { try save.check(plan.locked) }
      let updates = try save.updates(plan)
      try lockRows(plan, updates, &save)
      try save.writeTombstones(plan)
      // The order matters: a row may take a unique value that another row gives up.
      try save.delete(plan.deleted)
      try save.removeMembers(of: plan.deleted)
      save.vacate(vacated)
      for group in updates { save.update(group, now: keys.now) }
      try save.insert(plan.inserted, now: keys.now)
      for members in plan.members { try save.write(members, keys) { outcome.formerOwners.append($0) } }
      save.writePairs()
      for order in plan.order { try save.write(order, keys) }
      try save.derive(plan, keys, outcome)
      try save.writeChanges(plan)
      try save.writePendingMetadata()
      for root in roots(of: plan.inserted) where isLow(root) { addNewKeys(1, of: root, to: &save.flight) }
      save.writeCommit(token, source, outcome, isTold: plan.changesObjects)
      save.endWriting(outcome)
      var known = delta.values(question)
      // With many rows, the answer would list each row that this save has written itself.
      let isLarge = plan.inserted.count + plan.updated.count + plan.deleted.count > Self.manyRows
      if isLarge { known.append(token) }
      save.add(isLarge ? delta.statementOfOthers : delta.statement, known) { [self] result in
        outcome.answer = try delta.answer(result, root: rootNumber)
      }
      save.noteWritten()
      save.flight.sync()
      return save
    }

    /// The root entities of rows.
    private func roots(of rows: ContiguousArray<Snapshot>) -> [SQLEntity] {
      var roots: [SQLEntity] = []
      var known: EntityLayout?
      for row in rows where row.layout !== known {
        let layout = row.layout
        known = layout
        guard let root = schema.entity(for: layout.entity)?.root, !roots.contains(where: { $0 === root }) else {
          continue
        }
        roots.append(root)
      }
      return roots
    }

    /// Locks rows in tables that several statements write, before these statements, in one order.
    private func lockRows(_ plan: SavePlan, _ updates: [SaveFlight.UpdateGroup], _ save: inout SaveFlight) throws {
      if updates.isEmpty, plan.deleted.isEmpty { return }
      var statements: [Int: Int] = [:]
      for group in updates { statements[group.entity.root.number, default: 0] += 1 }
      let deleted = try save.grouped(plan.deleted)
      for (entity, _) in deleted { statements[entity.root.number, default: 0] += 1 }
      for (number, count) in statements.sorted(by: { $0.key < $1.key }) where count > 1 {
        guard let root = schema.entity(number: number) else { continue }
        var keys: ContiguousArray<Int64> = []
        for group in updates where group.entity.root.number == number { keys += group.rows.map(\.primaryKey) }
        for (entity, rows) in deleted where entity.root.number == number { keys += rows.map(\.key) }
        save.lock(keys, of: root)
      }
    }

    static let beginWriting = ServerStatement("BEGIN", isWork: false)
    static let commitWriting = ServerStatement("COMMIT", isWork: false)
    static let rollback = ServerStatement("ROLLBACK", isWork: false)
  }

  extension SaveFlight {
    /// Notes, after COMMIT, the position in the log that a replica must have replayed for readers to see the save.
    mutating func noteWritten() {
      guard let replica = store.replica else { return }
      add(ReadReplica.written) { replica.note(written: UInt64(bitPattern: $0.int64(0, 0))) }
    }
  }

  extension SavePlan {
    /// Whether the plan changes objects; history records such changes.
    fileprivate var changesObjects: Bool { !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty) }

    /// The rows that the plan writes or deletes.
    fileprivate var changedRows: [ChangedRow] {
      let written = [inserted, updated].joined().map {
        ChangedRow(transaction: 0, root: $0.layout.rootNumber, key: $0.primaryKey)
      }
      return written + deleted.map { ChangedRow(transaction: 0, root: $0.layout.rootNumber, key: $0.key) }
    }
  }

  /// The results of a save's statements.
  final class SaveOutcome {
    /// The number of the transaction.
    var transaction: UInt64 = 0
    /// Whether the server has said that the transaction is committed.
    var isCommitted = false
    /// Whether the transaction is committed, and no synchronous standby has confirmed it.
    var isUnconfirmed = false
    /// The changes of other programs; nil if the answer did not come, or could not be read.
    var answer: DeltaQuery.Answer?
    /// The rows that were read again, by root entity and key.
    var derivedRows: [Int: [Int64: Snapshot]] = [:]
    var formerOwners: [FormerOwner] = []
  }

  /// The error of a save that concurrent transactions have prevented, and that may be sent again.
  struct SaveAgain: Error {
    /// The error to report if repeating does not help.
    let error: NSError
  }

  /// The error that values which must be unique are taken.
  struct UniquenessViolation: Error {
    let error: NSError
  }
#endif
