#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // What a save writes beside its rows: which rows have changed, and the row that makes it one commit.
  extension SaveFlight {
    /// The kinds of changes in the table `_change`.
    enum ChangeKind {
      static let insert = UInt8(ascii: "i"), update = UInt8(ascii: "u"), delete = UInt8(ascii: "d")
      /// A row that the server has computed anew; no change of history.
      static let touch = UInt8(ascii: "t")
    }

    /// Notes the rows that are written, in the order of the save's objects. Readers learn from it what is out of date.
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

    /// The same where history keeps neither bits nor values, which is what most stores have: a column at a time, without a look
    /// at where each row comes from.
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

    // MARK: Values that outlive their objects

    /// The places among the deleted rows of those that history keeps values of.
    private func rowsWithTombstones(_ plan: SavePlan) throws -> Set<Int> {
      guard store.serverOptions.tracksHistory, !plan.deleted.isEmpty else { return [] }
      var places: Set<Int> = []
      for (place, row) in plan.deleted.enumerated() {
        if !store.historyLayouts[try store.entity(row.layout.entity).number - 1].preserved.isEmpty {
          places.insert(place)
        }
      }
      return places
    }

    /// Notes the deletion of rows that history keeps values of, while they are still there.
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

    /// What history keeps of a row `t`: an object of JSON, whose numbers have all digits, with bytes in hexadecimal digits.
    func tombstone(_ layout: HistoryLayout) -> String {
      // A function takes 100 arguments at most.
      let objects = stride(from: 0, to: layout.preserved.count, by: 50).map { start in
        let pairs = layout.preserved[start..<min(start + 50, layout.preserved.count)].map {
          "\(dialect.literal(.text($0.keyPath))), to_jsonb(t.\(quoted($0.columnName)))"
        }
        return "jsonb_build_object(\(pairs.joined(separator: ", ")))"
      }
      return "convert_to((\(objects.joined(separator: " || ")))::text, 'UTF8')"
    }

    // MARK: The commit

    /// Writes the row of the commit, whose token tells later whether it took place.
    ///
    /// History has the commits that name a process: those of others are for readers' caches alone.
    /// - Parameter isTold: whether history has it, where it is tracked; a commit that changes no object is left out.
    mutating func writeCommit(
      _ token: UUID, _ source: HistorySource, _ outcome: SaveOutcome, isTold: Bool = true
    ) {
      var values = ServerValues(variables: 6)
      values.append(token)
      values.append(Date().timeIntervalSinceReferenceDate)
      if isTold, store.serverOptions.tracksHistory {
        for text in [source.author, source.contextName, store.processName, store.bundleID] {
          if let text { values.append(text.replacingOccurrences(of: "\0", with: "")) } else { values.appendNull() }
        }
      } else {
        for _ in 0..<4 { values.appendNull() }
      }
      add(Self.commit, values) { outcome.transaction = UInt64(bitPattern: $0.int64(0, 0)) }
      // From here on no migration can begin before this transaction ends: it needs a lock of that table. One that was faster
      // has given the schema another version.
      versionCheck = flight.statementCount
      var version = ServerValues()
      version.append(store.openedSchemaVersion)
      add(Self.checkVersion, version)
    }

    /// A division by zero where the schema has another version, as where a row is not what was read.
    private static let checkVersion = ServerStatement(
      "SELECT 1 / count(*) FROM \"_store\" WHERE version = $1", types: [ServerType.int64])

    private static let commit = ServerStatement(
      "INSERT INTO \"_commit\"(token, at, author, context, process, bundle) VALUES ($1, $2, $3, $4, $5, $6) "
        + "RETURNING xid",
      types: [ServerType.uuid, ServerType.double] + Array(repeating: ServerType.text, count: 4))
  }
#endif
