#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  extension ServerStore {
    /// A result with more rows than this is streamed row by row: a whole result of a million rows takes hundreds of
    /// megabytes.
    private static let largeResult = 20_000

    /// Returns the statement for a fetch. It is lowered to SQL once for all fetches that differ in constants alone.
    func plan(_ target: FetchTarget, _ entity: SQLEntity, _ result: FetchPlanResult) throws
      -> FetchPlan<PreparedStatement>
    {
      try fetchPlans.plan(
        target, result, model: schema, entity: entity,
        make: { statement in
          var statement = statement
          if result == .keys {
            statement.text = Self.gatheringKeys(statement.text, hasEntities: entity.hasSubentities)
          }
          return try PreparedStatement(statement)
        },
        rebind: { try $0.with($1) })
    }

    /// Returns a statement that reads all keys as one array, which costs the client a small part of what as many rows
    /// would cost.
    private static func gatheringKeys(_ text: String, hasEntities: Bool) -> String {
      "SELECT array_agg(k)\(hasEntities ? ", array_agg(e)" : "") FROM (\(text)) AS fetched(k, e)"
    }

    /// Fetches full rows; rows that the cache has in the same version are not decoded again.
    func selectRows(_ target: FetchTarget, _ transaction: ServerReadTransaction) throws -> FetchedRows {
      let entity = try entity(target.layout.entity)
      let plan = try plan(target, entity, .rows)
      let root = target.layout.rootNumber
      let shard = rows.shard(root)
      var fetched = FetchedRows(store: self)
      var decoded = 0
      let isSmall = (1...Self.largeResult).contains(plan.lastCount) || (1...Self.largeResult).contains(target.limit)
      let reading = RowReading(decoders[entity])
      // A statement that depends on the contents of columns is sent alone, after these were looked up.
      let mayPrefetch = plan.statement.values != nil && (isSmall || plan.lastCount == 0)
      let prefetch = mayPrefetch ? try PrefetchReading(target, entity, transaction) : nil
      var hasKnownRows = false
      try transaction.run(
        plan.statement, latest: !target.isContinued, watch: target.watch, streams: !isSmall,
        begin: {
          fetched = FetchedRows(store: self)
          fetched.reserve(plan.lastCount)
          decoded = 0
          prefetch?.begin()
          // This is checked once: rows that other contexts read in the meantime are decoded twice.
          hasKnownRows = transaction.hasOwnRows || !shard.isEmpty
        },
        with: { prefetch?.add(to: &$0) },
        { [self] result, commit in
          try reading.check(result)
          for row in 0..<result.rowCount {
            let key = result.int64(row, 0)
            guard key > 0 else { throw noKey(key, entity) }
            try target.watch?.noteRow()
            fetched.keys.append(key)
            if hasKnownRows, let known = shard.get(key, at: commit) ?? transaction.ownRow(key, root: root),
              known.version == result.int64(row, 2)
            {
              fetched.rows.append(known)
            } else {
              fetched.rows.append(reading.decode(result, row, commit: commit))
              decoded += 1
            }
          }
        })
      plan.lastCount = fetched.keys.count
      if decoded > 0 { transaction.keep(fetched.rows, in: rows, root: root) }
      prefetch?.keep(for: fetched.keys)
      return fetched
    }

    /// Returns the error for a row that cannot exist: keys begin at 1, and keys below zero belong to objects that were
    /// never saved.
    private func noKey(_ key: Int64, _ entity: SQLEntity) -> NSError {
      NSError(
        coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
        "The store at \(place) is damaged: the table \"\(entity.tableName)\" has a row with the key \(key).")
    }

    /// Fetches keys only.
    func selectKeys(_ target: FetchTarget, _ transaction: ServerReadTransaction) throws -> FetchedRows {
      let entity = try entity(target.layout.entity)
      let plan = try plan(target, entity, .keys)
      var fetched = FetchedRows(store: self)
      try transaction.run(
        plan.statement, latest: !target.isContinued, watch: target.watch,
        begin: { fetched = FetchedRows(store: self) },
        { [self] result, _ in
          guard result.rowCount > 0, !result.isNull(0, 0) else { return }
          fetched.keys = result.int64Array(0, 0)
          if let wrong = fetched.keys.first(where: { $0 <= 0 }) { throw noKey(wrong, entity) }
          if entity.hasSubentities { fetched.entities = result.int32Array(0, 1) }
        })
      return fetched
    }

    /// Returns how many rows match, with offset and limit applied.
    func selectCount(_ target: FetchTarget, _ transaction: ServerReadTransaction) throws -> Int {
      let plan = try plan(target, try entity(target.layout.entity), .count)
      var count = 0
      try transaction.run(
        plan.statement, latest: !target.isContinued, watch: target.watch, begin: { count = 0 },
        { result, _ in count = result.rowCount > 0 ? Int(result.int64(0, 0)) : 0 })
      return count
    }
  }
#endif
