#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  extension ServerStore {
    /// Deletes the transactions before a place from history.
    ///
    /// Their rows are deleted at once only if no reader's cache can need them any more. Other rows lose the values that
    /// only history needs, and are deleted later (`tidy`).
    /// - Returns: how many changes the transactions had.
    func deleteHistory(before range: HistoryRange) throws -> Int {
      if isReadOnly { throw readOnlyError }
      let (mark, values) = try purge(before: range)
      var count = 0
      var flight = Flight()
      flight.add(Self.beginWriting)
      // Only one purge runs at a time: each adds to the purged transactions that the store remembers.
      flight.add(Self.lockStore)
      flight.add(mark, values) { count = Int($0.int64(0, 0)) }
      flight.add(Upkeep.sweep, Upkeep().sweepValues(limit: nil))
      flight.add(Self.strip)
      flight.add(Self.commitWriting)
      do {
        try withWriter { try $0.run(flight) }
      } catch let error as ServerError {
        throw error.cocoaError(self, isWriting: true)
      }
      return count
    }

    private static let lockStore = ServerStatement("SELECT FROM \"_store\" FOR UPDATE")

    private static let strip = ServerStatement(
      """
      UPDATE "_change" c SET props = NULL, tomb = NULL FROM "_commit" t WHERE t.xid = c.xid AND t.process IS NULL \
      AND (c.props IS NOT NULL OR c.tomb IS NOT NULL)
      """)

    private func purge(before range: HistoryRange) throws -> (ServerStatement, ServerValues) {
      var values = ServerValues()
      let (condition, type): (String, UInt32)
      switch range {
      case .number(let number):
        (condition, type) = ("t.xid < $1", ServerType.xid)
        values.append(number)
      case .date(let date):
        // Where a clock went back, later transactions with earlier times stay, so that there is no gap.
        condition = """
          COALESCE(t.xid < (SELECT xid FROM "_commit" WHERE process IS NOT NULL AND at >= $1 ORDER BY xid LIMIT 1), TRUE)
          """
        type = ServerType.double
        values.append(date.timeIntervalSinceReferenceDate)
      case .snapshot(let snapshot, let server):
        guard server == identity.system else { throw historyExpiredError }
        // The latest transaction that the snapshot sees is the one after which it was taken, and stays.
        condition = """
          pg_visible_in_snapshot(t.xid, $1) AND t.xid < (SELECT xid FROM "_commit" \
          WHERE process IS NOT NULL AND pg_visible_in_snapshot(xid, $1) ORDER BY xid DESC LIMIT 1)
          """
        type = ServerType.snapshot
        values.append(snapshot: snapshot)
      }
      let statement = ServerStatement(
        """
        WITH m AS (UPDATE "_commit" t SET author = NULL, context = NULL, process = NULL, bundle = NULL \
        WHERE t.process IS NOT NULL AND \(condition) RETURNING t.xid), \
        s AS (UPDATE "_store" SET purged = ARRAY(SELECT x FROM (SELECT unnest(purged) UNION SELECT xid FROM m) p(x) \
        ORDER BY x DESC LIMIT \(HistoryQuery.purgedLimit)) WHERE EXISTS (SELECT FROM m)) \
        SELECT count(*) FROM "_change" c JOIN m ON m.xid = c.xid WHERE c.kind <> 't'
        """, types: [type])
      return (statement, values)
    }
  }
#endif
