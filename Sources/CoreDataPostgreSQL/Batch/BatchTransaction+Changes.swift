#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Statements that change rows and at the same time note these rows as changed.
  extension BatchTransaction {
    /// Receives the number of rows that a statement has changed and, if they were asked for, the rows.
    typealias Note = (_ count: Int, _ rows: ContiguousArray<BatchedRow>) throws -> Void

    /// The value that a change has besides key and entity: the changed properties of rows `r`, or the values that
    /// history keeps of them.
    enum Remark {
      case none
      case properties(String)
      /// The statement returns the values as `tomb`.
      case tombstone
    }

    /// Adds a statement, and the notes of its rows in `_change`.
    /// - Parameters:
    ///   - text: returns the key and the entity's number of each changed row, under the names of the columns.
    ///   - note: receives the rows if `wantsRows`.
    func add(
      changing text: String, types: [UInt32] = [], _ values: ServerValues = ServerValues(), kind: UInt8,
      _ remark: Remark = .none, wantsRows: Bool, isPrepared: Bool = false, _ note: @escaping Note
    ) {
      let key = pending.quoted(store.schema.dialect.columns.key),
        entity = pending.quoted(store.schema.dialect.columns.entity)
      var parts = ["r AS (\(text))", "c AS (\(noting(kind, remark)))"]
      if notesWritten, kind == SaveFlight.ChangeKind.update {
        parts.append("w AS (INSERT INTO \(BatchDerivations.written) SELECT \(key), \(entity) FROM r)")
      }
      // The rows are returned as arrays: a million rows one by one cost a client about seven times as much.
      let result = wantsRows ? "count(*), array_agg(\(key)), array_agg(\(entity))" : "count(*)"
      add(
        "WITH \(parts.joined(separator: ", ")) SELECT \(result) FROM r", types: types, values, isPrepared: isPrepared
      ) { result in
        let count = Int(result.int64(0, 0))
        guard wantsRows, count > 0 else { return try note(count, []) }
        let keys = result.int64Array(0, 1), numbers = result.int32Array(0, 2)
        try note(count, ContiguousArray(zip(keys, numbers).lazy.map { BatchedRow(key: $0, number: Int($1)) }))
      }
    }

    /// Adds a statement of the relational layer, and the notes of its rows in `_change`.
    func add(
      changing statement: SQLStatement, kind: UInt8, _ remark: Remark = .none, wantsRows: Bool, _ note: @escaping Note
    ) throws {
      add(
        changing: statement.text, types: try statement.types.map(ServerType.named), try values(of: statement),
        kind: kind,
        remark, wantsRows: wantsRows, note)
    }

    private func noting(_ kind: UInt8, _ remark: Remark) -> String {
      let key = pending.quoted(store.schema.dialect.columns.key),
        entity = pending.quoted(store.schema.dialect.columns.entity)
      let (column, value) =
        switch remark {
        case .none: ("", "")
        case .properties(let value): (", props", ", \(value)")
        case .tombstone: (", tomb", ", r.tomb")
        }
      return "INSERT INTO \"_change\"(n, kind, ent, pk\(column)) SELECT \(Self.number), "
        + "'\(Character(Unicode.Scalar(kind)))', r.\(entity), r.\(key)\(value) FROM r, \(Self.last)"
    }

    /// Notes all keys of some ranges as new rows.
    func noteInserts(of entity: SQLEntity, _ ranges: [Range<Int64>]) {
      var values = ServerValues()
      values.append(array: ranges.lazy.map(\.lowerBound))
      values.append(array: ranges.lazy.map { $0.upperBound - 1 })
      add(
        "INSERT INTO \"_change\"(n, kind, ent, pk) SELECT \(Self.number), 'i', \(entity.number), k "
          + "FROM unnest($1, $2) AS r(first, last), generate_series(r.first, r.last) AS k, \(Self.last)",
        types: SaveFlight.arrays([.key, .key]), values)
    }

    /// The numbers of a transaction's changes continue from statement to statement.
    private static let number = "(b.n + row_number() OVER ())::integer"
    private static let last =
      "(SELECT COALESCE(max(n), -1) FROM \"_change\" WHERE xid = pg_current_xact_id()) AS b(n)"

    /// Returns the bits of the properties with some names, for rows `r` of some entities; none if no history is kept.
    func remark(_ names: some Sequence<String>, of numbers: [Int]) -> Remark {
      guard store.serverOptions.tracksHistory else { return .none }
      let dialect = store.schema.dialect
      let bits = numbers.map {
        (number: $0, bits: dialect.literal(.blob(store.historyLayouts[$0 - 1].bitmaps.bitmap(of: names))))
      }
      if bits.count == 1 { return .properties(bits[0].bits) }
      let cases = bits.map { "WHEN \($0.number) THEN \($0.bits)" }.joined(separator: " ")
      return .properties("CASE r.\(dialect.quoted(dialect.columns.entity)) \(cases) END")
    }
  }
#endif
