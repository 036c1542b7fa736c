#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Decides when rows of `_commit` and `_change` that history does not keep can be deleted.
  ///
  /// Readers need these rows to find out what other programs have changed since the snapshots of their caches, and a
  /// save in doubt needs them to find its token. A row is deleted when
  /// - history does not have its transaction,
  /// - the transaction was committed at least `minimumAge` seconds ago by the server's clock: a snapshot of that age in
  ///   `_horizon` sees it. By then saves in doubt have found out, and no younger cache needs the row;
  /// - all snapshots in `_reader` see it. Each store with an older cache has its snapshot there, and writes a newer one
  ///   once in `period`. A row of `_reader` that was not renewed for `silence` is deleted.
  ///
  /// `ServerFreshness` has the counterpart: if a cache is older than `trust`, and its snapshot was not stored within
  /// the last `lease`, the cache counts as unknown. Both times are shorter than those of the server, so that a question
  /// has time to reach it.
  struct Upkeep: Sendable {
    var minimumAge = 3600.0
    var silence = 600.0
    /// Seconds between the snapshots in `_horizon`, from which the age of transactions is found.
    var horizonStep = 300.0

    /// How long after a save was sent its token tells whether it was committed. It is shorter than `minimumAge`, after which the
    /// row with the token may be deleted; the clock goes on while the machine sleeps.
    static let answerable = Duration.seconds(50 * 60)

    static let period = 60.0
    static let trust = Duration.seconds(55 * 60), lease = Duration.seconds(9 * 60)

    private static let now = "(extract(epoch FROM clock_timestamp()) - 978307200)::double precision"

    static let renewal = ServerStatement(
      "UPDATE \"_reader\" SET snapshot = $2, at = \(now) WHERE process = $1",
      types: [ServerType.uuid, ServerType.snapshot], isWork: false)
    static let entry = ServerStatement(
      "INSERT INTO \"_reader\"(process, snapshot, at) VALUES ($1, $2, \(now)) ON CONFLICT DO NOTHING",
      types: [ServerType.uuid, ServerType.snapshot], isWork: false)
    static let dropping = ServerStatement(
      "DELETE FROM \"_reader\" WHERE at < \(now) - $1", types: [ServerType.double], isWork: false)
    static let marking = ServerStatement(
      """
      INSERT INTO "_horizon"(at, snapshot) SELECT \(now), pg_current_snapshot() \
      WHERE NOT EXISTS (SELECT FROM "_horizon" WHERE at > \(now) - $1) ON CONFLICT DO NOTHING
      """, types: [ServerType.double], isWork: false)
    static let unmarking = ServerStatement(
      "DELETE FROM \"_horizon\" WHERE at < (SELECT max(at) FROM \"_horizon\" WHERE at <= \(now) - $1)",
      types: [ServerType.double], isWork: false)

    /// Deletes transactions, and returns how many. Only one process does so at a time; others delete nothing.
    static let sweep = ServerStatement(
      """
      WITH l AS MATERIALIZED (SELECT FROM "_store" FOR UPDATE SKIP LOCKED), \
      h AS (SELECT snapshot FROM "_horizon", l WHERE at <= \(now) - $1 ORDER BY at DESC LIMIT 1), \
      d AS (DELETE FROM "_commit" WHERE xid IN (SELECT t.xid FROM "_commit" t, h WHERE t.process IS NULL \
      AND pg_visible_in_snapshot(t.xid, h.snapshot) \
      AND NOT EXISTS (SELECT FROM "_reader" r WHERE NOT pg_visible_in_snapshot(t.xid, r.snapshot)) \
      ORDER BY t.xid LIMIT $2) RETURNING xid), \
      c AS (DELETE FROM "_change" USING d WHERE "_change".xid = d.xid) \
      SELECT count(*) FROM d
      """, types: [ServerType.double, ServerType.int64], isWork: false)

    func sweepValues(limit: Int64?) -> ServerValues {
      var values = Self.value(minimumAge)
      if let limit { values.append(limit) } else { values.appendNull() }
      return values
    }

    static func value(_ seconds: Double) -> ServerValues {
      var values = ServerValues()
      values.append(seconds)
      return values
    }
  }
#endif
