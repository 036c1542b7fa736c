#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// The statements that read the history after a place. The place is their only variable; for the whole history there is no
  /// variable.
  ///
  /// Commits without a process do not belong to history. They were made by programs that do not track history, or by a save
  /// in doubt, in which case their time is 0.
  struct HistoryQuery {
    let transactions, changes, tombstones: ServerStatement
    let values: ServerValues

    init(after range: HistoryRange) {
      var values = ServerValues()
      let (condition, types): (String, [UInt32])
      switch range {
      case .number(0): (condition, types) = ("TRUE", [])
      case .number(let number):
        (condition, types) = ("t.xid > $1", [ServerType.xid])
        values.append(number)
      case .snapshot(let snapshot, _):
        condition = "t.xid >= pg_snapshot_xmin($1) AND NOT pg_visible_in_snapshot(t.xid, $1)"
        types = [ServerType.snapshot]
        values.append(snapshot: snapshot)
      case .date(let date):
        (condition, types) = ("t.at > $1", [ServerType.double])
        values.append(date.timeIntervalSinceReferenceDate)
      }
      self.values = values
      let told = "t.process IS NOT NULL AND \(condition)"
      transactions = ServerStatement(
        "SELECT t.xid, t.at, t.author, t.context, t.process, t.bundle FROM \"_commit\" t WHERE \(told) ORDER BY t.xid",
        types: types)
      changes = ServerStatement(
        """
        SELECT c.xid, c.n, c.kind, c.ent, c.pk, c.props FROM "_change" c JOIN "_commit" t ON t.xid = c.xid \
        WHERE c.kind <> 't' AND \(told) ORDER BY c.xid, c.n
        """, types: types)
      // In text form each value has all its digits.
      tombstones = ServerStatement(
        """
        SELECT c.xid, c.n, v.key, v.value FROM "_change" c JOIN "_commit" t ON t.xid = c.xid \
        CROSS JOIN LATERAL jsonb_each_text(convert_from(c.tomb, 'UTF8')::jsonb) v \
        WHERE c.tomb IS NOT NULL AND v.value IS NOT NULL AND \(told)
        """, types: types)
    }

    /// The number of purged transactions that the store remembers, the latest ones.
    static let purgedLimit = 1000

    /// Returns the server's present snapshot, and whether the place in the variable sees all transactions that were purged. A
    /// reader that does not see one of them has missed it.
    ///
    /// If more transactions were purged than are remembered, only those that began after the remembered ones can be told
    /// apart. A place may be refused then although it has missed nothing.
    static let check = ServerStatement(
      """
      SELECT pg_current_snapshot()::text, COALESCE(NOT EXISTS (SELECT FROM unnest(purged) x \
      WHERE NOT pg_visible_in_snapshot(x, $1)) AND (cardinality(purged) < \(purgedLimit) \
      OR pg_snapshot_xmin($1) > purged[\(purgedLimit)]), FALSE) FROM "_store"
      """, types: [ServerType.snapshot])

    /// Returns the server's present snapshot, and whether the store has a history of this server.
    static let present = ServerStatement(
      "SELECT pg_current_snapshot()::text, purged IS NOT NULL AND system = $1 FROM \"_store\"",
      types: [ServerType.int64])
  }
#endif
