#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// The question for the rows that others have changed since a snapshot. It is the first statement of each transaction that
  /// reads, and so determines the transaction's snapshot; and it is the last statement of each save.
  ///
  /// Transactions commit in another order than they begin in, so no number tells what is new. A snapshot does: rows are new
  /// if they are visible now and were not visible in the snapshot.
  struct DeltaQuery {
    /// The answer.
    struct Answer {
      let state: ServerState
      /// A number that grows with each change of the store's schema.
      let schemaVersion: Int64
      let changes: ToldChanges
    }

    /// The variable is the known snapshot; NULL asks only for the present one.
    let statement: ServerStatement
    /// The same statement without the changes of one commit, whose token is the second variable. A batch request may have
    /// changed more rows than can be reported, and knows its own changes.
    let statementOfOthers: ServerStatement

    init(limit: Int) {
      statement = ServerStatement(Self.text(limit, ""), types: [ServerType.snapshot], isWork: false)
      statementOfOthers = ServerStatement(
        Self.text(limit, "AND xid IS DISTINCT FROM (SELECT xid FROM \"_commit\" WHERE token = $2) "),
        types: [ServerType.snapshot, ServerType.uuid], isWork: false)
    }

    private static func text(_ limit: Int, _ condition: String) -> String {
      """
      SELECT pg_current_snapshot()::text, (SELECT version FROM "_store"), NULL::xid8, NULL::integer, NULL::bigint \
      UNION ALL (SELECT NULL, NULL, xid, ent, pk FROM "_change" \
      WHERE xid >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(xid, $1::pg_snapshot) \
      \(condition)LIMIT \(limit + 1))
      """
    }

    func values(_ question: ManyWritersFreshness.Question) -> ServerValues {
      var values = ServerValues()
      if case .snapshot(let snapshot)? = question.since {
        values.append(snapshot: snapshot)
      } else {
        values.appendNull()
      }
      return values
    }

    /// - Parameter root: returns the number of a root entity in the row cache, by an entity's number in the store.
    /// - Throws: 259 for an answer that no store gives.
    func answer(_ result: borrowing ServerResult, root: (Int32) -> Int?) throws -> Answer {
      var snapshot: TransactionSnapshot?, version: Int64?
      var rows: [ChangedRow] = []
      rows.reserveCapacity(max(0, result.rowCount - 1))
      for row in 0..<result.rowCount {
        if result.isNull(row, 2) {
          snapshot = TransactionSnapshot(result.string(row, 0))
          version = result.isNull(row, 1) ? nil : result.int64(row, 1)
        } else if let root = root(result.int32(row, 3)) {
          rows.append(
            ChangedRow(
              transaction: UInt64(bitPattern: result.int64(row, 2)), root: root, key: result.int64(row, 4)))
        }
      }
      guard let snapshot, let version else {
        throw NSError(
          coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
          "The store is damaged: the table \"_store\" is empty, or the server has answered with no snapshot.")
      }
      return Answer(state: .snapshot(snapshot), schemaVersion: version, changes: .rows(rows))
    }
  }

  extension ServerType {
    static let snapshot: UInt32 = 5038
  }

  extension ServerValues {
    /// The binary form of a snapshot: the number of transactions in progress, the bounds, and these transactions.
    mutating func append(snapshot: TransactionSnapshot) {
      begin(20 + 8 * snapshot.inProgress.count)
      bytes.append(UInt32(truncatingIfNeeded: snapshot.inProgress.count))
      bytes.append(snapshot.xmin)
      bytes.append(snapshot.xmax)
      for number in snapshot.inProgress { bytes.append(number) }
    }
  }
#endif
