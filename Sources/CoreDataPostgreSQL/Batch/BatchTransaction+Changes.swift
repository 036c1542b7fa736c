#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Statements that change rows and note which rows they have changed.
  extension BatchTransaction {
    /// Called with the changes of a statement: the number of changed rows and, if they were asked for, the rows.
    typealias Note = (_ count: Int, _ rows: ContiguousArray<BatchedRow>) throws -> Void

    /// What history notes of a change besides key and entity: the changed properties of rows `r`, or the values that are kept
    /// of deleted rows.
    enum Remark {
      case none
      case properties(String)
      /// The values of a deleted row that history keeps, which the statement returns as `tomb`.
      case tombstone
    }

    /// Adds a statement that changes rows; the common table expression `_change` has the rows.
    /// - Parameters:
    ///   - text: a statement that returns key and entity number of each changed row, under the names of the columns.
    ///   - note: is called with the rows if `wantsRows` is true.
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
      // The rows are returned as arrays, since a million separate rows would take the client about seven times as long.
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

    /// Adds a statement of the relational layer that changes rows; `_change` has the rows.
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

    /// Notes new rows that have all keys of some ranges.
    func noteInserts(of entity: SQLEntity, _ ranges: [Range<Int64>]) {
      var values = ServerValues()
      values.append(array: ranges.lazy.map(\.lowerBound))
      values.append(array: ranges.lazy.map { $0.upperBound - 1 })
      add(
        "INSERT INTO \"_change\"(n, kind, ent, pk) SELECT \(Self.number), 'i', \(entity.number), k "
          + "FROM unnest($1, $2) AS r(first, last), generate_series(r.first, r.last) AS k, \(Self.last)",
        types: SaveFlight.arrays([.key, .key]), values)
    }

    /// The changes of a transaction are numbered on from statement to statement.
    private static let number = "(b.n + row_number() OVER ())::integer"
    private static let last =
      "(SELECT COALESCE(max(n), -1) FROM \"_change\" WHERE xid = pg_current_xact_id()) AS b(n)"

    /// The bits of the properties with those names, for rows `r` of some entities. Nothing if the store keeps no history.
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
