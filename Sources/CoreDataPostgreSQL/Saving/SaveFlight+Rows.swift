#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // The rows of a save that are not written with values: they are checked, locked or deleted.
  extension SaveFlight {
    // MARK: Rows that are not written

    /// Checks that rows are unchanged although the save does not write them, and locks them until the save ends.
    mutating func check(_ rows: ContiguousArray<PlannedRow>) throws {
      for (entity, rows) in try grouped(rows) {
        let statement = store.statements.statement(.lockCheck(entity.number)) {
          let table = quoted(entity.tableName), key = quoted(entity.fixed.key), version = quoted(entity.fixed.version)
          return ServerStatement(
            "WITH v AS MATERIALIZED (SELECT * FROM unnest($1, $2) AS v(pk, opt)), "
              + "l AS MATERIALIZED (SELECT t.\(key), t.\(version) FROM \(table) t WHERE t.\(key) = ANY($1) "
              + "ORDER BY t.\(key) FOR SHARE) "
              + "SELECT 1 / (count(*) = cardinality($1))::integer FROM l JOIN v ON v.pk = l.\(key) AND v.opt = l.\(version)",
            types: Self.arrays([.key, .version]))
        }
        add(
          statement, keysAndVersions(rows),
          checking: Guarded(entity: entity, rows: guarded(rows), mayBeGone: false))
      }
    }

    /// Locks rows that several statements will write, in the order of their keys: two saves that lock in different
    /// orders could wait for each other.
    mutating func lock(_ keys: ContiguousArray<Int64>, of entity: SQLEntity) {
      let root = entity.root
      let statement = store.statements.statement(.locking(root.number)) {
        let key = quoted(root.fixed.key)
        return ServerStatement(
          "SELECT count(*) FROM (SELECT 1 FROM \(quoted(root.tableName)) WHERE \(key) = ANY($1) ORDER BY \(key) "
            + "FOR UPDATE) AS locked", types: [ServerType.array(of: ServerType.int64)])
      }
      add(statement, store.keyValues(keys))
    }

    // MARK: Deletions

    mutating func delete(_ rows: ContiguousArray<PlannedRow>) throws {
      for (entity, rows) in try grouped(rows) {
        let statement = store.statements.statement(.deletion(entity.number)) {
          let table = quoted(entity.tableName), key = quoted(entity.fixed.key), version = quoted(entity.fixed.version)
          // A row that another program has deleted, too, is as wanted; a row that another program has changed is a
          // conflict.
          return ServerStatement(
            "WITH v AS MATERIALIZED (SELECT * FROM unnest($1, $2) AS v(pk, opt) ORDER BY pk), "
              + "d AS (DELETE FROM \(table) t USING v WHERE t.\(key) = v.pk AND (v.opt = 0 OR t.\(version) = v.opt) "
              + "RETURNING t.\(key) AS pk) "
              + "SELECT 1 / (count(*) = 0)::integer FROM v JOIN \(table) t ON t.\(key) = v.pk "
              + "WHERE NOT EXISTS (SELECT 1 FROM d WHERE d.pk = v.pk)", types: Self.arrays([.key, .version]))
        }
        add(
          statement, keysAndVersions(rows),
          checking: Guarded(entity: entity, rows: guarded(rows), mayBeGone: true))
      }
    }

    /// Returns rows by their entities, in the order of their keys.
    func grouped(_ rows: ContiguousArray<PlannedRow>) throws -> [(SQLEntity, ContiguousArray<PlannedRow>)] {
      if rows.isEmpty { return [] }
      var groups: [Int: ContiguousArray<PlannedRow>] = [:]
      for row in rows { groups[try store.entity(row.layout.entity).number, default: []].append(row) }
      return groups.sorted { $0.key < $1.key }.compactMap { number, rows in
        store.schema.entity(number: number).map { ($0, ContiguousArray(rows.sorted { $0.key < $1.key })) }
      }
    }

    private func guarded(_ rows: ContiguousArray<PlannedRow>) -> ContiguousArray<(key: Int64, version: Int64)> {
      ContiguousArray(rows.compactMap { row in row.version.map { (row.key, $0) } })
    }

    private func keysAndVersions(_ rows: ContiguousArray<PlannedRow>) -> ServerValues {
      var values = ServerValues()
      values.append(array: rows.lazy.map(\.key))
      values.append(array: rows.lazy.map { $0.version ?? 0 })
      return values
    }
  }
#endif
