#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // Reads rows for faults and relationships. The rows that are read enter the row cache, dated with the transaction's
  // commit.
  extension ServerStore {
    /// Returns the rows of `keys`, in no particular order, and whether the row cache took them. Keys without a row are
    /// left out.
    func selectRows(
      withKeys keys: ContiguousArray<Int64>, layout: EntityLayout, _ transaction: ServerReadTransaction
    ) throws -> (rows: ContiguousArray<Snapshot>, areCached: Bool) {
      let entity = try entity(layout.entity)
      var rows: ContiguousArray<Snapshot> = []
      try transaction.read(latest: false, isPatient: true) { flight in
        rows = []
        rows.reserveCapacity(keys.count)
        try addRows(keys, of: entity, to: &flight) { rows.append($0) }
      }
      return (rows, transaction.keep(rows, in: self.rows, root: layout.rootNumber))
    }

    /// Adds the statement that reads the rows of keys.
    func addRows(
      _ keys: ContiguousArray<Int64>, of entity: SQLEntity, to flight: inout ReadFlight,
      _ onRow: @escaping (Snapshot) -> Void
    ) throws {
      let reading = RowReading(decoders[entity])
      flight.add(try rowsByKey(entity), keyValues(keys)) { result, commit in
        try reading.check(result)
        for row in 0..<result.rowCount { onRow(reading.decode(result, row, commit: commit)) }
      }
    }

    /// Returns the statement that reads the rows of any number of keys.
    func rowsByKey(_ entity: SQLEntity) throws -> ServerStatement {
      try statements.statement(.rowsByKey(entity.number)) {
        try ServerStatement(SQLRowReading(entity: entity).byKeys(1).statement(schema.dialect))
      }
    }

    /// Returns keys as the array of a statement. The server returns a key's row once, even if the array contains the
    /// key several times.
    func keyValues(_ keys: some Sequence<Int64>) -> ServerValues {
      var values = ServerValues()
      values.append(array: keys)
      return values
    }

    // MARK: To-many relationships

    /// Returns the keys of the members of one owner's relationship, in the relationship's order if it is ordered.
    func selectMembers(
      of owner: Int64, _ slot: PropertySlot, _ layout: EntityLayout, _ transaction: ServerReadTransaction
    ) throws -> KeyArray {
      try selectMembers(of: [owner], slot, layout, transaction)[owner] ?? KeyArray.empty
    }

    /// Returns the keys of the members of many owners at once; owners without members get an empty array.
    func selectMembers(
      of owners: ContiguousArray<Int64>, _ slot: PropertySlot, _ layout: EntityLayout,
      _ transaction: ServerReadTransaction
    ) throws -> [Int64: KeyArray] {
      guard let toMany = try entity(layout.entity).toManys[slot.name] else { return [:] }
      let id = relationID(layout, slot)
      if let known = transaction.prefetchedMembers(id, of: owners) { return known }
      var result: [Int64: KeyArray] = [:]
      try transaction.read(latest: false, isPatient: true) { flight in
        result = [:]
        try addMembers(of: owners, toMany, id, to: &flight) { result[$0] = $1 }
      }
      transaction.keep(result.map { ($0.key, $0.value) }, in: rows, relation: id)
      return result
    }

    /// Adds the statement that reads the members of owners: a row for each owner, with its members as an array.
    func addMembers(
      of owners: ContiguousArray<Int64>, _ toMany: SQLToMany, _ id: RelationID, to flight: inout ReadFlight,
      _ onOwner: @escaping (Int64, KeyArray) -> Void
    ) throws {
      let statement = try statements.statement(.members(id, ofMany: true)) {
        try ServerStatement(
          gatheringMembers(SQLMembers(toMany, in: schema).keys(ofMany: true), of: toMany))
      }
      flight.add(statement, keyValues(owners)) { [self] result, commit in
        var found = Set<Int64>(minimumCapacity: result.rowCount)
        readMembers(result, toMany, commit) { owner, members in
          found.insert(owner)
          onOwner(owner, members)
        }
        for owner in owners where !found.contains(owner) {
          onOwner(owner, KeyArray(ascending: [], entities: [], commit: commit))
        }
      }
    }

    /// Calls `onOwner` for each owner of the result, which has only owners with members.
    func readMembers(
      _ result: borrowing ServerResult, _ toMany: SQLToMany, _ commit: UInt64, _ onOwner: (Int64, KeyArray) -> Void
    ) {
      let isOrdered = toMany.relationship.isOrdered
      let hasEntities = schema.destination(of: toMany).hasSubentities
      for row in 0..<result.rowCount {
        onOwner(
          result.int64(row, 0),
          KeyArray(
            result.int64Array(row, 1), isOrdered: isOrdered, entities: hasEntities ? result.int32Array(row, 2) : [],
            commit: commit))
      }
    }

    /// Returns the statement that reads the members of each owner as an array. For 250,000 members, a row for each pair
    /// costs a client about seven times as much.
    func gatheringMembers(_ keys: SQLSelect, of toMany: SQLToMany) throws -> SQLStatement {
      let hasEntities = schema.destination(of: toMany).hasSubentities
      var made = try keys.statement(schema.dialect)
      made.text =
        "SELECT o, array_agg(m)\(hasEntities ? ", array_agg(e)" : "") FROM (\(made.text)) AS members(o, m"
        + "\(hasEntities ? ", e" : "")) GROUP BY o"
      return made
    }

    // MARK: What others have changed

    /// Returns the statement that reads the versions of the rows of keys; missing rows are left out.
    func versions(_ entity: SQLEntity) throws -> ServerStatement {
      try statements.statement(.versions(entity.number)) {
        try ServerStatement(SQLRows(entity: entity).versions.statement(schema.dialect))
      }
    }

    /// Returns the rows that have one of the groups of `values`, each with the index of the group.
    func selectRows(
      of constraint: UniquenessConstraint, having values: ContiguousArray<[StoredValue]>,
      _ transaction: ServerReadTransaction
    ) throws -> [FoundRow] {
      let entity = try entity(constraint.entity)
      let columns = entity.columns(of: constraint)
      guard columns.count == constraint.names.count, !values.isEmpty else { return [] }
      let statement = statements.statement(.uniqueValues(entity.number, columns.map(\.name), 0)) {
        lookUp(columns, entity)
      }
      var arrays = ServerValues()
      for (index, column) in columns.enumerated() {
        arrays.beginArray(of: ServerType.of(column.type), reserving: values.count)
        for group in values { arrays.append(group[index], as: column.type) }
        arrays.endArray()
      }
      var found: [FoundRow] = []
      try transaction.read(latest: false) { flight in
        found = []
        flight.add(statement, arrays) { result, _ in
          for row in 0..<result.rowCount {
            found.append(
              FoundRow(
                place: Int(result.int64(row, 0)) - 1, key: result.int64(row, 1), number: Int(result.int32(row, 2))))
          }
        }
      }
      return found
    }

    /// Returns the objects whose rows have another version by now.
    func outdatedRows(
      of objects: ContiguousArray<NSManagedObject>, _ layout: EntityLayout, _ transaction: ServerReadTransaction
    ) throws -> OutdatedRows {
      let statement = try versions(try entity(layout.entity))
      var versions: [Int64: Int64] = [:]
      try transaction.read(latest: false) { flight in
        versions = [:]
        flight.add(statement, keyValues(objects.lazy.map(\.objectID.primaryKey))) { result, _ in
          for row in 0..<result.rowCount { versions[result.int64(row, 0)] = result.int64(row, 1) }
        }
      }
      return try outdated(objects, versions: versions, layout: layout, transaction: transaction)
    }

    /// Returns the statement that looks each group of values up in the index of the columns.
    private func lookUp(_ columns: [SQLAttributeColumn], _ entity: SQLEntity) -> ServerStatement {
      let dialect = schema.dialect, fixed = entity.fixed
      let names = columns.indices.map { "v\($0)" }
      let arrays = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
      let conditions = zip(columns, names).map { "t.\(dialect.quoted($0.name)) = v.\($1)" }
      return ServerStatement(
        "SELECT v.n, t.\(dialect.quoted(fixed.key)), t.\(dialect.quoted(fixed.entity)) FROM unnest(\(arrays)) "
          + "WITH ORDINALITY AS v(\((names + ["n"]).joined(separator: ", "))) "
          + "JOIN \(dialect.quoted(entity.tableName)) t ON \(conditions.joined(separator: " AND "))",
        types: columns.map { ServerType.array(of: ServerType.of($0.type)) })
    }
  }
#endif
