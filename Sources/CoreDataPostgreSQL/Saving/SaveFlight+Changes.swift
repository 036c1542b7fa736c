#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Writes which rows a save has changed. These notes go beside the rows themselves.
  extension SaveFlight {
    /// The kinds of changes in the table `_change`.
    enum ChangeKind {
      static let insert = UInt8(ascii: "i"), update = UInt8(ascii: "u"), delete = UInt8(ascii: "d")
      /// A row that the server has computed again; history leaves this change out.
      static let touch = UInt8(ascii: "t")
    }

    /// Notes the rows that the save writes, in the order of the save's objects. Readers learn from these notes which
    /// cached rows are out of date.
    mutating func writeChanges(_ plan: SavePlan) throws {
      let kept = try rowsWithTombstones(plan)
      let count = plan.inserted.count + plan.updated.count + plan.deleted.count - kept.count
      if count == 0 { return }
      if kept.isEmpty, plan.historyBits.isEmpty { return try writePlainChanges(plan, count) }
      var values = ServerValues(variables: 5)
      let all = 0..<plan.inserted.count + plan.updated.count + plan.deleted.count
      func isWritten(_ place: Int) -> Bool {
        let first = plan.inserted.count + plan.updated.count
        return place < first || !kept.contains(place - first)
      }
      func array(_ type: UInt32, _ append: (inout ServerValues, Int) throws -> Void) rethrows {
        values.beginArray(of: type, reserving: count)
        for place in all where isWritten(place) { try append(&values, place) }
        values.endArray()
      }
      let (inserted, updated) = (plan.inserted.count, plan.inserted.count + plan.updated.count)
      func row(_ place: Int) -> (layout: EntityLayout, key: Int64) {
        if place < inserted { return (plan.inserted[place].layout, plan.inserted[place].primaryKey) }
        if place < updated {
          let row = plan.updated[place - inserted]
          return (row.layout, row.primaryKey)
        }
        let row = plan.deleted[place - updated]
        return (row.layout, row.key)
      }
      array(ServerType.int32) { $0.append(Int32($1)) }
      array(ServerType.char) {
        $0.append(char: $1 < inserted ? ChangeKind.insert : $1 < updated ? ChangeKind.update : ChangeKind.delete)
      }
      try array(ServerType.int32) { $0.append(Int32(try store.entity(row($1).layout.entity).number)) }
      array(ServerType.int64) { $0.append(row($1).key) }
      array(ServerType.bytes) {
        let place = $1 - inserted
        if place >= 0, place < plan.historyBits.count { $0.append(plan.historyBits[place]) } else { $0.appendNull() }
      }
      add(Self.changes, values)
    }

    /// Notes the rows if history keeps neither bits nor values, as in most stores: one column at a time, without
    /// looking up for each element from which list its row comes.
    private mutating func writePlainChanges(_ plan: SavePlan, _ count: Int) throws {
      var values = ServerValues(variables: 5)
      values.reserve(
        count, of: [ServerType.int32, ServerType.char, ServerType.int32, ServerType.int64, ServerType.int32])
      values.beginArray(of: ServerType.int32, reserving: count)
      for place in 0..<count { values.append(Int32(truncatingIfNeeded: place)) }
      values.endArray()
      values.beginArray(of: ServerType.char, reserving: count)
      for _ in 0..<plan.inserted.count { values.append(char: ChangeKind.insert) }
      for _ in 0..<plan.updated.count { values.append(char: ChangeKind.update) }
      for _ in 0..<plan.deleted.count { values.append(char: ChangeKind.delete) }
      values.endArray()
      values.beginArray(of: ServerType.int32, reserving: count)
      var known: EntityLayout?, number: Int32 = 0
      func appendNumber(of layout: EntityLayout) throws {
        if layout !== known { (known, number) = (layout, Int32(try store.entity(layout.entity).number)) }
        values.append(number)
      }
      for row in plan.inserted { try appendNumber(of: row.layout) }
      for row in plan.updated { try appendNumber(of: row.layout) }
      for row in plan.deleted { try appendNumber(of: row.layout) }
      values.endArray()
      values.beginArray(of: ServerType.int64, reserving: count)
      plan.inserted.forEachBorrowed { values.append($0.primaryKey) }
      plan.updated.forEachBorrowed { values.append($0.primaryKey) }
      for row in plan.deleted { values.append(row.key) }
      values.endArray()
      values.beginArray(of: ServerType.bytes, reserving: count)
      for _ in 0..<count { values.appendNull() }
      values.endArray()
      add(Self.changes, values)
    }

    private static let changes = ServerStatement(
      "INSERT INTO \"_change\"(n, kind, ent, pk, props) SELECT * FROM unnest($1, $2, $3, $4, $5)",
      types: [ServerType.int32, ServerType.char, ServerType.int32, ServerType.int64, ServerType.bytes].map(
        ServerType.array(of:)))
  }
#endif
