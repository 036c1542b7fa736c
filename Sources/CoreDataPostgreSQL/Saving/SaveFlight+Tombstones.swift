#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // The values that history keeps of rows which a save deletes.
  extension SaveFlight {
    /// The positions, among the deleted rows, of those whose values history keeps.
    func rowsWithTombstones(_ plan: SavePlan) throws -> Set<Int> {
      guard store.serverOptions.tracksHistory, !plan.deleted.isEmpty else { return [] }
      var places: Set<Int> = []
      for (place, row) in plan.deleted.enumerated() {
        if !store.historyLayouts[try store.entity(row.layout.entity).number - 1].preserved.isEmpty {
          places.insert(place)
        }
      }
      return places
    }

    /// Notes the deletion of rows whose values history keeps, before the rows are deleted.
    mutating func writeTombstones(_ plan: SavePlan) throws {
      let kept = try rowsWithTombstones(plan)
      if kept.isEmpty { return }
      let first = plan.inserted.count + plan.updated.count
      var groups: [Int: [(place: Int, key: Int64)]] = [:]
      for place in kept.sorted() {
        let row = plan.deleted[place]
        groups[try store.entity(row.layout.entity).number, default: []].append((first + place, row.key))
      }
      for (number, rows) in groups.sorted(by: { $0.key < $1.key }) {
        let layout = store.historyLayouts[number - 1]
        let statement = store.statements.statement(.tombstones(number)) { tombstones(layout) }
        var values = ServerValues()
        values.beginArray(of: ServerType.int32, reserving: rows.count)
        for row in rows { values.append(Int32(row.place)) }
        values.endArray()
        values.append(array: rows.lazy.map(\.key))
        add(statement, values)
      }
    }

    private func tombstones(_ layout: HistoryLayout) -> ServerStatement {
      let entity = layout.entity
      return ServerStatement(
        "INSERT INTO \"_change\"(n, kind, ent, pk, tomb) SELECT v.n, 'd', \(entity.number), v.pk, "
          + "\(tombstone(layout)) FROM unnest($1, $2) AS v(n, pk) "
          + "JOIN \(quoted(entity.tableName)) t ON t.\(quoted(entity.fixed.key)) = v.pk",
        types: Self.arrays([.integer32, .key]))
    }

    /// The values that history keeps of a row `t`: a JSON object whose numbers have all their digits, with bytes in
    /// hexadecimal digits.
    func tombstone(_ layout: HistoryLayout) -> String {
      // A function takes at most 100 arguments.
      let objects = stride(from: 0, to: layout.preserved.count, by: 50).map { start in
        let pairs = layout.preserved[start..<min(start + 50, layout.preserved.count)].map {
          "\(dialect.literal(.text($0.keyPath))), to_jsonb(t.\(quoted($0.columnName)))"
        }
        return "jsonb_build_object(\(pairs.joined(separator: ", ")))"
      }
      return "convert_to((\(objects.joined(separator: " || ")))::text, 'UTF8')"
    }
  }
#endif
