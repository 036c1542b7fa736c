#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // The new rows of a save: one INSERT for each entity.
  extension SaveFlight {
    mutating func insert(_ rows: ContiguousArray<Snapshot>, now: Double) throws {
      guard let first = rows.first else { return }
      if rows.isOfOneLayout { return insert(rows, of: try store.entity(first.layout.entity), now: now) }
      var groups: [Int: ContiguousArray<Snapshot>] = [:]
      for row in rows { groups[try store.entity(row.layout.entity).number, default: []].append(row) }
      for (number, rows) in groups.sorted(by: { $0.key < $1.key }) {
        guard let entity = store.schema.entity(number: number) else { continue }
        insert(rows, of: entity, now: now)
      }
    }

    private mutating func insert(_ rows: ContiguousArray<Snapshot>, of entity: SQLEntity, now: Double) {
      let statement = store.statements.statement(.insertion(entity.number)) { insertion(entity) }
      add(statement, insertedValues(rows, of: entity, now: now))
    }

    private func insertion(_ entity: SQLEntity) -> ServerStatement {
      let fixed: [(name: String, type: SQLColumnType)] = [
        (entity.fixed.key, .key), (entity.fixed.entity, .entityNumber), (entity.fixed.version, .version),
      ]
      let columns = fixed + entity.columns.flatMap(\.typedNames)
      return ServerStatement(
        "INSERT INTO \(quoted(entity.tableName))(\(columns.map { quoted($0.name) }.joined(separator: ", "))) "
          + "SELECT * FROM unnest(\(Self.variables(columns.count)))", types: Self.arrays(columns.map(\.type)))
    }

    private func insertedValues(
      _ rows: ContiguousArray<Snapshot>, of entity: SQLEntity, now: Double
    ) -> ServerValues {
      let computed = store.derivedPlans[entity.number - 1].computed
      let columns = store.writePlans[entity.number - 1], types = store.columnTypes[entity.number - 1]
      var values = ServerValues(variables: 3 + 2 * columns.count)
      if rows.count > 8 {
        let fixed = [ServerType.int64, ServerType.int32, ServerType.int64]
        values.reserve(rows.count, of: fixed + types.lazy.joined().map(ServerType.of))
      }
      values.append(keysOf: rows)
      values.beginArray(of: ServerType.int32, reserving: rows.count)
      for _ in 0..<rows.count { values.append(Int32(entity.number)) }
      values.endArray()
      values.append(versionsOf: rows)
      for position in columns.indices {
        if !computed.isEmpty, let column = computed.first(where: { $0.position == position }) {
          append(column, entity, rows, now, to: &values)
        } else {
          values.append(rows, columns[position], types[position])
        }
      }
      return values
    }

    /// Appends the values of a derived attribute in rows.
    func append(
      _ column: ComputedColumn, _ entity: SQLEntity, _ rows: ContiguousArray<Snapshot>, _ now: Double,
      to values: inout ServerValues
    ) {
      let type = entity.columns[column.position].typedNames[0].type
      values.beginArray(of: ServerType.of(type), reserving: rows.count)
      for row in rows { values.append(column.value(for: row, now: now), as: type) }
      values.endArray()
    }
  }

  extension ContiguousArray<Snapshot> {
    /// Whether all rows have the same layout.
    fileprivate var isOfOneLayout: Bool {
      guard let layout = first?.layout else { return true }
      var isOne = true
      forEachBorrowed { if $0.layout !== layout { isOne = false } }
      return isOne
    }
  }
#endif
