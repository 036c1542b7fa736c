#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Asks the server which rows other programs have changed since a snapshot. This is the first statement of each
  /// transaction that reads, and fixes the transaction's snapshot; it is also the last statement of each save.
  ///
  /// Transactions commit in another order than they begin in, so a transaction's number does not tell whether its
  /// changes are new. A snapshot does: a change is new if it is visible now and was not visible in the snapshot.
  struct DeltaQuery {
    /// The answer to the question.
    struct Answer {
      let state: ServerState
      /// The version of the store's schema.
      let schemaVersion: Int64
      let changes: ToldChanges
    }

    /// The statement of the question. Its variable is the snapshot; with NULL, the answer has only the present
    /// snapshot.
    let statement: ServerStatement
    /// The same question without the changes of one commit, whose token is the second variable. It is for batch
    /// requests and large saves, which know their own changes: an answer may contain only a limited number of rows.
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

    /// Reads an answer.
    /// - Parameter root: returns the number of the root entity in the row cache for an entity's number in the store.
    /// - Throws: 259 if the answer has no snapshot or no version.
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
    /// Appends the binary form of a snapshot: the number of transactions in progress, the bounds, and these
    /// transactions.
    mutating func append(snapshot: TransactionSnapshot) {
      begin(20 + 8 * snapshot.inProgress.count)
      bytes.append(UInt32(truncatingIfNeeded: snapshot.inProgress.count))
      bytes.append(snapshot.xmin)
      bytes.append(snapshot.xmax)
      for number in snapshot.inProgress { bytes.append(number) }
    }
  }
#endif
