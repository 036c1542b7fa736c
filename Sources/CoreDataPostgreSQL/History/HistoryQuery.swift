#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// The statements that read the history after a place. All have the same variable, the place, or none of them has a
  /// variable.
  ///
  /// Commits without a process do not belong to history: those of programs that do not track history, and those that a
  /// save in doubt has left, whose time is 0.
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
      // The values are read as text, because text has all their digits.
      tombstones = ServerStatement(
        """
        SELECT c.xid, c.n, v.key, v.value FROM "_change" c JOIN "_commit" t ON t.xid = c.xid \
        CROSS JOIN LATERAL jsonb_each_text(convert_from(c.tomb, 'UTF8')::jsonb) v \
        WHERE c.tomb IS NOT NULL AND v.value IS NOT NULL AND \(told)
        """, types: types)
    }

    /// How many purged transactions the store remembers; these are the latest ones.
    static let purgedLimit = 1000

    /// Reads the server's snapshot now, and whether the place in the variable sees all transactions that were purged. A
    /// reader whose place does not see one of them has missed it.
    ///
    /// If more transactions were purged than are remembered, only a place that begins after the oldest remembered one
    /// is accepted: an older place may be refused without need.
    static let check = ServerStatement(
      """
      SELECT pg_current_snapshot()::text, COALESCE(NOT EXISTS (SELECT FROM unnest(purged) x \
      WHERE NOT pg_visible_in_snapshot(x, $1)) AND (cardinality(purged) < \(purgedLimit) \
      OR pg_snapshot_xmin($1) > purged[\(purgedLimit)]), FALSE) FROM "_store"
      """, types: [ServerType.snapshot])

    /// Reads the server's snapshot now, and whether the store has a history of this server.
    static let present = ServerStatement(
      "SELECT pg_current_snapshot()::text, purged IS NOT NULL AND system = $1 FROM \"_store\"",
      types: [ServerType.int64])
  }
#endif
